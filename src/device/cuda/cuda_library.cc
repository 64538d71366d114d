#include "device/cuda/cuda_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/shared_library.h"

namespace hone::device::cuda {

namespace {

using C = CudaLibrary;

constexpr Entry<C> k_entries[] = {
    entry<&C::init>("cuInit"),
    entry<&C::driver_get_version>("cuDriverGetVersion"),
    entry<&C::get_error_name>("cuGetErrorName"),
    entry<&C::get_error_string>("cuGetErrorString"),

    entry<&C::device_get_count>("cuDeviceGetCount"),
    entry<&C::device_get>("cuDeviceGet"),
    entry<&C::device_get_name>("cuDeviceGetName"),
    entry<&C::device_get_uuid>("cuDeviceGetUuid_v2"),
    entry<&C::device_total_mem>("cuDeviceTotalMem_v2"),
    entry<&C::device_get_attribute>("cuDeviceGetAttribute"),

    entry<&C::ctx_create>("cuCtxCreate_v2"),
    entry<&C::ctx_destroy>("cuCtxDestroy_v2"),
    entry<&C::ctx_set_current>("cuCtxSetCurrent"),
    entry<&C::ctx_synchronize>("cuCtxSynchronize"),
    entry<&C::ctx_get_limit>("cuCtxGetLimit"),
    entry<&C::ctx_set_limit>("cuCtxSetLimit"),
    entry<&C::ctx_reset_persisting_l2_cache>("cuCtxResetPersistingL2Cache"),

    entry<&C::module_load_data>("cuModuleLoadData"),
    entry<&C::module_load_data_ex>("cuModuleLoadDataEx"),
    entry<&C::module_unload>("cuModuleUnload"),
    entry<&C::module_get_function>("cuModuleGetFunction"),
    entry<&C::module_get_global>("cuModuleGetGlobal_v2"),

    entry<&C::func_get_attribute>("cuFuncGetAttribute"),
    entry<&C::func_set_attribute>("cuFuncSetAttribute"),
    entry<&C::func_get_param_info>("cuFuncGetParamInfo", Presence::optional),
    entry<&C::func_get_name>("cuFuncGetName", Presence::optional),
    entry<&C::occupancy_max_active_blocks>("cuOccupancyMaxActiveBlocksPerMultiprocessor"),

    entry<&C::mem_get_info>("cuMemGetInfo_v2"),
    entry<&C::mem_alloc>("cuMemAlloc_v2"),
    entry<&C::mem_free>("cuMemFree_v2"),
    entry<&C::memcpy_host_to_device_async>("cuMemcpyHtoDAsync_v2"),
    entry<&C::memcpy_device_to_host_async>("cuMemcpyDtoHAsync_v2"),
    entry<&C::memcpy_device_to_device_async>("cuMemcpyDtoDAsync_v2"),
    entry<&C::memset_d8_async>("cuMemsetD8Async"),
    entry<&C::memset_d32_async>("cuMemsetD32Async"),

    entry<&C::mem_host_alloc>("cuMemHostAlloc"),
    entry<&C::mem_free_host>("cuMemFreeHost"),
    entry<&C::mem_host_register>("cuMemHostRegister_v2"),
    entry<&C::mem_host_unregister>("cuMemHostUnregister"),
    entry<&C::mem_host_get_device_pointer>("cuMemHostGetDevicePointer_v2"),

    entry<&C::mem_get_allocation_granularity>("cuMemGetAllocationGranularity"),
    entry<&C::mem_address_reserve>("cuMemAddressReserve"),
    entry<&C::mem_address_free>("cuMemAddressFree"),
    entry<&C::mem_create>("cuMemCreate"),
    entry<&C::mem_release>("cuMemRelease"),
    entry<&C::mem_map>("cuMemMap"),
    entry<&C::mem_unmap>("cuMemUnmap"),
    entry<&C::mem_set_access>("cuMemSetAccess"),

    entry<&C::stream_create>("cuStreamCreate"),
    entry<&C::stream_destroy>("cuStreamDestroy_v2"),
    entry<&C::stream_synchronize>("cuStreamSynchronize"),
    entry<&C::stream_query>("cuStreamQuery"),

    entry<&C::event_create>("cuEventCreate"),
    entry<&C::event_destroy>("cuEventDestroy_v2"),
    entry<&C::event_record>("cuEventRecord"),
    entry<&C::event_query>("cuEventQuery"),
    entry<&C::event_synchronize>("cuEventSynchronize"),
    entry<&C::event_elapsed_time>("cuEventElapsedTime"),

    entry<&C::launch_kernel>("cuLaunchKernel"),
    entry<&C::launch_kernel_ex>("cuLaunchKernelEx", Presence::optional),
    entry<&C::tensor_map_encode_tiled>("cuTensorMapEncodeTiled", Presence::optional),
};

// What the machine lacks, as opposed to what failed on it.
constexpr CudaStatus k_lacks[] = {
    CudaStatus::out_of_memory, CudaStatus::stub_library,     CudaStatus::needs_newer_driver,
    CudaStatus::no_device,     CudaStatus::not_permitted,    CudaStatus::device_unavailable,
    CudaStatus::not_supported, CudaStatus::system_not_ready, CudaStatus::system_driver_mismatch,
};

ErrorCode code_of(CudaStatus status) {
  return std::ranges::find(k_lacks, status) != std::end(k_lacks) ? ErrorCode::environment : ErrorCode::io;
}

using TextOf = CudaStatus (*)(CudaStatus, const char**);

std::string text_of(TextOf ask, CudaStatus status) {
  const char* text = nullptr;
  if (ask == nullptr || ask(status, &text) != CudaStatus::success || text == nullptr) return "unknown";
  return text;
}

}  // namespace

Result<CudaLibrary> CudaLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file,
           SharedLibrary::open({files, "NVIDIA's driver library",
                                "install NVIDIA's driver (on Debian with non-free: apt-get install nvidia-driver); "
                                "nvidia-smi shows whether it works"}));
  CudaLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<CudaLibrary>(file, k_entries, library));
  return library;
}

std::string CudaLibrary::name_of(CudaStatus status) const {
  return fmt::format("{} ({}): {}", text_of(get_error_name, status), static_cast<uint32_t>(status),
                     text_of(get_error_string, status));
}

Status CudaLibrary::check(CudaStatus status, std::string_view doing) const {
  if (status == CudaStatus::success) return ok();
  return Error{code_of(status), fmt::format("cannot {}: {}", doing, name_of(status))};
}

}  // namespace hone::device::cuda
