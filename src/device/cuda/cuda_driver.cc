#include "device/cuda/cuda_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "device/accelerators.h"
#include "device/launcher/kernel_parameters.h"

namespace hone::device::cuda {

namespace {

using launcher::DeviceFacts;
using launcher::Launch;
using launcher::Memory;
using launcher::Value;
using launcher::View;

struct FaultRow {
  CudaStatus status;
  FaultKind kind;
  const char* words;
};

// What a status of a foreign launch says of its kernel. Any other is the machine's.
constexpr FaultRow k_faults[] = {
    {CudaStatus::illegal_address, FaultKind::crashed, "it touched memory that is not its own"},
    {CudaStatus::misaligned_address, FaultKind::crashed, "it touched a misaligned address"},
    {CudaStatus::invalid_address_space, FaultKind::crashed, "it used an address of another memory space"},
    {CudaStatus::illegal_instruction, FaultKind::crashed, "it executed an illegal instruction"},
    {CudaStatus::hardware_stack_error, FaultKind::crashed, "its stack overflowed"},
    {CudaStatus::invalid_pc, FaultKind::crashed, "it jumped to where no code is"},
    {CudaStatus::assert_failed, FaultKind::crashed, "an assertion of its own failed"},
    {CudaStatus::launch_failed, FaultKind::crashed, "it failed while it ran"},
    {CudaStatus::launch_timeout, FaultKind::timed_out, "the device's watchdog ended it"},
    {CudaStatus::launch_out_of_resources, FaultKind::launch_refused,
     "the device has too few registers or too little shared memory for its launch"},
    {CudaStatus::invalid_value, FaultKind::launch_refused, "the driver refuses the sizes of its launch"},
    {CudaStatus::invalid_cluster_size, FaultKind::launch_refused, "the driver refuses its cluster size"},
    {CudaStatus::cooperative_launch_too_large, FaultKind::launch_refused,
     "the device cannot hold all blocks of its cooperative launch at once"},
    {CudaStatus::not_supported, FaultKind::launch_refused, "the device cannot do what its launch asks for"},
    {CudaStatus::out_of_memory, FaultKind::memory, "the device has too little memory left for it"},
};

// One allocation: physical memory mapped in the middle of a larger reservation; of an exact one there is none.
struct Mapping {
  DeviceAddress reserved = 0;
  uint64_t reserved_bytes = 0;
  DeviceAddress start = 0;
  uint64_t mapped_bytes = 0;
  bool is_of_a_module = false;  // and goes with it
};

class CudaDriver final : public launcher::Driver {
 public:
  CudaDriver(const CudaLibrary& library, launcher::Placing placing) : cuda_(library), placing_(placing) {}
  ~CudaDriver() override {
    if (context_ != nullptr) cuda_.ctx_destroy(context_);  // and all that belongs to it
  }

  Status open(const std::string& uuid);

  const DeviceFacts& facts() const override { return facts_; }
  Result<Memory> allocate(uint64_t size_bytes) override;
  void release(Memory memory) override;
  Status write(const View& to, std::span<const std::byte> bytes) override;
  Status read(const View& from, std::span<std::byte> bytes) override;
  Result<launcher::Module> load(std::string_view binary) override;
  void unload(launcher::Module module) override;
  Result<launcher::Function> function(launcher::Module module, const std::string& name) override;
  Result<View> constant(launcher::Module module, const std::string& name) override;
  Status copy(const View& to, const View& from) override;
  Result<Value> tensor_map(const launcher::TensorMapWords& words, const View& base) override;
  std::optional<Occupancy> occupancy(const Launch& launch) override;
  Status enqueue(const Launch& launch) override { return cuda_.check(start(launch), "start a kernel"); }
  Result<LaunchOutcome> timed(std::span<const Launch> launches, std::span<const Launch> after) override;
  Status finish() override { return cuda_.check(cuda_.stream_synchronize(stream_), "wait for the device"); }

 private:
  Status choose(const std::string& uuid);
  Status read_facts();
  void read_limits();
  int32_t attribute(DeviceAttribute which) const;
  std::optional<int32_t> stated(DeviceAttribute which) const;
  Status map(Mapping& mapping, uint64_t size_bytes);
  Status take(Mapping& mapping, uint64_t size_bytes);
  Result<DeviceAddress> address_of(const View& view) const;
  CudaStatus allow(Function function, const Launch& launch);
  CudaStatus start(const Launch& launch);
  Result<LaunchOutcome> fault_of(CudaStatus status) const;

