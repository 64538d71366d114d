#include "device/hip/hip_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "device/hip/hip_memory.h"
#include "device/launcher/kernel_parameters.h"

namespace hone::device::hip {

namespace {

using launcher::DeviceFacts;
using launcher::Launch;
using launcher::Memory;
using launcher::View;

struct FaultRow {
  HipStatus status;
  FaultKind kind;
  const char* words;
};

// What a status of a foreign launch says of its kernel. Any other is the machine's.
constexpr FaultRow k_faults[] = {
    {HipStatus::illegal_address, FaultKind::crashed, "it touched memory that is not its own"},
    {HipStatus::assert_failed, FaultKind::crashed, "an assertion of its own failed"},
    {HipStatus::launch_failed, FaultKind::crashed, "it failed while it ran"},
    {HipStatus::launch_timeout, FaultKind::timed_out, "the device's watchdog ended it"},
    {HipStatus::launch_out_of_resources, FaultKind::launch_refused,
     "the device has too few registers or too little shared memory for its launch"},
    {HipStatus::invalid_value, FaultKind::launch_refused, "the run time refuses the sizes of its launch"},
    {HipStatus::invalid_configuration, FaultKind::launch_refused, "the run time refuses the sizes of its launch"},
    {HipStatus::cooperative_launch_too_large, FaultKind::launch_refused,
     "the device cannot hold all blocks of its cooperative launch at once"},
    {HipStatus::not_supported, FaultKind::launch_refused, "the device cannot do what its launch asks for"},
    {HipStatus::out_of_memory, FaultKind::memory, "the device has too little memory left for it"},
};

class HipDriver final : public launcher::Driver {
 public:
  explicit HipDriver(const HipLibrary& library) : hip_(library) {}
  ~HipDriver() override {
    if (memory_) std::ignore = hip_.device_reset();  // and all that is on it
  }

  Status open(const std::string& uuid);

  const DeviceFacts& facts() const override { return facts_; }
  Result<Memory> allocate(uint64_t size_bytes) override { return memory_->allocate(size_bytes); }
  void release(Memory memory) override { memory_->release(memory); }
  Status write(const View& to, std::span<const std::byte> bytes) override;
  Status read(const View& from, std::span<std::byte> bytes) override;
  Result<launcher::Module> load(std::string_view binary) override;
  void unload(launcher::Module module) override;
  Result<launcher::Function> function(launcher::Module module, const std::string& name) override;
  std::optional<Occupancy> occupancy(const Launch& launch) override;
  Status enqueue(const Launch& launch) override { return hip_.check(start(launch), "start a kernel"); }
  Result<LaunchOutcome> timed(std::span<const Launch> launches, std::span<const Launch> after) override;
  Status finish() override { return hip_.check(hip_.stream_synchronize(stream_), "wait for the device"); }

 private:
  Result<int32_t> choose(const std::string& uuid) const;
  Status make_queue();
  Status read_facts();
  void read_limits();
  int32_t attribute(HipAttribute which) const;
  std::optional<int32_t> stated(HipAttribute which) const;
  HipStatus start(const Launch& launch);
  HipStatus start_all(std::span<const Launch> launches);
  Result<LaunchOutcome> fault_of(HipStatus status) const;

