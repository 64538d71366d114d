#include "device/opencl/vendor.h"

namespace hone::device::opencl {

namespace {

struct VendorRow {
  std::string_view part;  // of what the driver calls its vendor
  std::string_view vendor;
};

constexpr VendorRow k_vendors[] = {
    {"NVIDIA", "nvidia"}, {"Advanced Micro Devices", "amd"}, {"AMD", "amd"}, {"Intel", "intel"}};

}  // namespace

std::string vendor_of(std::string_view text, Flags type) {
  if ((type & k_device_cpu) != 0) return "cpu";
  for (const VendorRow& row : k_vendors) {
    if (text.find(row.part) != std::string_view::npos) return std::string(row.vendor);
  }
  return "none";
}

}  // namespace hone::device::opencl
