// Rough ratios for searches, and the quick screen that can only reject (JUDGE.md 3). Screens never enter a test.
#include <algorithm>
#include <cmath>

#include "judge/constants.h"
#include "judge/device_bench.h"
#include "stats/estimate.h"
#include "stats/guards.h"

namespace hone::judge {

namespace {

// Who failed decides what was learned: of a candidate's failure, that it fails; of anybody else's, nothing about the
// candidate.
ScreenAnswer failed(campaign::ScreenResult result, const Failure& failure) {
  if (failure.arm != ArmName::candidate || campaign::is_task_fault(failure.outcome))
    return {std::move(result), failure};
  result.outcome = std::string(name_of(failure.outcome));
  result.message = failure.message;
  result.ratio.reset();
  return {std::move(result), std::nullopt};
}

double median_ratio(const std::vector<stats::Quad>& quads) {
  std::vector<double> ratios;
  for (const stats::Quad& quad : quads) ratios.push_back(stats::ln_ratio(quad));
  return std::exp(stats::median(ratios));
}

}  // namespace

Result<DeviceBench::ScreenArms> DeviceBench::load_screen_arms() {
  ScreenArms arms;
  HONE_TRY(LoadAnswer incumbent, load(ArmName::incumbent, timed_, 2, {"screen", attempts_}));
  HONE_TRY(LoadAnswer candidate, load(ArmName::candidate, timed_, 2, {"screen", attempts_}));
  arms.failure = incumbent.failure ? std::move(incumbent.failure) : std::move(candidate.failure);
  arms.incumbent = std::move(incumbent.loaded);
  arms.candidate = std::move(candidate.loaded);
  return arms;
}

// One launch of the candidate in each timed case, whole outputs against the oracle.
Result<std::optional<Failure>> DeviceBench::screen_check(LoadedArm& arm) {
  campaign::Correctness counts;
  for (const CaseContent* content : timed_) {
    HONE_TRY(auto failure, run_trial(arm, {content, device::Distribution::contract, 2'000'000 + attempts_}, counts));
    if (failure) return failure;
  }
  return std::optional<Failure>();
}

Result<std::optional<Failure>> DeviceBench::screen_quad(ScreenArms& arms, const CaseContent& content, uint64_t number,
                                                        std::vector<stats::Quad>& quads) {
  Draws draws(secret_.sub_key({"screen", content.bound().id, "", 0, attempts_, number}));
  stats::Quad quad{draws.coin() ? stats::Order::candidate_first : stats::Order::incumbent_first, {}};
  for (size_t i = 0; i < 4; ++i) {
    const bool outer = i == 0 || i == 3;
    LoadedArm& arm = outer == (quad.order == stats::Order::candidate_first) ? arms.candidate : arms.incumbent;
    const Digest key = in_block(secret_.sub_key({"screen-content", content.bound().id, "", number, attempts_, i / 2}),
                                {"block", content.bound().id, "screen", 0, attempts_, 0});
    const LaunchRequest request{&content, {key}, device::Distribution::contract, {}};
    HONE_TRY(auto unprepared, prepare(arms.candidate, request));
    if (unprepared) return unprepared;
    HONE_TRY(LaunchResult launched, launch(arm, request));
    if (launched.failure) return std::move(launched.failure);
    quad.t_ns[i] = std::max(launched.nanoseconds, 1.0);
  }
  quads.push_back(quad);
  return std::optional<Failure>();
}

Result<ScreenAnswer> DeviceBench::screen(const task::Candidate& candidate, Nanoseconds time_limit) {
  campaign::ScreenResult result{candidate.digest.hex(), "ok", std::nullopt, ""};
  HONE_TRY(const auto unbuilt, build(ArmName::candidate, candidate));
  if (unbuilt) return failed(std::move(result), *unbuilt);
  HONE_TRY(ScreenArms arms, load_screen_arms());
  if (arms.failure) return failed(std::move(result), *arms.failure);
  HONE_TRY(const auto wrong, screen_check(arms.candidate));
  if (wrong) return failed(std::move(result), *wrong);

  const Nanoseconds until = SystemClock().now() + time_limit;
  double log_ratio = 0;
  double weights = 0;
  for (size_t i = 0; i < timed_.size(); ++i) {
    std::vector<stats::Quad> quads;
    for (uint64_t number = 0; number < k_screen_quads; ++number) {
      HONE_TRY(const auto fault, screen_quad(arms, *timed_[i], number, quads));
      if (fault) return failed(std::move(result), *fault);
      const bool late = SystemClock().now() >= until && quads.size() >= k_early_quads;
      if (late ||
          (job_.screened.size() > 1 && quads.size() == k_early_quads && median_ratio(quads) > k_clear_loser_ratio))
        break;
    }
    if (i == 0 && stats::screen(rule_, quads) == stats::Screen::reject) result.outcome = "slower";
    log_ratio += timed_weights_[i] * std::log(median_ratio(quads));
    weights += timed_weights_[i];
  }
  result.ratio = std::exp(log_ratio / weights);
  return ScreenAnswer{std::move(result), std::nullopt};
}

}  // namespace hone::judge