  const HipLibrary hip_;
  int32_t device_ = 0;
  std::optional<HipMemory> memory_;  // from when the device was chosen
  Stream stream_ = nullptr;
  static constexpr uint64_t k_pinned_bytes = 1 << 20;
  void* pinned_ = nullptr;
  Event begin_ = nullptr;
  Event end_ = nullptr;
  DeviceFacts facts_;
};

Status HipDriver::open(const std::string& uuid) {
  HONE_CHECK(hip_.check(hip_.init(0), "start"));
  HONE_TRY(device_, choose(uuid));
  HONE_CHECK(hip_.check(hip_.set_device(device_), "open the device"));
  std::ignore = hip_.set_device_flags(k_schedule_spin);
  memory_.emplace(hip_, device_);
  HONE_CHECK(make_queue());
  return read_facts();
}

Result<int32_t> HipDriver::choose(const std::string& uuid) const {
  int32_t count = 0;
  HONE_CHECK(hip_.check(hip_.get_device_count(&count), "count the devices"));
  for (int32_t i = 0; i < count; ++i) {
    if (uuid.empty() || uuid_of(hip_, i) == uuid) return i;
  }
  return Error{ErrorCode::environment,
               uuid.empty() ? "there is no HIP device" : fmt::format("there is no HIP device {}", uuid),
               {},
               {},
               "`hone doctor` lists the devices"};
}

Status HipDriver::make_queue() {
  HONE_CHECK(hip_.check(hip_.stream_create(&stream_, k_stream_non_blocking), "make a stream"));
  HONE_CHECK(hip_.check(hip_.event_create(&begin_, 0), "make an event"));
  HONE_CHECK(hip_.check(hip_.event_create(&end_, 0), "make an event"));
  if (hip_.host_malloc(&pinned_, k_pinned_bytes, 0) != HipStatus::success) pinned_ = nullptr;
  return ok();
}

std::optional<int32_t> HipDriver::stated(HipAttribute which) const {
  int32_t value = 0;
  return hip_.device_get_attribute(&value, which, device_) == HipStatus::success ? std::optional(value) : std::nullopt;
}

int32_t HipDriver::attribute(HipAttribute which) const { return stated(which).value_or(0); }

// No kernel has to ask for the last of the shared memory, as it does with CUDA.
void HipDriver::read_limits() {
  using A = HipAttribute;
  constexpr std::array k_block = {A::max_block_dim_x, A::max_block_dim_y, A::max_block_dim_z};
  constexpr std::array k_grid = {A::max_grid_dim_x, A::max_grid_dim_y, A::max_grid_dim_z};
  task::LaunchLimits& limits = facts_.limits;
  limits = task::widest_limits(task::Language::hip);
  launcher::narrow(limits.threads, stated(A::max_threads_per_block));
  for (size_t d = 0; d < k_block.size(); ++d) {
    launcher::narrow(limits.block[d], stated(k_block[d]));
    launcher::narrow(limits.grid[d], stated(k_grid[d]));
  }
  launcher::narrow(limits.shared_bytes, stated(A::shared_bytes_per_block));
}

// How much all caches hold stays unknown: the run time tells of one die's L2, and of the Infinity Cache behind it
// (256 MiB on an MI300X) nothing. The duties then read as much as no device's caches hold.
Status HipDriver::read_facts() {
  std::array<char, 256> name{};
  size_t memory_bytes = 0;
  HONE_CHECK(hip_.check(hip_.device_get_name(name.data(), static_cast<int32_t>(name.size()) - 1, device_),
                        "read the device's name"));
  HONE_CHECK(hip_.check(hip_.device_total_mem(&memory_bytes, device_), "read the device's memory"));
  HONE_TRY(facts_.driver, version_of(hip_));
  facts_.vendor = "amd";
  facts_.name = name.data();
  facts_.uuid = uuid_of(hip_, device_);
  facts_.arch = arch_of(hip_, device_);
  if (facts_.arch.empty())
    return Error{ErrorCode::environment,
                 fmt::format("{} does not say for which architecture kernels are to be compiled", facts_.driver),
                 {},
                 "it is older than HIP 6",
                 "install ROCm 6 or newer"};
  facts_.memory_bytes = memory_bytes;
  facts_.shared_bytes = static_cast<uint64_t>(attribute(HipAttribute::shared_bytes_per_block));
  facts_.multiprocessors = static_cast<uint32_t>(std::max(attribute(HipAttribute::multiprocessors), 1));
  read_limits();
  facts_.allocation_bytes = memory_->granularity_bytes();
  facts_.view_align_bytes = 16;
  facts_.trust = attribute(HipAttribute::pageable_memory_access) != 0 ? Trust::host_code : Trust::device_only;
  return ok();
}

// From pageable memory, which the run time has copied when it returns.
Status HipDriver::write(const View& to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(const DeviceAddress address, memory_->address_of({to.memory, to.offset_bytes, bytes.size()}));
  return hip_.check(hip_.memcpy_host_to_device_async(address, bytes.data(), bytes.size(), stream_),
                    "copy to the device");
}

// What is small comes by way of pinned memory, without the run time's own staging.
Status HipDriver::read(const View& from, std::span<std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(const DeviceAddress address, memory_->address_of({from.memory, from.offset_bytes, bytes.size()}));
  const bool small = bytes.size() <= k_pinned_bytes && pinned_ != nullptr;
  HONE_CHECK(
      hip_.check(hip_.memcpy_device_to_host_async(small ? pinned_ : bytes.data(), address, bytes.size(), stream_),
                 "copy from the device"));
  HONE_CHECK(finish());
  if (small) std::memcpy(bytes.data(), pinned_, bytes.size());
  return ok();
}

Result<launcher::Module> HipDriver::load(std::string_view binary) {
  Module module = nullptr;
  HONE_CHECK(hip_.check(hip_.module_load_data(&module, binary.data()), "load the module"));
  return launcher::Module{reinterpret_cast<uint64_t>(module)};
}

void HipDriver::unload(launcher::Module module) {
  std::ignore = hip_.module_unload(reinterpret_cast<Module>(module.id));
}

Result<launcher::Function> HipDriver::function(launcher::Module module, const std::string& name) {
  Function function = nullptr;
  HONE_CHECK(hip_.check(hip_.module_get_function(&function, reinterpret_cast<Module>(module.id), name.c_str()),
                        fmt::format("find the kernel '{}'", name)));
  return launcher::Function{reinterpret_cast<uint64_t>(function)};
}

std::optional<Occupancy> HipDriver::occupancy(const Launch& launch) {
  const auto function = reinterpret_cast<Function>(launch.function.id);
  int32_t blocks = 0;
  if (hip_.occupancy_max_active_blocks == nullptr) return std::nullopt;
  if (hip_.occupancy_max_active_blocks(&blocks, function, static_cast<int32_t>(launcher::threads_of(launch)),
                                       launch.dynamic_shared_bytes) != HipStatus::success ||
      blocks < 0)
    return std::nullopt;
  const auto count = [&](HipAttribute which) { return static_cast<uint64_t>(std::max(attribute(which), 0)); };
  return occupancy_of(static_cast<uint64_t>(blocks), launcher::threads_of(launch),
                      {count(HipAttribute::warp_size), count(HipAttribute::threads_per_multiprocessor)});
}

// No AMD device has clusters.
HipStatus HipDriver::start(const Launch& launch) {
  if (launch.cluster != std::array<uint32_t, 3>{1, 1, 1}) return HipStatus::not_supported;
  launcher::KernelParameters parameters;
  if (!parameters.fill(launch, [this](const View& view) { return memory_->address_of(view); }))
    return HipStatus::invalid_value;
  const auto function = reinterpret_cast<Function>(launch.function.id);
  const auto& [grid, block] = std::tie(launch.grid, launch.block);
  const auto shared_bytes = static_cast<uint32_t>(launch.dynamic_shared_bytes);
  if (!launch.cooperative)
    return hip_.launch_kernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, stream_,
                              parameters.places(), nullptr);
  if (hip_.launch_cooperative_kernel == nullptr) return HipStatus::not_supported;
  return hip_.launch_cooperative_kernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes,
                                        stream_, parameters.places());
}

