// The vendors of the GPUs on the PCI bus, whether or not a driver serves them; what /sys shows below `root` (nothing,
// in some containers). "nvidia", "amd", "intel", sorted. Reads a few small files; never fails.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hone::device {

std::vector<std::string> gpu_vendors_on_pci(const std::filesystem::path& root = "/");

}  // namespace hone::device