  const CudaLibrary cuda_;
  const launcher::Placing placing_;
  DeviceOrdinal device_ = 0;
  Context context_ = nullptr;
  Stream stream_ = nullptr;
  static constexpr uint64_t k_pinned_bytes = 1 << 20;
  void* pinned_ = nullptr;
  Event begin_ = nullptr;
  Event end_ = nullptr;
  uint64_t granularity_bytes_ = 2ull << 20;
  DeviceFacts facts_;
  std::map<uint64_t, Mapping> memories_;
  uint64_t next_memory_ = 1;
};

Status CudaDriver::open(const std::string& uuid) {
  HONE_CHECK(cuda_.check(cuda_.init(0), "start the CUDA driver"));
  HONE_CHECK(choose(uuid));
  HONE_CHECK(cuda_.check(cuda_.ctx_create(&context_, k_schedule_spin, device_), "make a context on the device"));
  HONE_CHECK(cuda_.check(cuda_.stream_create(&stream_, k_stream_non_blocking), "make a stream"));
  HONE_CHECK(cuda_.check(cuda_.event_create(&begin_, 0), "make an event"));
  HONE_CHECK(cuda_.check(cuda_.event_create(&end_, 0), "make an event"));
  // No candidate keeps lines in the cache past its launch.
  std::ignore = cuda_.ctx_set_limit(ContextLimit::persisting_l2_bytes, 0);
  if (cuda_.mem_host_alloc(&pinned_, k_pinned_bytes, 0) != CudaStatus::success) pinned_ = nullptr;
  return read_facts();
}

Status CudaDriver::choose(const std::string& uuid) {
  int32_t count = 0;
  HONE_CHECK(cuda_.check(cuda_.device_get_count(&count), "count the devices"));
  for (int32_t i = 0; i < count; ++i) {
    HONE_CHECK(cuda_.check(cuda_.device_get(&device_, i), "look at a device"));
    Uuid found{};
    HONE_CHECK(cuda_.check(cuda_.device_get_uuid(&found, device_), "read a device's uuid"));
    facts_.uuid = "GPU-" + uuid_text(found.bytes);
    if (uuid.empty() || facts_.uuid == uuid) return ok();
  }
  return Error{ErrorCode::environment,
               uuid.empty() ? "there is no CUDA device" : fmt::format("there is no CUDA device {}", uuid),
               {},
               {},
               "`hone doctor` lists the devices"};
}

std::optional<int32_t> CudaDriver::stated(DeviceAttribute which) const {
  int32_t value = 0;
  return cuda_.device_get_attribute(&value, which, device_) == CudaStatus::success ? std::optional(value)
                                                                                   : std::nullopt;
}

int32_t CudaDriver::attribute(DeviceAttribute which) const { return stated(which).value_or(0); }

// How large clusters may be the driver says of kernels alone, and of devices whether they have any.
void CudaDriver::read_limits() {
  using A = DeviceAttribute;
  constexpr std::array k_block = {A::max_block_dim_x, A::max_block_dim_y, A::max_block_dim_z};
  constexpr std::array k_grid = {A::max_grid_dim_x, A::max_grid_dim_y, A::max_grid_dim_z};
  task::LaunchLimits& limits = facts_.limits;
  limits = task::widest_limits(task::Language::cuda);
  launcher::narrow(limits.threads, stated(A::max_threads_per_block));
  for (size_t d = 0; d < k_block.size(); ++d) {
    launcher::narrow(limits.block[d], stated(k_block[d]));
    launcher::narrow(limits.grid[d], stated(k_grid[d]));
  }
  if (stated(A::cluster_launch) == 0) limits.cluster_blocks = 1;
  launcher::narrow(limits.shared_bytes, stated(A::shared_bytes_per_block_opt_in));
}

Status CudaDriver::read_facts() {
  std::array<char, 256> name{};
  size_t memory_bytes = 0;
  int32_t version = 0;
  HONE_CHECK(cuda_.check(cuda_.device_get_name(name.data(), static_cast<int32_t>(name.size()) - 1, device_),
                         "read the device's name"));
  HONE_CHECK(cuda_.check(cuda_.device_total_mem(&memory_bytes, device_), "read the device's memory"));
  HONE_CHECK(cuda_.check(cuda_.driver_get_version(&version), "read the driver's version"));
  facts_.vendor = "nvidia";
  facts_.name = name.data();
  facts_.arch = fmt::format("sm_{}{}", attribute(DeviceAttribute::compute_capability_major),
                            attribute(DeviceAttribute::compute_capability_minor));
  facts_.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  facts_.memory_bytes = memory_bytes;
  facts_.last_cache_bytes = static_cast<uint64_t>(attribute(DeviceAttribute::l2_bytes));
  facts_.shared_bytes = static_cast<uint64_t>(attribute(DeviceAttribute::shared_bytes_per_block_opt_in));
  facts_.multiprocessors = static_cast<uint32_t>(std::max(attribute(DeviceAttribute::multiprocessors), 1));
  read_limits();
  facts_.view_align_bytes = 16;
  facts_.trust = attribute(DeviceAttribute::pageable_memory_access) != 0 ? Trust::host_code : Trust::device_only;
  AllocationProperties properties;
  properties.location = {MemoryLocationType::device, device_};
  size_t granularity = 0;
  if (cuda_.mem_get_allocation_granularity(&granularity, &properties, Granularity::minimum) == CudaStatus::success)
    granularity_bytes_ = std::max<uint64_t>(granularity, 1);
  facts_.allocation_bytes = placing_ == launcher::Placing::exact ? 1 : granularity_bytes_;
  return ok();
}

Status CudaDriver::take(Mapping& mapping, uint64_t size_bytes) {
  mapping.mapped_bytes = std::max<uint64_t>(size_bytes, 1);
  return cuda_.check(cuda_.mem_alloc(&mapping.start, mapping.mapped_bytes), "allocate device memory");
}

// A hole as large as one granule on either side.
Status CudaDriver::map(Mapping& mapping, uint64_t size_bytes) {
  const uint64_t g = granularity_bytes_;
  mapping.mapped_bytes = (std::max<uint64_t>(size_bytes, 1) + g - 1) / g * g;
  mapping.reserved_bytes = mapping.mapped_bytes + 2 * g;
  HONE_CHECK(cuda_.check(cuda_.mem_address_reserve(&mapping.reserved, mapping.reserved_bytes, 0, 0, 0),
                         "reserve device addresses"));
  AllocationProperties properties;
  properties.location = {MemoryLocationType::device, device_};
  MemoryHandle handle = 0;
  HONE_CHECK(cuda_.check(cuda_.mem_create(&handle, mapping.mapped_bytes, &properties, 0), "allocate device memory"));
  const CudaStatus mapped = cuda_.mem_map(mapping.reserved + g, mapping.mapped_bytes, 0, handle, 0);
  cuda_.mem_release(handle);  // the mapping keeps it
  HONE_CHECK(cuda_.check(mapped, "map device memory"));
  mapping.start = mapping.reserved + g;
  const AccessDescription access{properties.location, MemoryAccess::read_write};
  return cuda_.check(cuda_.mem_set_access(mapping.start, mapping.mapped_bytes, &access, 1), "open device memory");
}

Result<Memory> CudaDriver::allocate(uint64_t size_bytes) {
  const Memory memory{next_memory_++};
  Mapping& mapping = memories_[memory.id];
  const Status mapped = placing_ == launcher::Placing::exact ? take(mapping, size_bytes) : map(mapping, size_bytes);
  if (mapped) return memory;
  release(memory);
  return mapped.error();
}

void CudaDriver::release(Memory memory) {
  const auto found = memories_.find(memory.id);
  if (found == memories_.end()) return;
  const Mapping& mapping = found->second;
  const bool is_mapped = mapping.reserved != 0;
  if (mapping.start != 0 && !mapping.is_of_a_module)
    is_mapped ? cuda_.mem_unmap(mapping.start, mapping.mapped_bytes) : cuda_.mem_free(mapping.start);
  if (is_mapped) cuda_.mem_address_free(mapping.reserved, mapping.reserved_bytes);
  memories_.erase(found);
}

Result<DeviceAddress> CudaDriver::address_of(const View& view) const {
  const auto found = memories_.find(view.memory.id);
  if (found == memories_.end() || view.offset_bytes > found->second.mapped_bytes ||
      found->second.mapped_bytes - view.offset_bytes < view.size_bytes)
    return Error{ErrorCode::internal, "no such device memory"};
  return found->second.start + view.offset_bytes;
}

// From pageable memory, which the driver has copied when it returns.
Status CudaDriver::write(const View& to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(const DeviceAddress address, address_of({to.memory, to.offset_bytes, bytes.size()}));
  return cuda_.check(cuda_.memcpy_host_to_device_async(address, bytes.data(), bytes.size(), stream_),
                     "copy to the device");
}

// What is small comes by way of pinned memory, without the driver's own staging.
Status CudaDriver::read(const View& from, std::span<std::byte> bytes) {
  if (bytes.empty()) return ok();
  HONE_TRY(const DeviceAddress address, address_of({from.memory, from.offset_bytes, bytes.size()}));
  const bool small = bytes.size() <= k_pinned_bytes && pinned_ != nullptr;
  HONE_CHECK(
      cuda_.check(cuda_.memcpy_device_to_host_async(small ? pinned_ : bytes.data(), address, bytes.size(), stream_),
                  "copy from the device"));
  HONE_CHECK(finish());
  if (small) std::memcpy(bytes.data(), pinned_, bytes.size());
  return ok();
}

Result<launcher::Module> CudaDriver::load(std::string_view binary) {
  Module module = nullptr;
  HONE_CHECK(cuda_.check(cuda_.module_load_data(&module, binary.data()), "load the module"));
  return launcher::Module{reinterpret_cast<uint64_t>(module)};
}

void CudaDriver::unload(launcher::Module module) { cuda_.module_unload(reinterpret_cast<Module>(module.id)); }

Result<launcher::Function> CudaDriver::function(launcher::Module module, const std::string& name) {
  Function function = nullptr;
  HONE_CHECK(cuda_.check(cuda_.module_get_function(&function, reinterpret_cast<Module>(module.id), name.c_str()),
                         fmt::format("find the kernel '{}'", name)));
  return launcher::Function{reinterpret_cast<uint64_t>(function)};
}

Result<View> CudaDriver::constant(launcher::Module module, const std::string& name) {
  Mapping mapping;
  size_t bytes = 0;
  HONE_CHECK(
      cuda_.check(cuda_.module_get_global(&mapping.start, &bytes, reinterpret_cast<Module>(module.id), name.c_str()),
                  fmt::format("find the constant '{}'", name)));
  mapping.mapped_bytes = bytes;
  mapping.is_of_a_module = true;
  memories_[next_memory_] = mapping;
  return View{{next_memory_++}, 0, bytes};
}

Status CudaDriver::copy(const View& to, const View& from) {
  HONE_TRY(const DeviceAddress destination, address_of(to));
  HONE_TRY(const DeviceAddress source, address_of({from.memory, from.offset_bytes, to.size_bytes}));
  return cuda_.check(cuda_.memcpy_device_to_device_async(destination, source, to.size_bytes, stream_),
                     "copy on the device");
}

// The enums of a contract stand in the order of the driver's.
static_assert(static_cast<uint32_t>(task::TensorElement::tf32_ftz) == static_cast<uint32_t>(TensorDType::tf32_flush));
static_assert(static_cast<uint32_t>(task::Swizzle::bytes_128) == static_cast<uint32_t>(TensorSwizzle::bytes_128));

Result<Value> CudaDriver::tensor_map(const launcher::TensorMapWords& words, const View& base) {
  if (cuda_.tensor_map_encode_tiled == nullptr)
    return Error{ErrorCode::environment, "this CUDA driver encodes no tensor maps; version 12.0 and newer do"};
  if (words.rank == 0 || words.rank > words.size_elements.size())
    return Error{ErrorCode::internal, "a tensor map has 1 to 5 dimensions"};
  HONE_TRY(const DeviceAddress address, address_of(base));
  TensorMap map;
  HONE_CHECK(
      cuda_.check(cuda_.tensor_map_encode_tiled(
                      &map, static_cast<TensorDType>(words.elements), words.rank, reinterpret_cast<void*>(address),
                      words.size_elements.data(), words.stride_bytes.data(), words.box_elements.data(),
                      words.element_strides.data(), static_cast<TensorInterleave>(words.interleave),
                      static_cast<TensorSwizzle>(words.swizzle), static_cast<TensorL2Promotion>(words.l2_promotion),
                      static_cast<TensorOutOfBounds>(words.out_of_bounds)),
                  "encode a tensor map"));
  return Value::of(map);
}

// Above 48 KiB of shared memory and above eight blocks of a cluster a kernel has to be told that it may.
CudaStatus CudaDriver::allow(Function function, const Launch& launch) {
  constexpr uint64_t k_always_allowed_bytes = 48 << 10;
  constexpr uint32_t k_portable_cluster = 8;
  if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > k_portable_cluster) {
    const CudaStatus allowed =
        cuda_.func_set_attribute(function, FunctionAttribute::non_portable_cluster_size_allowed, 1);
    if (allowed != CudaStatus::success) return allowed;
  }
  if (launch.dynamic_shared_bytes <= k_always_allowed_bytes) return CudaStatus::success;
  return cuda_.func_set_attribute(function, FunctionAttribute::max_dynamic_shared_bytes,
                                  static_cast<int32_t>(launch.dynamic_shared_bytes));
}

// Clusters are not looked at: the driver counts their blocks only where no other kernel is.
std::optional<Occupancy> CudaDriver::occupancy(const Launch& launch) {
  const auto function = reinterpret_cast<Function>(launch.function.id);
  int32_t blocks = 0;
  if (allow(function, launch) != CudaStatus::success) return std::nullopt;
  if (cuda_.occupancy_max_active_blocks(&blocks, function, static_cast<int32_t>(launcher::threads_of(launch)),
                                        launch.dynamic_shared_bytes) != CudaStatus::success ||
      blocks < 0)
    return std::nullopt;
  const auto count = [&](DeviceAttribute which) { return static_cast<uint64_t>(std::max(attribute(which), 0)); };
  return occupancy_of(static_cast<uint64_t>(blocks), launcher::threads_of(launch),
                      {count(DeviceAttribute::warp_size), count(DeviceAttribute::threads_per_multiprocessor)});
}

void add_attributes(const Launch& launch, LaunchConfig& config) {
  if (launch.cooperative) {
    config.attributes[config.attribute_count].id = LaunchAttributeId::cooperative;
    config.attributes[config.attribute_count++].value.cooperative = 1;
  }
  if (launch.cluster == std::array<uint32_t, 3>{1, 1, 1}) return;
  config.attributes[config.attribute_count].id = LaunchAttributeId::cluster_dimension;
  config.attributes[config.attribute_count++].value.cluster = {launch.cluster[0], launch.cluster[1], launch.cluster[2]};
}

CudaStatus CudaDriver::start(const Launch& launch) {
  const auto function = reinterpret_cast<Function>(launch.function.id);
  if (const CudaStatus allowed = allow(function, launch); allowed != CudaStatus::success) return allowed;
  launcher::KernelParameters parameters;
  if (!parameters.fill(launch, [this](const View& view) { return address_of(view); })) return CudaStatus::invalid_value;
  std::array<LaunchAttribute, 2> attributes;
  LaunchConfig config;
  config.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  config.block = {launch.block[0], launch.block[1], launch.block[2]};
  config.dynamic_shared_bytes = static_cast<uint32_t>(launch.dynamic_shared_bytes);
  config.stream = stream_;
  config.attributes = attributes.data();
  add_attributes(launch, config);
  if (cuda_.launch_kernel_ex != nullptr) return cuda_.launch_kernel_ex(&config, function, parameters.places(), nullptr);
  if (config.attribute_count > 0) return CudaStatus::not_supported;
  return cuda_.launch_kernel(function, config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y,
                             config.block.z, config.dynamic_shared_bytes, stream_, parameters.places(), nullptr);
}

Result<LaunchOutcome> CudaDriver::fault_of(CudaStatus status) const {
  for (const FaultRow& row : k_faults) {
    if (row.status == status)
      return LaunchOutcome{
          std::nullopt,
          Fault{row.kind, static_cast<int>(status), fmt::format("{} ({})", row.words, cuda_.name_of(status)), {}}};
  }
  return cuda_.check(status, "run a kernel").error();
}

Result<LaunchOutcome> CudaDriver::timed(std::span<const Launch> launches, std::span<const Launch> after) {
  // Queued behind the duties, which are still running: the driver's own work for a launch stays out of its time.
  HONE_CHECK(cuda_.check(cuda_.event_record(begin_, stream_), "mark the start"));
  for (const Launch& launch : launches) {
    if (const CudaStatus status = start(launch); status != CudaStatus::success) return fault_of(status);
  }
  if (const CudaStatus status = cuda_.event_record(end_, stream_); status != CudaStatus::success)
    return fault_of(status);
  for (const Launch& launch : after) {
    if (const CudaStatus status = start(launch); status != CudaStatus::success) return fault_of(status);
  }
  if (const CudaStatus status = cuda_.event_synchronize(end_); status != CudaStatus::success) return fault_of(status);
  float milliseconds = 0;
  HONE_CHECK(cuda_.check(cuda_.event_elapsed_time(&milliseconds, begin_, end_), "read the time"));
  std::ignore = cuda_.ctx_reset_persisting_l2_cache();
  return LaunchOutcome{static_cast<double>(milliseconds) * 1e6, std::nullopt};
}

}  // namespace

Result<std::unique_ptr<launcher::Driver>> open_driver(const CudaLibrary& library, const std::string& uuid,
                                                      launcher::Placing placing) {
  auto driver = std::make_unique<CudaDriver>(library, placing);
  HONE_CHECK(driver->open(uuid));
  return std::unique_ptr<launcher::Driver>(std::move(driver));
}

}  // namespace hone::device::cuda
