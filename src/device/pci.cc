#include "device/pci.h"

#include <fcntl.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/disk.h"
#include "base/text.h"

namespace hone::device {

namespace {

struct VendorRow {
  std::string_view id;
  std::string_view name;
};

// Numbers of the PCI register of vendors.
constexpr VendorRow k_vendors[] = {{"0x10de", "nvidia"}, {"0x1002", "amd"}, {"0x8086", "intel"}};

// Class codes: display controllers (GPUs without a display too), and processing accelerators.
bool is_gpu(std::string_view pci_class) { return pci_class.starts_with("0x03") || pci_class.starts_with("0x12"); }

std::string word_in(const fs::path& file) {
  const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  char text[32];
  const ssize_t got = fd ? read(fd.get(), text, sizeof text) : 0;
  return std::string(trim(std::string_view(text, static_cast<size_t>(std::max<ssize_t>(got, 0)))));
}

}  // namespace

std::vector<std::string> gpu_vendors_on_pci(const fs::path& root) {
  std::set<std::string> found;
  std::error_code none;
  for (const auto& device : fs::directory_iterator(root / "sys/bus/pci/devices", none)) {
    if (!is_gpu(word_in(device.path() / "class"))) continue;
    const std::string id = word_in(device.path() / "vendor");
    const auto row = std::ranges::find(k_vendors, id, &VendorRow::id);
    if (row != std::end(k_vendors)) found.emplace(row->name);
  }
  return {found.begin(), found.end()};
}

}  // namespace hone::device
