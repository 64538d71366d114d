#include "device/launcher/launched_arm.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "device/cuda/conditions.h"
#include "device/launcher/drawn.h"
#include "device/launcher/duties.h"
#include "device/scalar_bits.h"

namespace hone::device::launcher {

namespace {

// Guards take streams of their own, far above any argument's index.
constexpr uint32_t k_guard_before_stream = 1u << 30;
constexpr uint32_t k_guard_after_stream = 1u << 31;
// For what is no foreign kernel's doing: copies, gathers, loads.
constexpr Nanoseconds k_duty_deadline = std::chrono::seconds(60);

ValueRecord value_of(size_t parameter, const ParameterLayout& layout, const StagePlan& plan) {
  ValueRecord record;
  record.parameter = static_cast<uint32_t>(parameter);
  if (layout.kind == ParameterKind::local) {
    record.local_bytes = plan.plans[parameter].count;
    return record;
  }
  const uint64_t bits = scalar_bits(layout.dtype, plan.scalars[parameter]);
  record.size_bytes = static_cast<uint32_t>(task::size_bytes(layout.dtype));
  std::memcpy(record.bytes.data(), &bits, sizeof bits);
  return record;
}

template <class T, size_t N>
void put_list(const std::vector<T>& from, std::array<T, N>& to) {
  std::copy_n(from.begin(), std::min(from.size(), N), to.begin());
}

TensorMapRecord record_of(const TensorMapPlan& plan) {
  const task::BoundTensorMap& map = plan.map;
  TensorMapRecord record{static_cast<uint32_t>(plan.parameter), static_cast<uint32_t>(map.base), {}};
  TensorMapWords& words = record.words;
  words.elements = static_cast<uint32_t>(map.elements);
  words.interleave = static_cast<uint32_t>(map.interleave);
  words.swizzle = static_cast<uint32_t>(map.swizzle);
  words.l2_promotion = static_cast<uint32_t>(map.l2_promotion);
  words.out_of_bounds = static_cast<uint32_t>(map.out_of_bounds);
  words.rank = static_cast<uint32_t>(map.size_elements.size());
  put_list(map.size_elements, words.size_elements);
  put_list(map.stride_bytes, words.stride_bytes);
  put_list(map.box_elements, words.box_elements);
  put_list(map.element_strides, words.element_strides);
  return record;
}

Error died(const Fault& fault) {
  return Error{ErrorCode::environment, fmt::format("a launcher failed between launches: {}", fault.message)};
}

uint64_t rounded_up(uint64_t value) { return (value + 15) / 16 * 16; }

std::vector<RangeRecord> records_of(std::span<const Range> ranges) {
  std::vector<RangeRecord> records;
  for (const Range& range : ranges)
    records.push_back({static_cast<uint32_t>(range.parameter), range.offset_bytes, range.size_bytes});
  return records;
}

}  // namespace

LaunchedArm::LaunchedArm(std::shared_ptr<Launcher> launcher, uint32_t number, LoadRequest request, Trust trust,
                         std::shared_ptr<const cuda::Watch> watch)
    : launcher_(std::move(launcher)),
      number_(number),
      request_(std::move(request)),
      kernels_(kernels_of(request_.steps)),
      trust_(trust),
      watch_(std::move(watch)) {}

LaunchedArm::~LaunchedArm() {
  Packet order;
  order.put(number_);
  std::ignore = launcher_->ask(Verb::unload, order, k_duty_deadline);
}

// In pieces that fit the area.
Status LaunchedArm::upload(int set, size_t parameter, const StagePlan& plan) {
  const FillPlan& content = plan.plans[parameter];
  std::vector<std::byte> bytes(content.count * task::size_bytes(content.dtype));
  fill(bytes, content, plan.sub_key, static_cast<uint32_t>(parameter));
  const std::span<std::byte> area = launcher_->area();
  for (uint64_t done = 0; done < bytes.size(); done += area.size()) {
    const uint64_t size = std::min<uint64_t>(area.size(), bytes.size() - done);
    std::memcpy(area.data(), bytes.data() + done, size);
    Packet order;
    order.put(number_).put(static_cast<uint32_t>(set)).put(static_cast<uint32_t>(parameter)).put(done).put(size);
    HONE_TRY(const Answered answered, launcher_->ask(Verb::upload, order, k_duty_deadline));
    if (answered.fault) return died(*answered.fault);
  }
  return ok();
}

Result<StageRecord> LaunchedArm::record_of(int set, size_t parameter, const StagePlan& plan) {
  const FillPlan& content = plan.plans[parameter];
  const auto index = static_cast<uint32_t>(parameter);
  StageRecord record;
  record.parameter = index;
  record.payload_bytes = content.count * task::size_bytes(content.dtype);
  record.guard_before = words_of(poison_stream(plan.sub_key, k_guard_before_stream + index));
  record.guard_after = words_of(poison_stream(plan.sub_key, k_guard_after_stream + index));
  if (!task::is_read(plan.roles[parameter])) {
    const bool floating = task::is_floating(content.dtype);
    record.making = floating ? Making::pattern : Making::noise;
    if (floating) record.pattern = poison_pattern(content.dtype, plan.sub_key, index);
    record.stream = words_of(poison_stream(plan.sub_key, index));
    // The judge reads all of what is derived, filled or not: hone's own kernel must not be what a checker reports.
    if (plan.roles[parameter] == task::Role::derived) record.use = Use::updated;
    return record;
  }
  record.use = task::is_written(plan.roles[parameter]) ? Use::updated : Use::read;
  record.stream = words_of(element_stream(element_key(content, plan.sub_key), index));
  const bool constant =
      !content.bytes && content.distribution == Distribution::contract && content.fill.kind == task::FillKind::constant;
  if (constant) {
    record.pattern = constant_pattern(content);
  } else if (const auto drawn = drawn_on_device(content)) {
    record.making = Making::draw;
    record.draw = *drawn;
  } else {
    record.making = Making::upload;
    HONE_CHECK(upload(set, parameter, plan));
  }
  return record;
}

Result<std::vector<StepRecord>> LaunchedArm::steps_of(std::span<const LaunchStep> steps) const {
  std::vector<StepRecord> records;
  for (const LaunchStep& step : steps) {
    StepRecord record;
    const auto kernel = std::ranges::find(kernels_, step.entry);
    if (kernel == kernels_.end() || step.arguments.size() > record.arguments.size())
      return Error{ErrorCode::internal, fmt::format("the kernel '{}' was not loaded", step.entry)};
    record.entry = static_cast<uint32_t>(kernel - kernels_.begin());
    record.cooperative = step.cooperative ? 1 : 0;
    record.grid = step.grid;
    record.block = step.block;
    record.cluster = step.cluster;
    record.dynamic_shared_bytes = step.dynamic_shared_bytes;
    for (const size_t argument : step.arguments)
      record.arguments[record.argument_count++] = static_cast<uint16_t>(argument);
    records.push_back(record);
  }
  return records;
}

Status LaunchedArm::stage(int set, const StagePlan& plan) {
  if (fault_) return ok();
  std::vector<StageRecord> buffers;
  std::vector<ValueRecord> values;
  std::vector<TensorMapRecord> maps;
  for (const TensorMapPlan& map : plan.tensor_maps) maps.push_back(launcher::record_of(map));
  for (size_t p = 0; p < request_.parameters.size(); ++p) {
    if (request_.parameters[p].kind == ParameterKind::tensor_map) continue;
    if (!request_.parameters[p].is_buffer()) {
      values.push_back(value_of(p, request_.parameters[p], plan));
      continue;
    }
    HONE_TRY(const StageRecord record, record_of(set, p, plan));
    buffers.push_back(record);
  }
  HONE_TRY(const std::vector<StepRecord> steps, steps_of(plan.steps));
  Packet order;
  order.put(number_).put(static_cast<uint32_t>(set)).put(static_cast<uint32_t>(plan.cache == CacheState::cold));
  order.put_all(buffers).put_all(values).put_all(maps).put_all(steps);
  return launcher_->tell(Verb::stage, order);
}

std::optional<cuda::WatchWords> LaunchedArm::conditions() const {
  return watch_ == nullptr ? std::nullopt : watch_->reading();
}

// What a reply says of the launches that were asked for.
Result<LaunchOutcome> LaunchedArm::outcome_in(Unpacked& reply) {
  LaunchOutcome outcome;
  outcome.nanoseconds = reply.get<double>();
  if (reply.get<uint32_t>() != 0) {
    const auto kind = reply.get<FaultKind>();
    const auto code = reply.get<int32_t>();
    outcome = {std::nullopt, Fault{kind, code, quote_untrusted(reply.text(), 4096), {}}};
  }
  return outcome;
}

// In the same packet as the order, into the area at once, and not within what the judge's clock times.
bool LaunchedArm::can_bring_along(std::span<const int> sets, std::span<const Range> ranges) const {
  uint64_t bytes = Duties::k_set_bytes;
  for (const Range& range : ranges) bytes += rounded_up(range.size_bytes);
  return trust_ == Trust::device_only && sets.size() == 1 &&
         ranges.size() * sizeof(RangeRecord) < k_most_packet_bytes / 2 && bytes <= launcher_->area().size();
}

// Everything that was asked for is done, and something on the device in any case if so wanted.
Status LaunchedArm::settle(bool works) {
  Packet order;
  order.put(static_cast<uint32_t>(works));
  HONE_TRY(const Answered settled, launcher_->ask(Verb::settle, order, k_duty_deadline));
  return settled.fault ? Status(died(*settled.fault)) : ok();
}

Status LaunchedArm::step_in() { return fault_ ? ok() : settle(true); }

Result<LaunchOutcome> LaunchedArm::launch(std::span<const int> sets, Nanoseconds deadline) {
  if (fault_) return LaunchOutcome{std::nullopt, fault_};
  const std::vector<Range> ranges = std::exchange(expected_, {});
  brought_.reset();
  Packet order;
  order.put(number_).put_all(std::vector<uint32_t>(sets.begin(), sets.end()));
  const bool brings = can_bring_along(sets, ranges);
  order.put(static_cast<uint32_t>(brings));
  if (brings) order.put_all(records_of(ranges));
  // By the judge's own clock a launch begins when the stage before it is done.
  if (trust_ == Trust::host_code) HONE_CHECK(settle());
  const auto before = conditions();
  const Nanoseconds begin = SystemClock().now();
  HONE_TRY(const Answered answered, launcher_->ask(Verb::launch, order, deadline));
  const Nanoseconds window = SystemClock().now() - begin;
  if (answered.fault) return LaunchOutcome{std::nullopt, fault_ = answered.fault};
  Unpacked reply(answered.packet);
  HONE_TRY(LaunchOutcome outcome, outcome_in(reply));
  if (reply.get<uint32_t>() != 0) {
    Brought brought{sets[0], ranges, {}};
    brought.collected.bytes = bytes_of(ranges);
    tell(reply.get<FindingsRecord>(), brought.collected);
    brought_ = std::move(brought);
  }
  if (!reply.at_end()) return Error{ErrorCode::internal, "the launcher's answer to a launch does not parse"};
  outcome.disturbed_fraction = cuda::disturbed_fraction(before, conditions());
  // A device that reaches the machine's memory may write whatever time it likes: the judge's own clock counts.
  if (outcome.nanoseconds && trust_ == Trust::host_code)
    outcome.nanoseconds = static_cast<double>(window.count()) / static_cast<double>(std::max<size_t>(sets.size(), 1));
  fault_ = outcome.fault;
  return outcome;
}

Result<LaunchOutcome> LaunchedArm::window(std::span<const int> sets, size_t count, Windowed what,
                                          Nanoseconds deadline) {
  if (fault_) return LaunchOutcome{std::nullopt, fault_};
  Packet order;
  order.put(number_).put_all(std::vector<uint32_t>(sets.begin(), sets.end()));
  order.put(static_cast<uint32_t>(count)).put(what);
  HONE_CHECK(settle());
  const auto before = conditions();
  const int64_t begin_ns = judge_clock_ns();
  HONE_TRY(const Answered answered, launcher_->ask(Verb::window, order, deadline));
  const int64_t took_ns = judge_clock_ns() - begin_ns;
  if (answered.fault) return LaunchOutcome{std::nullopt, fault_ = answered.fault};
  Unpacked reply(answered.packet);
  HONE_TRY(LaunchOutcome outcome, outcome_in(reply));
  if (!reply.at_end()) return Error{ErrorCode::internal, "the launcher's answer to a window does not parse"};
  outcome.disturbed_fraction = cuda::disturbed_fraction(before, conditions());
  if (outcome.nanoseconds) outcome.nanoseconds = static_cast<double>(took_ns);
  fault_ = outcome.fault;
  return outcome;
}

namespace {

// Ranges in lots that fit the area, the longer ones cut; `owners` are the ranges that the pieces belong to.
struct Lot {
  std::vector<Range> pieces;
  std::vector<size_t> owners;
};

std::vector<Lot> lots_of(std::span<const Range> ranges, uint64_t area_bytes) {
  std::vector<Lot> lots(1);
  uint64_t held = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (uint64_t done = 0; done < ranges[i].size_bytes;) {
      if (area_bytes - held < 16) lots.emplace_back(), held = 0;
      const uint64_t size = std::min(ranges[i].size_bytes - done, (area_bytes - held) / 16 * 16);
      lots.back().pieces.push_back({ranges[i].parameter, ranges[i].offset_bytes + done, size});
      lots.back().owners.push_back(i);
      held += rounded_up(size);
      done += size;
    }
  }
  return lots;
}

}  // namespace