HipStatus HipDriver::start_all(std::span<const Launch> launches) {
  for (const Launch& launch : launches) {
    if (const HipStatus status = start(launch); status != HipStatus::success) return status;
  }
  return HipStatus::success;
}

Result<LaunchOutcome> HipDriver::fault_of(HipStatus status) const {
  for (const FaultRow& row : k_faults) {
    if (row.status == status)
      return LaunchOutcome{
          std::nullopt,
          Fault{row.kind, static_cast<int>(status), fmt::format("{} ({})", row.words, hip_.name_of(status)), {}}};
  }
  return hip_.check(status, "run a kernel").error();
}

Result<LaunchOutcome> HipDriver::timed(std::span<const Launch> launches, std::span<const Launch> after) {
  // Queued behind the duties, which are still running: the run time's own work for a launch stays out of its time.
  HONE_CHECK(hip_.check(hip_.event_record(begin_, stream_), "mark the start"));
  HipStatus status = start_all(launches);
  if (status == HipStatus::success) status = hip_.event_record(end_, stream_);
  if (status == HipStatus::success) status = start_all(after);
  if (status == HipStatus::success) status = hip_.event_synchronize(end_);
  if (status != HipStatus::success) return fault_of(status);
  float milliseconds = 0;
  HONE_CHECK(hip_.check(hip_.event_elapsed_time(&milliseconds, begin_, end_), "read the time"));
  return LaunchOutcome{static_cast<double>(milliseconds) * 1e6, std::nullopt};
}

}  // namespace

Result<std::unique_ptr<launcher::Driver>> open_driver(const HipLibrary& library, const std::string& uuid) {
  auto driver = std::make_unique<HipDriver>(library);
  HONE_CHECK(driver->open(uuid));
  return std::unique_ptr<launcher::Driver>(std::move(driver));
}

}  // namespace hone::device::hip
