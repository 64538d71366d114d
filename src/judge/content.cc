#include "judge/content.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "task/formula.h"

namespace hone::judge {

namespace {

Result<std::shared_ptr<const std::vector<std::byte>>> file_bytes(const fs::path& path,
                                                                 const task::BoundArgument& argument) {
  HONE_TRY(const std::string text, read_file(path));
  if (text.size() != argument.bytes)
    return Error{ErrorCode::contract, path.string() + " holds " + std::to_string(text.size()) +
                                          " bytes, the argument '" + argument.argument->name + "' has " +
                                          std::to_string(argument.bytes)};
  const Bytes bytes = bytes_of(text);
  return std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
}

// The file that an input is read from; nothing for inputs that are made.
std::optional<fs::path> input_file(const task::Task& task, const task::BoundCase& bound, ContentSource source,
                                   const task::Argument& argument) {
  if (!task::is_read(argument.role)) return std::nullopt;
  const auto golden = task::golden_input(task, bound.id, argument);
  if (source == ContentSource::golden && golden) return task.folder / *golden;
  if (argument.fill.kind == task::FillKind::file) return task.folder / argument.fill.file;
  return std::nullopt;
}

Result<device::FillPlan> contract_plan(const task::Task& task, const task::BoundCase& bound, ContentSource source,
                                       const task::BoundArgument& argument) {
  device::FillPlan plan = device::plan_for(argument, device::Distribution::contract);
  if (task::is_space(argument.argument->role)) {
    plan.dtype = task::DType::u8;
    plan.count = argument.bytes;
    return plan;
  }
  plan.same_in_block = argument.argument->constant_across_calls && task.has_role(task::Role::derived);
  if (const auto file = input_file(task, bound, source, *argument.argument)) {
    plan.fill.kind = task::FillKind::file;
    HONE_TRY(plan.bytes, file_bytes(*file, argument));
  } else if (task::is_read(argument.argument->role) && plan.fill.kind == task::FillKind::formula) {
    HONE_TRY(plan.formula_values, task::formula_values(argument, bound));
    if (plan.formula_values.size() != plan.count)
      return Error{ErrorCode::contract,
                   fmt::format("the formula of argument '{}' gives {} values for {} elements", argument.argument->name,
                               plan.formula_values.size(), plan.count),
                   {},
                   "its strides leave gaps or repeat elements, and a formula says nothing of those",
                   "leave strides out, or fill it from a file"};
  }
  return plan;
}

bool is_free(const device::FillPlan& plan) {
  switch (plan.fill.kind) {
    case task::FillKind::uniform:
    case task::FillKind::normal:
      return task::is_floating(plan.dtype);
    default:
      return false;  // integers may be indices: another range could be outside the contract
  }
}

}  // namespace

std::span<const device::Distribution> stress_distributions() {
  using enum device::Distribution;
  static constexpr device::Distribution k_all[] = {normal,        uniform_offset, heavy_tail,     mixed_magnitudes,
                                                   sparse,        all_equal,      alternating,    denormal,
                                                   near_overflow, small_integers, ill_conditioned};
  return k_all;
}

Result<CaseContent> CaseContent::make(const task::Task& task, const task::BoundCase& bound, ContentSource source) {
  CaseContent content(bound, source);
  for (const task::BoundArgument& argument : content.bound_.arguments) {
    HONE_TRY(device::FillPlan plan, contract_plan(task, bound, source, argument));
    content.contract_plans_.push_back(std::move(plan));
  }
  return content;
}

device::StagePlan CaseContent::stage_plan(const Digest& sub_key, device::Distribution distribution,
                                          device::CacheState cache) const {
  device::StagePlan stage;
  stage.sub_key = sub_key;
  stage.cache = cache;
  for (size_t i = 0; i < bound_.arguments.size(); ++i) {
    const task::BoundArgument& argument = bound_.arguments[i];
    device::FillPlan plan = contract_plans_[i];
    if (is_free(plan)) plan.distribution = distribution;
    stage.plans.push_back(std::move(plan));
    stage.roles.push_back(argument.argument->role);
    stage.scalars.push_back(argument.value);
  }
  return stage;
}

std::vector<std::vector<std::byte>> CaseContent::input_bytes(const Digest& sub_key,
                                                             device::Distribution distribution) const {
  const device::StagePlan stage = stage_plan(sub_key, distribution, device::CacheState::warm);
  std::vector<std::vector<std::byte>> inputs(stage.plans.size());
  for (size_t i = 0; i < stage.plans.size(); ++i) {
    if (!task::is_read(stage.roles[i])) continue;
    inputs[i].resize(stage.plans[i].count * task::size_bytes(stage.plans[i].dtype));
    device::fill(inputs[i], stage.plans[i], sub_key, static_cast<uint32_t>(i));
  }
  return inputs;
}

namespace {

// Signs by a multiplicative hash of the index: neighbours and rows must not share one.
void nudge(std::span<std::byte> bytes, task::DType dtype, double fraction) {
  const uint64_t count = bytes.size() / task::size_bytes(dtype);
  for (uint64_t i = 0; i < count; ++i) {
    const double sign = ((i + 1) * 0x9e3779b97f4a7c15u >> 63) != 0 ? 1.0 : -1.0;
    device::set_element(bytes, dtype, i, device::element_as_double(bytes, dtype, i) * (1.0 + sign * fraction));
  }
}

}  // namespace

CaseContent CaseContent::nudged(const Digest& sub_key, device::Distribution distribution, double fraction) const {
  CaseContent other = *this;
  std::vector<std::vector<std::byte>> inputs = input_bytes(sub_key, distribution);
  for (size_t i = 0; i < inputs.size(); ++i) {
    device::FillPlan& plan = other.contract_plans_[i];
    if (inputs[i].empty()) continue;
    if (task::is_floating(plan.dtype)) nudge(inputs[i], plan.dtype, fraction);
    plan.fill.kind = task::FillKind::file;
    plan.bytes = std::make_shared<const std::vector<std::byte>>(std::move(inputs[i]));
  }
  return other;
}

bool CaseContent::has_free_inputs() const {
  for (size_t i = 0; i < contract_plans_.size(); ++i) {
    if (task::is_read(bound_.arguments[i].argument->role) && is_free(contract_plans_[i])) return true;
  }
  return false;
}

namespace {

device::ParameterKind kind_of(task::Role role) {
  if (task::is_buffer(role)) return device::ParameterKind::buffer;
  if (role == task::Role::local) return device::ParameterKind::local;
  return role == task::Role::tensor_map ? device::ParameterKind::tensor_map : device::ParameterKind::value;
}

}  // namespace

std::vector<device::ParameterLayout> parameter_layout(const task::Task& task,
                                                      const std::vector<const CaseContent*>& cases) {
  std::vector<device::ParameterLayout> layout;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    const task::Argument& argument = task.arguments[i];
    device::ParameterLayout one;
    one.kind = kind_of(argument.role);
    one.dtype = argument.dtype;
    if (argument.role == task::Role::symbol) one.constant = argument.name;
    one.align_bytes = argument.align_bytes;
    one.written = argument.role != task::Role::in && argument.role != task::Role::symbol;
    for (const CaseContent* content : cases)
      one.capacity_bytes = std::max(one.capacity_bytes, content->bound().arguments[i].bytes);
    layout.push_back(one);
  }
  return layout;
}

}  // namespace hone::judge