// What was found broken first, in the order of parameters.
void LaunchedArm::tell(const FindingsRecord& findings, Collected& collected) const {
  for (size_t p = 0; p < request_.parameters.size() && collected.violation.empty(); ++p) {
    const uint64_t bit = uint64_t{1} << p;
    if ((findings.broken_before & bit) != 0)
      collected.violation = fmt::format("wrote before the start of parameter {}", p);
    else if ((findings.broken_after & bit) != 0)
      collected.violation = fmt::format("wrote past the end of parameter {}", p);
    collected.guards_intact = collected.violation.empty();
    if (collected.guards_intact && (findings.changed_inputs & bit) != 0) {
      collected.inputs_intact = false;
      collected.violation = fmt::format("wrote into parameter {}, which it may only read", p);
    }
  }
}

Result<Collected> LaunchedArm::collect(int set, std::span<const Range> ranges) {
  if (brought_ && brought_->set == set && std::ranges::equal(brought_->ranges, ranges))
    return std::exchange(brought_, std::nullopt)->collected;
  Collected collected;
  collected.bytes.resize(ranges.size());
  FindingsRecord findings;
  for (const Lot& lot : lots_of(ranges, launcher_->area().size() - Duties::k_set_bytes)) {
    std::vector<std::vector<std::byte>> bytes;
    HONE_TRY(findings, collect_some(set, lot.pieces, bytes));
    for (size_t i = 0; i < lot.pieces.size(); ++i) {
      std::vector<std::byte>& whole = collected.bytes[lot.owners[i]];
      whole.insert(whole.end(), bytes[i].begin(), bytes[i].end());
    }
  }
  tell(findings, collected);
  return collected;
}

