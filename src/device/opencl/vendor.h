// Whose device it is, as hone names vendors: "nvidia", "amd", "intel"; "cpu" for a processor, whoever made it or its
// driver; else "none". `text` is what the driver calls its vendor. Pure.
#pragma once

#include <string>
#include <string_view>

#include "device/opencl/opencl_types.h"

namespace hone::device::opencl {

std::string vendor_of(std::string_view text, Flags type);

}  // namespace hone::device::opencl
