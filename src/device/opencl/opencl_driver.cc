#include "device/opencl/opencl_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "device/opencl/choose.h"
#include "device/opencl/launch_fault.h"
#include "device/opencl/programs.h"
#include "device/opencl/vendor.h"

namespace hone::device::opencl {

namespace {

using launcher::Argument;
using launcher::DeviceFacts;
using launcher::Launch;
using launcher::LocalBytes;
using launcher::Value;
using launcher::View;

class OpenclDriver final : public launcher::Driver {
 public:
  explicit OpenclDriver(const OpenclLibrary& library) : cl_(library) {}
  ~OpenclDriver() override;

  Status open(const std::string& name);

  const DeviceFacts& facts() const override { return facts_; }
  Result<launcher::Memory> allocate(uint64_t size_bytes) override;
  void release(launcher::Memory memory) override;
  Status write(const View& to, std::span<const std::byte> bytes) override;
  Status read(const View& from, std::span<std::byte> bytes) override;
  Result<launcher::Module> load(std::string_view binary) override;
  void unload(launcher::Module module) override;
  Result<launcher::Function> function(launcher::Module module, const std::string& name) override;
  Status enqueue(const Launch& launch) override { return cl_.check(start(launch, nullptr), "start a kernel"); }
  Result<LaunchOutcome> timed(std::span<const Launch> launches, std::span<const Launch> after) override;
  Status finish() override { return cl_.check(cl_.finish(queue_), "wait for the device"); }

 private:
  struct Buffer {
    Memory memory = nullptr;
    uint64_t size_bytes = 0;
    std::map<std::pair<uint64_t, uint64_t>, Memory> parts;  // by offset and size
  };
  struct Loaded {
    Program program = nullptr;
    std::vector<Kernel> kernels;
  };

  void read_limits();
  Result<Buffer*> find(const View& view);
  Result<Memory> object_of(const View& view);
  ClStatus set_argument(Kernel kernel, uint32_t index, const Argument& argument);
  ClStatus start(const Launch& launch, Event* event);
  Result<LaunchOutcome> fault_of(ClStatus status) const;
  uint64_t time_of(Event event, ProfilingInfo what) const;