Result<FindingsRecord> LaunchedArm::collect_some(int set, std::span<const Range> ranges,
                                                 std::vector<std::vector<std::byte>>& bytes) {
  Packet order;
  order.put(number_).put(static_cast<uint32_t>(set)).put_all(records_of(ranges));
  HONE_TRY(const Answered answered, launcher_->ask(Verb::collect, order, k_duty_deadline));
  if (answered.fault) return died(*answered.fault);
  Unpacked reply(answered.packet);
  const auto findings = reply.get<FindingsRecord>();
  if (!reply.at_end()) return Error{ErrorCode::internal, "the launcher's answer to a collect does not parse"};
  bytes = bytes_of(ranges);
  return findings;
}

// As they stand in the area.
std::vector<std::vector<std::byte>> LaunchedArm::bytes_of(std::span<const Range> ranges) const {
  std::vector<std::vector<std::byte>> bytes;
  uint64_t at = 0;
  for (const Range& range : ranges) {
    const auto part = launcher_->area().subspan(at, range.size_bytes);
    bytes.emplace_back(part.begin(), part.end());
    at += rounded_up(range.size_bytes);
  }
  return bytes;
}

Status LaunchedArm::scrub(int set) {
  if (fault_) return ok();
  Packet order;
  order.put(number_).put(static_cast<uint32_t>(set));
  return launcher_->tell(Verb::scrub, order);
}

Result<std::vector<std::optional<Occupancy>>> LaunchedArm::occupancy(std::span<const LaunchStep> steps) {
  std::vector<std::optional<Occupancy>> found(steps.size());
  if (fault_) return found;
  HONE_TRY(const std::vector<StepRecord> records, steps_of(steps));
  Packet order;
  order.put(number_).put_all(records);
  HONE_TRY(const Answered answered, launcher_->ask(Verb::occupancy, order, k_duty_deadline));
  if (fault_ = answered.fault; fault_) return found;  // told by the next launch
  Unpacked reply(answered.packet);
  const auto answers = reply.all<OccupancyRecord>();
  if (!reply.at_end() || answers.size() != steps.size())
    return Error{ErrorCode::internal, "the launcher's answer on occupancy does not parse"};
  std::ranges::transform(answers, found.begin(), occupancy_in);
  return found;
}

}  // namespace hone::device::launcher
