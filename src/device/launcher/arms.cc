#include "device/launcher/arms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hone::device::launcher {

namespace {

// On either side of a payload at least: all of its allocation that it leaves is guarded, so that nothing can be kept
// there.
constexpr uint64_t k_guard_bytes = 4096;
// A payload begins at a random multiple of its argument's alignment up to this, another one in every launch, unless it
// is to lie where it lay in the launch before.
constexpr uint64_t k_offset_span_bytes = 64 << 10;
// What a scrubbed output holds: a quiet NaN in every floating type, and no plausible result in any other.
constexpr uint64_t k_scrub_pattern = ~0ull;
constexpr uint32_t k_most_window_launches = 10'000;

uint64_t rounded_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

View LoadedArms::payload_of(const Buffer& buffer) const {
  return {buffer.memory, buffer.payload_offset, buffer.payload_bytes};
}
Zones LoadedArms::zones_of(const Buffer& buffer) const {
  return {buffer.memory,          buffer.payload_offset, buffer.payload_bytes,
          buffer.allocated_bytes, buffer.guard_before,   buffer.guard_after};
}

Result<LoadedArms::Set*> LoadedArms::find(uint32_t arm, uint32_t set) {
  const auto found = arms_.find(arm);
  if (found == arms_.end() || set >= found->second.sets.size())
    return Error{ErrorCode::internal, fmt::format("no set {} of an arm {} is loaded", set, arm)};
  return &found->second.sets[set];
}

// Content comes to another place than the last time, unless the same set is filled twice in a row: then it is asked for
// at the same addresses.
Result<LoadedArms::Set*> LoadedArms::find_to_fill(uint32_t arm, uint32_t set) {
  HONE_TRY(Set* const found, find(arm, set));
  Arm& owner = arms_[arm];
  if (std::exchange(owner.last_set, set) == set) return found;
  for (size_t p = 0; p < found->buffers.size(); ++p) {
    if (owner.parameters[p].kind == ParameterKind::buffer)
      found->buffers[p].payload_offset = drawn_offset(owner, owner.parameters[p]);
  }
  return found;
}

uint64_t LoadedArms::drawn_offset(Arm& arm, const ParameterRecord& parameter) const {
  if (placing_ == Placing::exact) return 0;
  const uint64_t align = alignment(parameter);
  return rounded_up(k_guard_bytes, align) + align * (arm.dice() % (k_offset_span_bytes / align + 1));
}

uint64_t LoadedArms::alignment(const ParameterRecord& parameter) const {
  return std::max({parameter.align_bytes, driver_.facts().view_align_bytes, uint64_t{16}});
}

uint64_t LoadedArms::room_for(const ParameterRecord& parameter) const {
  if (placing_ == Placing::exact) return parameter.capacity_bytes;
  const uint64_t before = rounded_up(k_guard_bytes, alignment(parameter)) + k_offset_span_bytes;
  return rounded_up(before + rounded_up(parameter.capacity_bytes, 16) + k_guard_bytes,
                    driver_.facts().allocation_bytes);
}

// Allocations of all sets in a secret order, each with room for every place that its payload may come to.
Status LoadedArms::allocate(Arm& arm, const LoadOrder& order) {
  std::vector<Place> places;
  for (uint32_t set = 0; set < order.sets; ++set) {
    for (uint32_t p = 0; p < order.parameters.size(); ++p) {
      if (order.parameters[p].kind == ParameterKind::buffer) places.push_back({set, p});
    }
  }
  arm.dice.seed(order.layout_seed);
  std::shuffle(places.begin(), places.end(), arm.dice);
  for (const Place& place : places) {
    const ParameterRecord& parameter = order.parameters[place.parameter];
    Buffer& buffer = arm.sets[place.set].buffers[place.parameter];
    buffer.allocated_bytes = room_for(parameter);
    HONE_TRY(buffer.memory, driver_.allocate(buffer.allocated_bytes));
  }
  return ok();
}

Result<LoadedArms::Loaded> LoadedArms::load(const LoadOrder& order) {
  if (order.parameters.size() > k_most_parameters || order.sets > k_most_sets)
    return Error{ErrorCode::internal, "an arm has at most 64 parameters and 64 sets"};
  Arm arm;
  arm.parameters = order.parameters;
  const auto module = driver_.load(order.binary);
  if (!module) return Loaded{0, Fault{FaultKind::load_failed, 0, module.error().what, {}}};
  arm.module = *module;
  HONE_TRY(std::optional<Fault> missing, find_entries(arm, order));
  if (missing) {
    release(arm);
    return Loaded{0, std::move(missing)};
  }
  arm.sets.resize(order.sets);
  for (Set& set : arm.sets) set.buffers.resize(order.parameters.size());
  if (const Status allocated = allocate(arm, order); !allocated) {
    release(arm);
    return allocated.error();
  }
  const uint32_t number = next_arm_++;
  arms_.emplace(number, std::move(arm));
  return Loaded{number, std::nullopt};
}

// What the contract names of the module. A constant is as large as the largest content, so that nothing lies behind it.
Result<std::optional<Fault>> LoadedArms::find_entries(Arm& arm, const LoadOrder& order) {
  const auto fault = [](std::string what) { return Fault{FaultKind::load_failed, 0, std::move(what), {}}; };
  for (const std::string& entry : order.entries) {
    const auto function = driver_.function(arm.module, entry);
    if (!function) return std::optional(fault(function.error().what));
    arm.functions.push_back(*function);
  }
  for (const auto& [parameter, name] : order.constants) {
    if (parameter >= order.parameters.size()) return Error{ErrorCode::internal, "a constant is of no parameter"};
    const auto found = driver_.constant(arm.module, name);
    if (!found) return std::optional(fault(found.error().what));
    const uint64_t wanted_bytes = order.parameters[parameter].capacity_bytes;
    arm.constants[parameter] = *found;
    if (found->size_bytes != wanted_bytes)
      return std::optional(fault(fmt::format("the constant '{}' has {} bytes, and the contract says {}", name,
                                             found->size_bytes, wanted_bytes)));
  }
  return std::optional<Fault>();
}

void LoadedArms::release(Arm& arm) {
  for (const auto& [parameter, view] : arm.constants) driver_.release(view.memory);
  for (Set& set : arm.sets) {
    for (Buffer& buffer : set.buffers) {
      if (buffer.memory.id != 0) driver_.release(buffer.memory);
    }
  }
  driver_.unload(arm.module);
}

Status LoadedArms::unload(uint32_t arm) {
  const auto found = arms_.find(arm);
  if (found == arms_.end()) return Error{ErrorCode::internal, "no such arm is loaded"};
  HONE_CHECK(driver_.finish());
  release(found->second);
  arms_.erase(found);
  return ok();
}

Status LoadedArms::upload(uint32_t arm, uint32_t set, uint32_t parameter, uint64_t offset,
                          std::span<const std::byte> bytes) {
  HONE_TRY(const Set* const found, find_to_fill(arm, set));
  const ParameterRecord* kind = parameter < found->buffers.size() ? &arms_[arm].parameters[parameter] : nullptr;
  if (kind == nullptr || kind->kind != ParameterKind::buffer || offset > kind->capacity_bytes ||
      kind->capacity_bytes - offset < bytes.size())
    return Error{ErrorCode::internal, "no buffer holds what is to be written"};
  const Buffer& buffer = found->buffers[parameter];
  return driver_.write({buffer.memory, buffer.payload_offset + offset, bytes.size()}, bytes);
}

Status LoadedArms::stage_buffer(const Arm& arm, const StageOrder& order, const StageRecord& record) {
  Set& set = arms_[order.arm].sets[order.set];
  if (record.parameter >= set.buffers.size() || arm.parameters[record.parameter].kind != ParameterKind::buffer ||
      record.payload_bytes > arm.parameters[record.parameter].capacity_bytes)
    return Error{ErrorCode::internal, "a stage speaks of a buffer that was not loaded"};
  Buffer& buffer = set.buffers[record.parameter];
  buffer.payload_bytes = record.payload_bytes;
  buffer.guard_before = record.guard_before;
  buffer.guard_after = record.guard_after;
  buffer.sealed = record.use == Use::read;
  // Poison is a content too: below a checker, which sees what is read before it was written, there is none.
  buffer.staged = placing_ == Placing::guarded || record.use != Use::written;
  if (!buffer.staged) return ok();
  return duties_.stage(zones_of(buffer), record, {order.set, record.parameter});
}

Status LoadedArms::stage(const StageOrder& order) {
  HONE_TRY(Set* const set, find_to_fill(order.arm, order.set));
  const Arm& arm = arms_[order.arm];
  set->examined = false;
  for (const StageRecord& record : order.buffers) HONE_CHECK(stage_buffer(arm, order, record));
  set->values = order.values;
  set->tensor_maps = order.tensor_maps;
  set->steps = order.steps;
  set->cold = order.cold != 0;
  return duties_.scrub_shared();
}

// All of a launch but its arguments.
Result<Launch> LoadedArms::shape_of(const Arm& arm, const StepRecord& step) {
  if (step.entry >= arm.functions.size() || step.argument_count > step.arguments.size())
    return Error{ErrorCode::internal, "a launch speaks of a kernel that was not loaded"};
  Launch launch;
  launch.function = arm.functions[step.entry];
  launch.grid = step.grid;
  launch.block = step.block;
  launch.cluster = step.cluster;
  launch.dynamic_shared_bytes = step.dynamic_shared_bytes;
  launch.cooperative = step.cooperative != 0;
  return launch;
}

Result<Launch> LoadedArms::launch_of(const Arm& arm, const Set& set, const StepRecord& step) const {
  HONE_TRY(Launch launch, shape_of(arm, step));
  for (uint32_t i = 0; i < step.argument_count; ++i) {
    HONE_TRY(const Argument argument, argument_of(arm, set, step.arguments[i]));
    launch.arguments.push_back(argument);
  }
  return launch;
}

namespace {

template <class Record>
const Record* of_parameter(const std::vector<Record>& records, uint32_t parameter) {
  const auto found = std::ranges::find(records, parameter, &Record::parameter);
  return found == records.end() ? nullptr : &*found;
}

}  // namespace

Result<Argument> LoadedArms::argument_of(const Arm& arm, const Set& set, uint32_t parameter) const {
  if (parameter >= set.buffers.size()) return Error{ErrorCode::internal, "a launch has an unknown argument"};
  const ParameterKind kind = arm.parameters[parameter].kind;
  if (kind == ParameterKind::buffer) return Argument(payload_of(set.buffers[parameter]));
  if (kind == ParameterKind::tensor_map) {
    const TensorMapRecord* map = of_parameter(set.tensor_maps, parameter);
    if (map == nullptr || map->base >= set.buffers.size())
      return Error{ErrorCode::internal, "a launch lacks the tensor map of an argument"};
    HONE_TRY(Value encoded, driver_.tensor_map(map->words, payload_of(set.buffers[map->base])));
    return Argument(encoded);
  }
  const ValueRecord* value = of_parameter(set.values, parameter);
  if (value == nullptr || value->size_bytes > value->bytes.size())
    return Error{ErrorCode::internal, "a launch lacks the value of an argument"};
  if (kind == ParameterKind::local) return Argument(LocalBytes{value->local_bytes});
  Value packed;
  std::ranges::copy(value->bytes, packed.bytes.begin());
  packed.size_bytes = value->size_bytes;
  return Argument(packed);
}

Status LoadedArms::append_launches(uint32_t arm, const Set& set, std::vector<Launch>& launches) {
  for (const StepRecord& step : set.steps) {
    HONE_TRY(Launch launch, launch_of(arms_[arm], set, step));
    launches.push_back(std::move(launch));
  }
  return ok();
}

Result<LaunchOutcome> LoadedArms::window(uint32_t arm, std::span<const uint32_t> sets, uint32_t count, Windowed what) {
  if (sets.empty() || count > k_most_window_launches)
    return Error{ErrorCode::internal, "a window is of one set at least, and of some thousand launches at most"};
  std::vector<Launch> launches;
  for (uint32_t i = 0; i < count; ++i) {
    HONE_TRY(const Set* const set, find(arm, sets[i % sets.size()]));
    if (set->cold) launches.push_back(duties_.cold_caches());
    if (what == Windowed::launches) HONE_CHECK(append_launches(arm, *set, launches));
  }
  return driver_.timed(launches);
}

// The whole of each, so that nothing is kept behind a smaller content: guards lie there in the buffer.
Status LoadedArms::fill_constants(const Arm& arm, const Set& set) {
  for (const auto& [parameter, constant] : arm.constants) {
    const Buffer& buffer = set.buffers[parameter];
    HONE_CHECK(driver_.copy(constant, {buffer.memory, buffer.payload_offset, constant.size_bytes}));
  }
  return ok();
}

// The caches are made cold last, and while they are, the launch is queued, and behind it what looks at its traces: the
// driver's own work for it stays out of its time. Where the judge's clock times it, nothing comes behind it.
Result<Launched> LoadedArms::launch(uint32_t arm, std::span<const uint32_t> sets,
                                    const std::optional<CollectOrder>& collect) {
  std::vector<Launch> launches;
  std::vector<Launch> after;
  bool cold = false;
  Set* last = nullptr;
  for (const uint32_t number : sets) {
    HONE_TRY(last, find(arm, number));
    cold = cold || last->cold;
    HONE_CHECK(fill_constants(arms_[arm], *last));
    HONE_CHECK(append_launches(arm, *last, launches));
    if (driver_.facts().trust == Trust::device_only)
      std::ranges::move(examinations_of(*last, number), std::back_inserter(after));
  }
  if (collect) {
    if (sets.size() != 1) return Error{ErrorCode::internal, "a launch of one set alone is collected at once"};
    HONE_TRY(std::vector<Launch> gathering, this->gathering(*last, sets[0], *collect));
    std::ranges::move(gathering, std::back_inserter(after));
  }
  if (cold) HONE_CHECK(driver_.enqueue(duties_.cold_caches()));
  Launched launched;
  HONE_TRY(launched.outcome, driver_.timed(launches, after));
  if (launched.outcome.nanoseconds)
    *launched.outcome.nanoseconds /= static_cast<double>(std::max<size_t>(sets.size(), 1));
  if (collect && !launched.outcome.fault) {
    HONE_TRY(launched.findings, read_gathered(*last, *collect));
  }
  return launched;
}

// Guards and inputs of a set are looked at on the device, once after a launch; what was found comes with the results.
std::vector<Launch> LoadedArms::examinations_of(Set& set, uint32_t number) {
  std::vector<Launch> launches;
  if (std::exchange(set.examined, true)) return launches;
  for (uint32_t p = 0; p < set.buffers.size(); ++p) {
    if (set.buffers[p].staged)
      launches.push_back(duties_.examination(zones_of(set.buffers[p]), {number, p}, set.buffers[p].sealed));
  }
  return launches;
}

// Memory between the buffers and the area, as large as the largest collection so far. What was found comes behind the
// ranges: one copy brings both.
Status LoadedArms::make_room(uint64_t bytes) {
  if (bytes <= staging_bytes_) return ok();
  if (staging_) driver_.release(*staging_);
  staging_bytes_ = 0;
  HONE_TRY(staging_, driver_.allocate(bytes));
  staging_bytes_ = bytes;
  return ok();
}

namespace {

uint64_t bytes_of(std::span<const RangeRecord> ranges) {
  uint64_t bytes = 0;
  for (const RangeRecord& range : ranges) bytes += rounded_up(range.size_bytes, 16);
  return bytes;
}

}  // namespace

Result<std::vector<Launch>> LoadedArms::gathering(const Set& set, uint32_t number, const CollectOrder& order) {
  const uint64_t bytes = bytes_of(order.ranges);
  if (bytes + Duties::k_set_bytes > order.area.size())
    return Error{ErrorCode::internal, "more is collected than the area holds"};
  HONE_CHECK(make_room(bytes + Duties::k_set_bytes));
  GatherTable table;
  uint64_t place = 0;
  for (const RangeRecord& range : order.ranges) {
    if (range.parameter >= set.buffers.size()) return Error{ErrorCode::internal, "a range is of no parameter"};
    const Buffer& buffer = set.buffers[range.parameter];
    if (range.offset_bytes > buffer.payload_bytes || buffer.payload_bytes - range.offset_bytes < range.size_bytes)
      return Error{ErrorCode::internal, "a range lies outside of its buffer"};
    const auto is_of = [&](const auto& one) { return one.first.id == buffer.memory.id; };
    auto found = std::ranges::find_if(table, is_of);
    if (found == table.end()) found = table.insert(found, {buffer.memory, {}});
    found->second.push_back({buffer.payload_offset + range.offset_bytes, place, range.size_bytes});
    place += rounded_up(range.size_bytes, 16);
  }
  return duties_.gathering(table, number, {*staging_, 0, bytes + Duties::k_set_bytes}, bytes);
}

Result<FindingsRecord> LoadedArms::read_gathered(const Set& set, const CollectOrder& order) {
  const uint64_t bytes = bytes_of(order.ranges);
  HONE_CHECK(driver_.read({*staging_, 0, bytes + Duties::k_set_bytes}, order.area.first(bytes + Duties::k_set_bytes)));
  std::array<uint32_t, Duties::k_words_per_set> words;
  std::memcpy(words.data(), order.area.data() + bytes, sizeof words);
  uint64_t staged = 0;
  uint64_t sealed = 0;
  for (size_t p = 0; p < set.buffers.size(); ++p) {
    staged |= uint64_t{set.buffers[p].staged} << p;
    sealed |= uint64_t{set.buffers[p].sealed} << p;
  }
  FindingsRecord findings = Duties::findings_in(words, staged);
  findings.changed_inputs &= sealed;
  return findings;
}

Result<FindingsRecord> LoadedArms::collect(uint32_t arm, uint32_t set, const CollectOrder& order) {
  HONE_TRY(Set* const found, find(arm, set));
  std::vector<Launch> launches = examinations_of(*found, set);
  HONE_TRY(const std::vector<Launch> gathering, this->gathering(*found, set, order));
  launches.insert(launches.end(), gathering.begin(), gathering.end());
  for (const Launch& launch : launches) HONE_CHECK(driver_.enqueue(launch));
  return read_gathered(*found, order);
}

Status LoadedArms::scrub(uint32_t arm, uint32_t set) {
  HONE_TRY(const Set* const found, find(arm, set));
  for (uint32_t p = 0; p < found->buffers.size(); ++p) {
    if (!found->buffers[p].staged || found->buffers[p].sealed) continue;
    HONE_CHECK(duties_.pattern(payload_of(found->buffers[p]), k_scrub_pattern));
  }
  return ok();
}

Result<std::vector<OccupancyRecord>> LoadedArms::occupancy(uint32_t arm, std::span<const StepRecord> steps) {
  const auto found = arms_.find(arm);
  if (found == arms_.end()) return Error{ErrorCode::internal, "no such arm is loaded"};
  std::vector<OccupancyRecord> records;
  for (const StepRecord& step : steps) {
    HONE_TRY(const Launch launch, shape_of(found->second, step));
    records.push_back(to_record(driver_.occupancy(launch)));
  }
  return records;
}

}  // namespace hone::device::launcher
