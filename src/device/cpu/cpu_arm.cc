#include "device/cpu/cpu_arm.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "device/cpu/flush.h"

namespace hone::device::cpu {

namespace {

// Guards take streams of their own, far above any argument's index.
constexpr uint32_t k_guard_before_stream = 1u << 30;
constexpr uint32_t k_guard_after_stream = 1u << 31;
// What a scrubbed output holds: a quiet NaN in every floating type, and no plausible result in any other.
constexpr int k_scrub_byte = 0xff;

void renew_guard(std::span<std::byte> zone, std::vector<std::byte>& copy, const Digest& sub_key, uint32_t stream) {
  copy.resize(zone.size());
  poison(copy, task::DType::u8, sub_key, stream);
  memcpy(zone.data(), copy.data(), copy.size());
}

void put(std::span<std::byte> payload, std::span<const std::byte> bytes, CacheState cache) {
  if (bytes.empty()) return;
  if (cache == CacheState::cold) return copy_past_caches(payload, bytes);
  memcpy(payload.data(), bytes.data(), bytes.size());
}

void put_poison(std::span<std::byte> payload, const StagePlan& plan, size_t parameter) {
  const auto period = payload.first(std::min(payload.size(), k_poison_period_bytes));
  poison(period, plan.plans[parameter].dtype, plan.sub_key, static_cast<uint32_t>(parameter));
  for (size_t done = period.size(); done < payload.size(); done += period.size()) {
    const auto rest = payload.subspan(done);
    put(rest.first(std::min(rest.size(), period.size())), period.first(std::min(rest.size(), period.size())),
        plan.cache);
  }
}

bool same(std::span<const std::byte> zone, const std::vector<std::byte>& copy) {
  return zone.size() == copy.size() && memcmp(zone.data(), copy.data(), copy.size()) == 0;
}

}  // namespace

CpuArm::CpuArm(std::unique_ptr<Runner> runner, std::shared_ptr<ContentCache> contents)
    : runner_(std::move(runner)),
      contents_(std::move(contents)),
      staged_(static_cast<size_t>(runner_->sets()), std::vector<Staged>(runner_->parameters().size())) {}

Status CpuArm::check_set(int set) const {
  if (set >= 0 && set < runner_->sets()) return ok();
  return Error{ErrorCode::internal, fmt::format("the arm has {} sets, there is no set {}", runner_->sets(), set)};
}

Status CpuArm::stage(int set, const StagePlan& plan) {
  HONE_CHECK(check_set(set));
  const auto& parameters = runner_->parameters();
  if (plan.plans.size() != parameters.size() || plan.roles.size() != parameters.size() ||
      plan.scalars.size() != parameters.size())
    return Error{ErrorCode::internal, "a stage plan needs one entry per parameter"};
  for (size_t p = 0; p < parameters.size(); ++p) {
    const ParameterKind kind = parameters[p].kind;
    if (kind == ParameterKind::value) runner_->set_scalar(set, p, plan.scalars[p]);
    if (kind == ParameterKind::local) runner_->set_local(set, p, plan.plans[p].count);
    if (kind == ParameterKind::buffer) HONE_CHECK(stage_buffer(set, p, plan));
  }
  HONE_CHECK(runner_->set_steps(set, plan.steps));
  bring_caches_to(plan.cache, set);
  return ok();
}

Status CpuArm::stage_buffer(int set, size_t parameter, const StagePlan& plan) {
  const Buffer& buffer = runner_->buffers().at(set, parameter);
  const FillPlan& content = plan.plans[parameter];
  Staged& staged = staged_[static_cast<size_t>(set)][parameter];
  staged.payload_bytes = content.count * task::size_bytes(content.dtype);
  if (staged.payload_bytes > buffer.capacity_bytes)
    return Error{ErrorCode::internal, fmt::format("parameter {} holds {} bytes, not {}", parameter,
                                                  buffer.capacity_bytes, staged.payload_bytes)};
  const std::span<std::byte> payload = buffer.payload(staged.payload_bytes);
  if (task::is_read(plan.roles[parameter])) {
    put(payload, contents_->get(content, plan.sub_key, static_cast<uint32_t>(parameter)), plan.cache);
  } else {
    put_poison(payload, plan, parameter);
  }
  write_guards(buffer, staged, plan, parameter);
  return ok();
}

void CpuArm::write_guards(const Buffer& buffer, Staged& staged, const StagePlan& plan, size_t parameter) {
  const auto index = static_cast<uint32_t>(parameter);
  renew_guard(buffer.guard_before(), staged.guard_before, plan.sub_key, k_guard_before_stream + index);
  renew_guard(buffer.guard_after(staged.payload_bytes), staged.guard_after, plan.sub_key, k_guard_after_stream + index);
}

void CpuArm::bring_caches_to(CacheState state, int set) {
  for (size_t p = 0; p < runner_->parameters().size(); ++p) {
    if (!runner_->parameters()[p].is_buffer()) continue;
    const Buffer& buffer = runner_->buffers().at(set, p);
    const uint64_t payload_bytes = staged_[static_cast<size_t>(set)][p].payload_bytes;
    if (state == CacheState::warm) {
      warm(buffer.payload(payload_bytes));
      continue;
    }
    const size_t written = buffer.guard_before().size() + payload_bytes + buffer.guard_after(payload_bytes).size();
    flush_to_memory(buffer.memory.bytes().first(written));
  }
}

Result<LaunchOutcome> CpuArm::launch(std::span<const int> sets, Nanoseconds deadline) {
  for (const int set : sets) HONE_CHECK(check_set(set));
  return runner_->launch(sets, deadline);
}

Result<Collected> CpuArm::collect(int set, std::span<const Range> ranges) {
  HONE_CHECK(check_set(set));
  Collected collected;
  for (size_t p = 0; p < runner_->parameters().size() && collected.guards_intact; ++p) {
    if (!runner_->parameters()[p].written) continue;
    collected.violation = broken_guard(set, p);
    collected.guards_intact = collected.violation.empty();
  }
  for (const Range& range : ranges) {
    HONE_TRY(std::vector<std::byte> bytes, copy(set, range));
    collected.bytes.push_back(std::move(bytes));
  }
  return collected;
}

std::string CpuArm::broken_guard(int set, size_t parameter) const {
  const Buffer& buffer = runner_->buffers().at(set, parameter);
  const Staged& staged = staged_[static_cast<size_t>(set)][parameter];
  if (staged.guard_before.empty()) return {};  // never staged
  if (!same(buffer.guard_before(), staged.guard_before))
    return fmt::format("wrote before the start of parameter {}", parameter);
  if (!same(buffer.guard_after(staged.payload_bytes), staged.guard_after))
    return fmt::format("wrote past the end of parameter {}", parameter);
  return {};
}

Result<std::vector<std::byte>> CpuArm::copy(int set, const Range& range) const {
  const bool known =
      range.parameter < runner_->parameters().size() && runner_->parameters()[range.parameter].is_buffer();
  const uint64_t size = known ? staged_[static_cast<size_t>(set)][range.parameter].payload_bytes : 0;
  if (!known || range.offset_bytes > size || size - range.offset_bytes < range.size_bytes)
    return Error{ErrorCode::internal, fmt::format("parameter {} has no bytes {} to {}", range.parameter,
                                                  range.offset_bytes, range.offset_bytes + range.size_bytes)};
  const auto bytes =
      runner_->buffers().at(set, range.parameter).payload(size).subspan(range.offset_bytes, range.size_bytes);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Status CpuArm::scrub(int set) {
  HONE_CHECK(check_set(set));
  for (size_t p = 0; p < runner_->parameters().size(); ++p) {
    if (!runner_->parameters()[p].written) continue;
    const auto payload = runner_->buffers().at(set, p).payload(staged_[static_cast<size_t>(set)][p].payload_bytes);
    if (!payload.empty()) memset(payload.data(), k_scrub_byte, payload.size());
  }
  return ok();
}

}  // namespace hone::device::cpu
