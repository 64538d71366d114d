#include "device/hip/hip_library.h"

#include <fmt/format.h>

#include "base/text.h"
#include "device/shared_library.h"

namespace hone::device::hip {

namespace {

using H = HipLibrary;

constexpr Entry<H> k_entries[] = {
    entry<&H::init>("hipInit"),
    entry<&H::driver_get_version>("hipDriverGetVersion"),
    entry<&H::get_error_name>("hipGetErrorName"),
    entry<&H::get_error_string>("hipGetErrorString"),

    entry<&H::get_device_count>("hipGetDeviceCount"),
    entry<&H::device_get>("hipDeviceGet"),
    entry<&H::device_get_name>("hipDeviceGetName"),
    entry<&H::device_get_uuid>("hipDeviceGetUuid", Presence::optional),
    entry<&H::device_total_mem>("hipDeviceTotalMem"),
    entry<&H::device_get_attribute>("hipDeviceGetAttribute"),
    entry<&H::get_device_properties>("hipGetDevicePropertiesR0600", Presence::optional),

    entry<&H::set_device>("hipSetDevice"),
    entry<&H::set_device_flags>("hipSetDeviceFlags"),
    entry<&H::device_reset>("hipDeviceReset"),

    entry<&H::module_load_data>("hipModuleLoadData"),
    entry<&H::module_unload>("hipModuleUnload"),
    entry<&H::module_get_function>("hipModuleGetFunction"),
    entry<&H::occupancy_max_active_blocks>("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", Presence::optional),

    entry<&H::malloc>("hipMalloc"),
    entry<&H::free>("hipFree"),
    entry<&H::host_malloc>("hipHostMalloc"),
    entry<&H::memcpy_host_to_device_async>("hipMemcpyHtoDAsync"),
    entry<&H::memcpy_device_to_host_async>("hipMemcpyDtoHAsync"),

    entry<&H::mem_get_allocation_granularity>("hipMemGetAllocationGranularity", Presence::optional),
    entry<&H::mem_address_reserve>("hipMemAddressReserve", Presence::optional),
    entry<&H::mem_address_free>("hipMemAddressFree", Presence::optional),
    entry<&H::mem_create>("hipMemCreate", Presence::optional),
    entry<&H::mem_release>("hipMemRelease", Presence::optional),
    entry<&H::mem_map>("hipMemMap", Presence::optional),
    entry<&H::mem_unmap>("hipMemUnmap", Presence::optional),
    entry<&H::mem_set_access>("hipMemSetAccess", Presence::optional),

    entry<&H::stream_create>("hipStreamCreateWithFlags"),
    entry<&H::stream_synchronize>("hipStreamSynchronize"),

    entry<&H::event_create>("hipEventCreateWithFlags"),
    entry<&H::event_record>("hipEventRecord"),
    entry<&H::event_synchronize>("hipEventSynchronize"),
    entry<&H::event_elapsed_time>("hipEventElapsedTime"),

    entry<&H::launch_kernel>("hipModuleLaunchKernel"),
    entry<&H::launch_cooperative_kernel>("hipModuleLaunchCooperativeKernel", Presence::optional),
};

const char* or_unknown(const char* text) { return text == nullptr ? "unknown" : text; }

}  // namespace

Result<HipLibrary> HipLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file,
           SharedLibrary::open({files, "AMD's HIP run time", "install ROCm 6 or newer (package hip-runtime-amd)"}));
  HipLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<HipLibrary>(file, k_entries, library));
  return library;
}

std::string HipLibrary::name_of(HipStatus status) const {
  return fmt::format("{} ({}): {}", or_unknown(get_error_name(status)), static_cast<uint32_t>(status),
                     or_unknown(get_error_string(status)));
}

Status HipLibrary::check(HipStatus status, std::string_view doing) const {
  if (status == HipStatus::success) return ok();
  return Error{ErrorCode::environment, fmt::format("HIP cannot {}: {}", doing, name_of(status))};
}

std::string uuid_of(const HipLibrary& hip, int32_t index) {
  HipUuid uuid{};
  int32_t device = 0;
  if (hip.device_get_uuid == nullptr || hip.device_get(&device, index) != HipStatus::success ||
      hip.device_get_uuid(&uuid, device) != HipStatus::success)
    return fmt::format("hip:{}", index);
  return "GPU-" + quote_untrusted(std::string_view(uuid.bytes, sizeof uuid.bytes), 64);
}

std::string arch_of(const HipLibrary& hip, int32_t index) {
  HipProperties properties{};
  if (hip.get_device_properties == nullptr) return {};
  if (hip.get_device_properties(&properties, index) != HipStatus::success) return {};
  properties.arch[sizeof properties.arch - 1] = '\0';
  return split(properties.arch, ':').front();
}

Result<std::string> version_of(const HipLibrary& hip) {
  int32_t version = 0;
  HONE_CHECK(hip.check(hip.driver_get_version(&version), "say its version"));
  return fmt::format("HIP {}.{}", version / 10'000'000, version % 10'000'000 / 100'000);
}

}  // namespace hone::device::hip
