#include "device/preparation.h"

#include <algorithm>
#include <utility>

namespace hone::device {

StagePlan preparing(StagePlan plan, std::vector<LaunchStep> steps) {
  plan.steps = std::move(steps);
  plan.tensor_maps.clear();
  plan.cache = CacheState::warm;
  for (size_t p = 0; p < plan.roles.size(); ++p) {
    const bool taken = std::ranges::any_of(plan.steps, [p](const LaunchStep& step) {
      return std::ranges::find(step.arguments, p) != step.arguments.end();
    });
    if (taken) continue;
    if (task::is_number(plan.roles[p])) plan.scalars[p] = int64_t{0};
    if (task::is_read(plan.roles[p])) plan.roles[p] = task::Role::scratch;
  }
  return plan;
}

Result<Preparation> prepare(Arm& arm, int set, const StagePlan& plan, Nanoseconds deadline) {
  Preparation made;
  const int sets[] = {set};
  HONE_CHECK(arm.stage(set, plan));
  HONE_TRY(made.outcome, arm.launch(sets, deadline));
  if (made.outcome.fault) return made;
  std::vector<Range> derived;
  for (size_t p = 0; p < plan.roles.size(); ++p) {
    if (plan.roles[p] == task::Role::derived) derived.push_back({p, 0, plan.plans[p].count});
  }
  HONE_TRY(made.collected, arm.collect(set, derived));
  for (size_t i = 0; i < derived.size(); ++i)
    made.derived[derived[i].parameter] =
        std::make_shared<const std::vector<std::byte>>(std::move(made.collected.bytes[i]));
  HONE_CHECK(arm.scrub(set));
  return made;
}

void hand_over(const DerivedBytes& derived, StagePlan& plan) {
  for (const auto& [parameter, bytes] : derived) {
    plan.roles[parameter] = task::Role::in;
    plan.plans[parameter].bytes = bytes;
  }
}

}  // namespace hone::device
