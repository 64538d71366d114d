#include "device/hip/hip_library.h"

#include <fmt/format.h>

#include "device/shared_library.h"

namespace hone::device::hip {

namespace {

using H = HipLibrary;

constexpr Entry<H> k_entries[] = {
    entry<&H::init>("hipInit"),
    entry<&H::driver_get_version>("hipDriverGetVersion"),
    entry<&H::get_device_count>("hipGetDeviceCount"),
    entry<&H::device_get>("hipDeviceGet"),
    entry<&H::device_get_name>("hipDeviceGetName"),
    entry<&H::device_get_uuid>("hipDeviceGetUuid", Presence::optional),
    entry<&H::device_total_mem>("hipDeviceTotalMem"),
    entry<&H::device_get_attribute>("hipDeviceGetAttribute"),
    entry<&H::get_device_properties>("hipGetDevicePropertiesR0600", Presence::optional),
    entry<&H::get_error_string>("hipGetErrorString"),
};

}  // namespace

Result<HipLibrary> HipLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file, SharedLibrary::open({files, "AMD's HIP run time",
                                                          "install ROCm, or on Debian: apt-get install "
                                                          "libamdhip64-5"}));
  HipLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<HipLibrary>(file, k_entries, library));
  return library;
}

Status HipLibrary::check(HipStatus status, std::string_view doing) const {
  if (status == HipStatus::success) return ok();
  const char* text = get_error_string(status);
  return Error{ErrorCode::environment, fmt::format("HIP cannot {}: {} ({})", doing, text == nullptr ? "?" : text,
                                                   static_cast<uint32_t>(status))};
}

Result<HiprtcLibrary> HiprtcLibrary::open(const std::vector<std::string>& files) {
  static constexpr Entry<HiprtcLibrary> k_rows[] = {entry<&HiprtcLibrary::version>("hiprtcVersion")};
  HONE_TRY(const SharedLibrary file, SharedLibrary::open({files, "AMD's run-time compiler",
                                                          "install ROCm, or on Debian: apt-get install "
                                                          "hipcc"}));
  HiprtcLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<HiprtcLibrary>(file, k_rows, library));
  return library;
}

}  // namespace hone::device::hip
