// OpenclLibrary: the functions of OpenCL 1.2 that hone calls, found at run time in the loader library, which in turn
// loads every vendor's driver that is listed on the machine. A member is named like its function without "cl". Sizes
// are bytes.
//
// Ownership: plain pointers into a library that stays loaded; objects are released with the release_ function of their
// kind. Failure: `open` answers environment with what to type; `check` names a status. It must not be opened in a
// process that has to survive a broken driver (device/accelerators.h asks a child).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "device/opencl/opencl_types.h"

namespace hone::device::opencl {

struct OpenclLibrary {
  static Result<OpenclLibrary> open(const std::vector<std::string>& files = {"libOpenCL.so.1"});

  // `doing` goes after "cannot": "build the program".
  Status check(ClStatus status, std::string_view doing) const;

  Result<std::vector<Platform>> platforms() const;  // empty where none is installed
  Result<std::vector<Device>> devices(Platform platform, Flags types = k_device_all) const;
  // Absent where the driver does not answer.
  std::optional<std::string> text(Platform platform, PlatformInfo what) const;
  std::optional<std::string> text(Device device, DeviceInfo what) const;
  template <class T>
  std::optional<T> value(Device device, DeviceInfo what) const;

  std::string path;

  ClStatus (*get_platform_ids)(uint32_t room, Platform* platforms, uint32_t* count) = nullptr;
  ClStatus (*get_platform_info)(Platform platform, PlatformInfo what, size_t room, void* value, size_t* size) = nullptr;
  ClStatus (*get_device_ids)(Platform platform, Flags types, uint32_t room, Device* devices, uint32_t* count) = nullptr;
  ClStatus (*get_device_info)(Device device, DeviceInfo what, size_t room, void* value, size_t* size) = nullptr;

  using ContextNotice = void (*)(const char* error, const void* data, size_t size, void* user);
  Context (*create_context)(const Property* properties, uint32_t count, const Device* devices, ContextNotice notice,
                            void* user, ClStatus* status) = nullptr;
  ClStatus (*release_context)(Context context) = nullptr;
  Queue (*create_command_queue)(Context context, Device device, Flags properties, ClStatus* status) = nullptr;
  ClStatus (*release_command_queue)(Queue queue) = nullptr;

  Memory (*create_buffer)(Context context, Flags flags, size_t size, void* host, ClStatus* status) = nullptr;
  Memory (*create_sub_buffer)(Memory buffer, Flags flags, uint32_t type, const void* region,
                              ClStatus* status) = nullptr;
  ClStatus (*release_mem_object)(Memory memory) = nullptr;

  Program (*create_program_with_source)(Context context, uint32_t count, const char** texts, const size_t* sizes,
                                        ClStatus* status) = nullptr;
  Program (*create_program_with_binary)(Context context, uint32_t count, const Device* devices, const size_t* sizes,
                                        const unsigned char** binaries, ClStatus* each, ClStatus* status) = nullptr;
  using BuildNotice = void (*)(Program program, void* user);
  ClStatus (*build_program)(Program program, uint32_t count, const Device* devices, const char* options,
                            BuildNotice notice, void* user) = nullptr;
  ClStatus (*get_program_info)(Program program, ProgramInfo what, size_t room, void* value, size_t* size) = nullptr;
  ClStatus (*get_program_build_info)(Program program, Device device, BuildInfo what, size_t room, void* value,
                                     size_t* size) = nullptr;
  ClStatus (*release_program)(Program program) = nullptr;

  Kernel (*create_kernel)(Program program, const char* name, ClStatus* status) = nullptr;
  ClStatus (*set_kernel_arg)(Kernel kernel, uint32_t index, size_t size, const void* value) = nullptr;
  ClStatus (*get_kernel_info)(Kernel kernel, KernelInfo what, size_t room, void* value, size_t* size) = nullptr;
  // Needs a program that was built from source with -cl-kernel-arg-info.
  ClStatus (*get_kernel_arg_info)(Kernel kernel, uint32_t index, KernelArgInfo what, size_t room, void* value,
                                  size_t* size) = nullptr;
  ClStatus (*get_kernel_work_group_info)(Kernel kernel, Device device, WorkGroupInfo what, size_t room, void* value,
                                         size_t* size) = nullptr;
  ClStatus (*release_kernel)(Kernel kernel) = nullptr;

  // Of all: the events to wait for, and the one to hand back (nullptr: none).
  ClStatus (*enqueue_read_buffer)(Queue queue, Memory from, Bool blocking, size_t offset, size_t size, void* to,
                                  uint32_t wait_count, const Event* waits, Event* event) = nullptr;
  ClStatus (*enqueue_write_buffer)(Queue queue, Memory to, Bool blocking, size_t offset, size_t size, const void* from,
                                   uint32_t wait_count, const Event* waits, Event* event) = nullptr;
  ClStatus (*enqueue_copy_buffer)(Queue queue, Memory from, Memory to, size_t from_offset, size_t to_offset,
                                  size_t size, uint32_t wait_count, const Event* waits, Event* event) = nullptr;
  ClStatus (*enqueue_fill_buffer)(Queue queue, Memory to, const void* pattern, size_t pattern_size, size_t offset,
                                  size_t size, uint32_t wait_count, const Event* waits, Event* event) = nullptr;
  ClStatus (*enqueue_nd_range_kernel)(Queue queue, Kernel kernel, uint32_t dimensions, const size_t* offset,
                                      const size_t* global, const size_t* local, uint32_t wait_count,
                                      const Event* waits, Event* event) = nullptr;
  ClStatus (*wait_for_events)(uint32_t count, const Event* events) = nullptr;
  ClStatus (*get_event_info)(Event event, EventInfo what, size_t room, void* value, size_t* size) = nullptr;
  ClStatus (*get_event_profiling_info)(Event event, ProfilingInfo what, size_t room, void* value,
                                       size_t* size) = nullptr;
  ClStatus (*release_event)(Event event) = nullptr;
  ClStatus (*flush)(Queue queue) = nullptr;
  ClStatus (*finish)(Queue queue) = nullptr;
};

template <class T>
std::optional<T> OpenclLibrary::value(Device device, DeviceInfo what) const {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  size_t size = 0;
  const ClStatus status = get_device_info(device, what, sizeof value, &value, &size);
  return status == ClStatus::success && size == sizeof value ? std::optional<T>(value) : std::nullopt;
}

}  // namespace hone::device::opencl