  const OpenclLibrary cl_;
  Chosen chosen_;
  Context context_ = nullptr;
  Queue queue_ = nullptr;
  DeviceFacts facts_;
  std::map<uint64_t, Buffer> buffers_;
  std::map<uint64_t, Loaded> modules_;
  uint64_t next_ = 1;
};

OpenclDriver::~OpenclDriver() {
  if (queue_ != nullptr) cl_.finish(queue_);
  while (!modules_.empty()) unload({modules_.begin()->first});
  while (!buffers_.empty()) release({buffers_.begin()->first});
  if (queue_ != nullptr) cl_.release_command_queue(queue_);
  if (context_ != nullptr) cl_.release_context(context_);
}

Status OpenclDriver::open(const std::string& name) {
  HONE_TRY(chosen_, choose_device(cl_, name));
  ClStatus status = ClStatus::success;
  context_ = cl_.create_context(nullptr, 1, &chosen_.device, nullptr, nullptr, &status);
  HONE_CHECK(cl_.check(status, "make a context on the device"));
  queue_ = cl_.create_command_queue(context_, chosen_.device, k_queue_profiling, &status);
  HONE_CHECK(cl_.check(status, "make a queue"));
  const Device device = chosen_.device;
  const Flags type = cl_.value<Flags>(device, DeviceInfo::type).value_or(0);
  facts_.vendor = vendor_of(cl_.text(device, DeviceInfo::vendor).value_or(""), type);
  facts_.name = cl_.text(device, DeviceInfo::name).value_or("");
  facts_.uuid = chosen_.name;
  facts_.arch = cl_.text(device, DeviceInfo::version).value_or("");
  facts_.driver = cl_.text(device, DeviceInfo::driver_version).value_or("");
  facts_.memory_bytes = cl_.value<uint64_t>(device, DeviceInfo::memory_bytes).value_or(0);
  // What a GPU calls its cache may be another than the one that all of it shares.
  if ((type & k_device_gpu) == 0)
    facts_.last_cache_bytes = cl_.value<uint64_t>(device, DeviceInfo::cache_bytes).value_or(0);
  facts_.shared_bytes = cl_.value<uint64_t>(device, DeviceInfo::local_bytes).value_or(0);
  facts_.multiprocessors = std::max(cl_.value<uint32_t>(device, DeviceInfo::compute_units).value_or(1), 1u);
  read_limits();
  facts_.view_align_bytes =
      std::max(cl_.value<uint32_t>(device, DeviceInfo::address_align_bits).value_or(2048) / 8, 16u);
  facts_.trust = (type & k_device_gpu) != 0 ? Trust::device_only : Trust::host_code;
  return ok();
}

// OpenCL names no limit of a grid. A device of other than three dimensions does not answer for its work-items.
void OpenclDriver::read_limits() {
  const Device device = chosen_.device;
  task::LaunchLimits& limits = facts_.limits;
  limits = task::widest_limits(task::Language::opencl);
  launcher::narrow(limits.threads, cl_.value<size_t>(device, DeviceInfo::work_group_size));
  const auto items = cl_.value<std::array<size_t, 3>>(device, DeviceInfo::work_item_sizes);
  for (size_t d = 0; items && d < items->size(); ++d) launcher::narrow(limits.block[d], std::optional((*items)[d]));
  launcher::narrow(limits.shared_bytes, cl_.value<uint64_t>(device, DeviceInfo::local_bytes));
}

Result<launcher::Memory> OpenclDriver::allocate(uint64_t size_bytes) {
  ClStatus status = ClStatus::success;
  const uint64_t size = std::max<uint64_t>(size_bytes, 1);
  const Memory memory = cl_.create_buffer(context_, k_mem_read_write, size, nullptr, &status);
  HONE_CHECK(cl_.check(status, "allocate device memory"));
  buffers_[next_] = {memory, size, {}};
  return launcher::Memory{next_++};
}

void OpenclDriver::release(launcher::Memory memory) {
  const auto found = buffers_.find(memory.id);
  if (found == buffers_.end()) return;
  for (const auto& part : found->second.parts) cl_.release_mem_object(part.second);
  cl_.release_mem_object(found->second.memory);
  buffers_.erase(found);
}

Result<OpenclDriver::Buffer*> OpenclDriver::find(const View& view) {
  const auto found = buffers_.find(view.memory.id);
  if (found == buffers_.end() || view.offset_bytes > found->second.size_bytes ||
      found->second.size_bytes - view.offset_bytes < view.size_bytes)
    return Error{ErrorCode::internal, "no such device memory"};
  return &found->second;
}

// The whole buffer from its start, else a part of it, made once.
Result<Memory> OpenclDriver::object_of(const View& view) {
  HONE_TRY(Buffer* const buffer, find(view));
  if (view.offset_bytes == 0) return buffer->memory;
  const auto [place, is_new] = buffer->parts.try_emplace({view.offset_bytes, view.size_bytes}, nullptr);
  if (!is_new) return place->second;
  const BufferRegion region{view.offset_bytes, std::max<uint64_t>(view.size_bytes, 1)};
  ClStatus status = ClStatus::success;
  place->second = cl_.create_sub_buffer(buffer->memory, k_mem_read_write, k_buffer_region, &region, &status);
  if (auto made = cl_.check(status, "name a part of a buffer"); !made) {
    buffer->parts.erase(place);
    return made.error();
  }
  return place->second;
}

Status OpenclDriver::write(const View& to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(Buffer* const buffer, find({to.memory, to.offset_bytes, bytes.size()}));
  return cl_.check(cl_.enqueue_write_buffer(queue_, buffer->memory, Bool::yes, to.offset_bytes, bytes.size(),
                                            bytes.data(), 0, nullptr, nullptr),
                   "copy to the device");
}

Status OpenclDriver::read(const View& from, std::span<std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(Buffer* const buffer, find({from.memory, from.offset_bytes, bytes.size()}));
  return cl_.check(cl_.enqueue_read_buffer(queue_, buffer->memory, Bool::yes, from.offset_bytes, bytes.size(),
                                           bytes.data(), 0, nullptr, nullptr),
                   "copy from the device");
}

Result<launcher::Module> OpenclDriver::load(std::string_view binary) {
  HONE_TRY(const Program program, program_of(cl_, context_, chosen_.device, binary));
  modules_[next_] = {program, {}};
  return launcher::Module{next_++};
}

void OpenclDriver::unload(launcher::Module module) {
  const auto found = modules_.find(module.id);
  if (found == modules_.end()) return;
  for (const Kernel kernel : found->second.kernels) cl_.release_kernel(kernel);
  cl_.release_program(found->second.program);
  modules_.erase(found);
}

Result<launcher::Function> OpenclDriver::function(launcher::Module module, const std::string& name) {
  const auto found = modules_.find(module.id);
  if (found == modules_.end()) return Error{ErrorCode::internal, "no such module"};
  ClStatus status = ClStatus::success;
  const Kernel kernel = cl_.create_kernel(found->second.program, name.c_str(), &status);
  HONE_CHECK(cl_.check(status, fmt::format("find the kernel '{}'", name)));
  found->second.kernels.push_back(kernel);
  return launcher::Function{reinterpret_cast<uint64_t>(kernel)};
}

ClStatus OpenclDriver::set_argument(Kernel kernel, uint32_t index, const Argument& argument) {
  if (const auto* value = std::get_if<Value>(&argument))
    return cl_.set_kernel_arg(kernel, index, value->size_bytes, value->bytes.data());
  if (const auto* local = std::get_if<LocalBytes>(&argument))
    return cl_.set_kernel_arg(kernel, index, local->size_bytes, nullptr);
  const auto object = object_of(std::get<View>(argument));
  if (!object) return ClStatus::invalid_mem_object;
  const Memory memory = *object;
  return cl_.set_kernel_arg(kernel, index, sizeof(Memory), &memory);
}

ClStatus OpenclDriver::start(const Launch& launch, Event* event) {
  const auto kernel = reinterpret_cast<Kernel>(launch.function.id);
  for (uint32_t i = 0; i < launch.arguments.size(); ++i) {
    if (const ClStatus set = set_argument(kernel, i, launch.arguments[i]); set != ClStatus::success) return set;
  }
  std::array<size_t, 3> global{};
  std::array<size_t, 3> local{};
  for (size_t d = 0; d < 3; ++d) {
    local[d] = launch.block[d];
    global[d] = static_cast<size_t>(launch.grid[d]) * launch.block[d];
  }
  return cl_.enqueue_nd_range_kernel(queue_, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr, event);
}

// The machine's own failures are errors.
Result<LaunchOutcome> OpenclDriver::fault_of(ClStatus status) const {
  if (auto fault = fault_of_launch(status)) return LaunchOutcome{std::nullopt, std::move(fault)};
  return cl_.check(status, "run a kernel").error();
}

uint64_t OpenclDriver::time_of(Event event, ProfilingInfo what) const {
  uint64_t time = 0;
  cl_.get_event_profiling_info(event, what, sizeof time, &time, nullptr);
  return time;
}

// From the start of the first kernel to the end of the last. The duties are waited for first: a queue may run ahead.
Result<LaunchOutcome> OpenclDriver::timed(std::span<const Launch> launches, std::span<const Launch> after) {
  HONE_CHECK(finish());
  std::vector<Event> events(launches.size(), nullptr);
  ClStatus status = ClStatus::success;
  for (size_t i = 0; i < launches.size() && status == ClStatus::success; ++i) status = start(launches[i], &events[i]);
  if (status == ClStatus::success) status = cl_.finish(queue_);
  for (const Event event : events) {
    int32_t state = k_event_complete;
    if (event != nullptr) cl_.get_event_info(event, EventInfo::execution_status, sizeof state, &state, nullptr);
    if (status == ClStatus::success && state < 0) status = ClStatus::exec_status_error_for_events;
  }
  const bool ran = status == ClStatus::success && !events.empty();
  const uint64_t begin = ran ? time_of(events.front(), ProfilingInfo::start) : 0;
  const uint64_t end = ran ? time_of(events.back(), ProfilingInfo::end) : 0;
  for (const Event event : events) {
    if (event != nullptr) cl_.release_event(event);
  }
  if (status != ClStatus::success) return fault_of(status);
  for (const Launch& launch : after) HONE_CHECK(enqueue(launch));
  return LaunchOutcome{static_cast<double>(end - begin), std::nullopt};
}

}  // namespace

Result<std::unique_ptr<launcher::Driver>> open_driver(const OpenclLibrary& library, const std::string& name) {
  auto driver = std::make_unique<OpenclDriver>(library);
  HONE_CHECK(driver->open(name));
  return std::unique_ptr<launcher::Driver>(std::move(driver));
}

}  // namespace hone::device::opencl
