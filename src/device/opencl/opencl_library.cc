#include "device/opencl/opencl_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/shared_library.h"

namespace hone::device::opencl {

namespace {

using O = OpenclLibrary;

constexpr Entry<O> k_entries[] = {
    entry<&O::get_platform_ids>("clGetPlatformIDs"),
    entry<&O::get_platform_info>("clGetPlatformInfo"),
    entry<&O::get_device_ids>("clGetDeviceIDs"),
    entry<&O::get_device_info>("clGetDeviceInfo"),

    entry<&O::create_context>("clCreateContext"),
    entry<&O::release_context>("clReleaseContext"),
    entry<&O::create_command_queue>("clCreateCommandQueue"),
    entry<&O::release_command_queue>("clReleaseCommandQueue"),

    entry<&O::create_buffer>("clCreateBuffer"),
    entry<&O::create_sub_buffer>("clCreateSubBuffer"),
    entry<&O::release_mem_object>("clReleaseMemObject"),

    entry<&O::create_program_with_source>("clCreateProgramWithSource"),
    entry<&O::create_program_with_binary>("clCreateProgramWithBinary"),
    entry<&O::build_program>("clBuildProgram"),
    entry<&O::get_program_info>("clGetProgramInfo"),
    entry<&O::get_program_build_info>("clGetProgramBuildInfo"),
    entry<&O::release_program>("clReleaseProgram"),

    entry<&O::create_kernel>("clCreateKernel"),
    entry<&O::set_kernel_arg>("clSetKernelArg"),
    entry<&O::get_kernel_info>("clGetKernelInfo"),
    entry<&O::get_kernel_arg_info>("clGetKernelArgInfo"),
    entry<&O::get_kernel_work_group_info>("clGetKernelWorkGroupInfo"),
    entry<&O::release_kernel>("clReleaseKernel"),

    entry<&O::enqueue_read_buffer>("clEnqueueReadBuffer"),
    entry<&O::enqueue_write_buffer>("clEnqueueWriteBuffer"),
    entry<&O::enqueue_copy_buffer>("clEnqueueCopyBuffer"),
    entry<&O::enqueue_fill_buffer>("clEnqueueFillBuffer"),
    entry<&O::enqueue_nd_range_kernel>("clEnqueueNDRangeKernel"),
    entry<&O::wait_for_events>("clWaitForEvents"),
    entry<&O::get_event_info>("clGetEventInfo"),
    entry<&O::get_event_profiling_info>("clGetEventProfilingInfo"),
    entry<&O::release_event>("clReleaseEvent"),
    entry<&O::flush>("clFlush"),
    entry<&O::finish>("clFinish"),
};

// The two-step question of OpenCL: how long, then the text itself.
template <class Ask>
std::optional<std::string> ask_text(const Ask& ask) {
  size_t size = 0;
  if (ask(size_t{0}, nullptr, &size) != ClStatus::success) return std::nullopt;
  std::string text(size, '\0');
  if (ask(size, text.data(), nullptr) != ClStatus::success) return std::nullopt;
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace

Result<OpenclLibrary> OpenclLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file,
           SharedLibrary::open({files, "the OpenCL loader",
                                "apt-get install ocl-icd-libopencl1, and a platform for it: the GPU's driver, or "
                                "pocl-opencl-icd for the CPU"}));
  OpenclLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<OpenclLibrary>(file, k_entries, library));
  return library;
}

Status OpenclLibrary::check(ClStatus status, std::string_view doing) const {
  if (status == ClStatus::success) return ok();
  return Error{ErrorCode::io,
               fmt::format("OpenCL cannot {}: {} ({})", doing, name_of(status), static_cast<int>(status))};
}

Result<std::vector<Platform>> OpenclLibrary::platforms() const {
  uint32_t count = 0;
  const ClStatus status = get_platform_ids(0, nullptr, &count);
  if (status == ClStatus::platform_not_found || (status == ClStatus::success && count == 0))
    return std::vector<Platform>{};
  HONE_CHECK(check(status, "count its platforms"));
  std::vector<Platform> found(count);
  HONE_CHECK(check(get_platform_ids(count, found.data(), nullptr), "list its platforms"));
  return found;
}

Result<std::vector<Device>> OpenclLibrary::devices(Platform platform, Flags types) const {
  uint32_t count = 0;
  const ClStatus status = get_device_ids(platform, types, 0, nullptr, &count);
  if (status == ClStatus::device_not_found || (status == ClStatus::success && count == 0)) return std::vector<Device>{};
  HONE_CHECK(check(status, "count a platform's devices"));
  std::vector<Device> found(count);
  HONE_CHECK(check(get_device_ids(platform, types, count, found.data(), nullptr), "list a platform's devices"));
  return found;
}

std::optional<std::string> OpenclLibrary::text(Platform platform, PlatformInfo what) const {
  return ask_text(
      [&](size_t room, void* to, size_t* size) { return get_platform_info(platform, what, room, to, size); });
}

std::optional<std::string> OpenclLibrary::text(Device device, DeviceInfo what) const {
  return ask_text([&](size_t room, void* to, size_t* size) { return get_device_info(device, what, room, to, size); });
}

}  // namespace hone::device::opencl
