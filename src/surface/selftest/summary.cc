#include "surface/selftest/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "stats/estimate.h"
#include "stats/periodic.h"
#include "stats/signed_rank.h"
#include "stats/simulate.h"
#include "stats/tails.h"

namespace hone::cli {

namespace {

constexpr size_t k_campaigns = 300;            // resampled campaigns of an expected share
constexpr size_t k_boundary_campaigns = 3000;  // of the boundary test: 300 would fail one sound machine in a hundred
constexpr double k_boundary_stage1 = 0.03;     // an injected gain of δ may pass stage 1 this often
constexpr size_t k_boundary_promotions = 10;   // and both stages this often
constexpr double k_power = 0.90;
constexpr uint64_t k_seed = 20261129;
// Below this many comparisons chance explains anything. 300 are asked for.
constexpr size_t k_fewest_for_law = 100;
// What chance does once in ten thousand times is a fault: a gate of several tests must not fail by itself.
constexpr double k_rare = 1e-4;
constexpr double k_single_look_alpha = 0.05;
// 4 to 28 of 300.
constexpr double k_too_few = 5e-4;
constexpr double k_too_many = 2e-4;
constexpr double k_law_p = 0.001;
// A periodic effect that cannot matter beside δ is a fact about the machine and no fault of the schedule: arms take
// their places in a quad by a fair coin.
constexpr double k_periodic_share_of_delta = 0.25;
constexpr double k_periodic_by_chance = 0.01;  // see stats/periodic.h

using Chosen = std::vector<const TrialRecord*>;

Chosen of_family(std::span<const TrialRecord> records, Family family) {
  Chosen chosen;
  for (const TrialRecord& record : records) {
    if (record.family == family) chosen.push_back(&record);
  }
  return chosen;
}

bool is_promoted(const TrialRecord& record) { return record.outcome == name_of(campaign::Outcome::faster); }

uint64_t promotions(const Chosen& records) {
  return static_cast<uint64_t>(
      std::count_if(records.begin(), records.end(), [](const auto* r) { return is_promoted(*r); }));
}

constexpr Family k_identical[] = {Family::exact, Family::renamed, Family::loaded};

void identical_kernels(std::span<const TrialRecord> records, SelftestDocument& document) {
  for (const Family family : k_identical) {
    const Chosen chosen = of_family(records, family);
    if (chosen.empty()) continue;
    const uint64_t promoted = promotions(chosen);
    document.families.push_back({std::string(name_of(family)), chosen.size(), promoted,
                                 stats::rate_upper_bound(promoted, chosen.size(), 0.95)});
    document.identical_runs += chosen.size();
    document.false_promotions += promoted;
  }
  document.false_promotion_bound = stats::rate_upper_bound(document.false_promotions, document.identical_runs, 0.95);
}

// Gains of rounds of identical kernels on the machine as it is: not those under the load that was put on.
std::vector<double> quiet_gains(std::span<const TrialRecord> records) {
  std::vector<double> gains;
  for (const TrialRecord& record : records) {
    if (record.family != Family::exact && record.family != Family::renamed) continue;
    gains.insert(gains.end(), record.stage1_gains.begin(), record.stage1_gains.end());
  }
  return gains;
}

std::vector<double> centred(const std::vector<double>& gains) {
  const double centre = stats::mean(gains);
  std::vector<double> noise;
  for (const double gain : gains) noise.push_back(centre - gain);
  return noise;
}

// The machine's own noise with a gain of exactly δ put in: how often would the rule promote it?
void boundary(const stats::Noise& noise, SelftestDocument& document) {
  const stats::Rule rule;
  document.smallest_promotable_gain = stats::smallest_promotable_gain(rule, noise, k_power, k_campaigns, k_seed);
  const stats::Tally tally =
      stats::simulate(rule, {}, stats::rounds_with(rule.delta_fraction, noise), k_boundary_campaigns, k_seed);
  document.boundary_campaigns = tally.campaigns;
  document.boundary_stage1_share = tally.stage1_share();
  document.boundary_promotions = tally.count(stats::Reason::confirmed);
}

void set_limits(SingleLook& look, double rate) {
  while (stats::binomial_lower_tail(look.least, look.comparisons, rate) < k_too_few) ++look.least;
  look.most = look.least;
  while (1.0 - stats::binomial_lower_tail(look.most, look.comparisons, rate) > k_too_many) ++look.most;
}

void single_look(std::span<const TrialRecord> records, SelftestDocument& document) {
  const size_t rounds = stats::Rule{}.looks.front().rounds;
  const std::vector<double> law = stats::signed_rank_law(rounds);
  std::vector<size_t> sums(law.size());
  SingleLook look;
  for (const TrialRecord* record : of_family(records, Family::exact)) {
    if (record->stage1_gains.size() < rounds) continue;
    const auto test = stats::signed_rank_test(std::span(record->stage1_gains).first(rounds));
    ++look.comparisons;
    look.below_005 += test.p < k_single_look_alpha ? 1 : 0;
    ++sums[std::min(static_cast<size_t>(std::lround(test.contrary_sum)), law.size() - 1)];
  }
  if (look.comparisons < k_fewest_for_law) return;
  double rate = 0;  // the law is discrete: a little less than 0.05
  for (size_t w = 0; w <= *stats::critical_sum(rounds, k_single_look_alpha); ++w) rate += law[w];
  set_limits(look, rate);
  look.chi_square_p = stats::chi_square_test(sums, law).p;
  document.single_look = look;
}

void periodic(std::span<const TrialRecord> records, SelftestDocument& document) {
  PeriodicResult result;
  std::vector<double> sizes;
  for (const TrialRecord& record : records) {
    if (!record.periodic_p || record.family == Family::loaded) continue;
    const double size = std::abs(*record.periodic_mean);
    sizes.push_back(size);
    const bool matters = size > k_periodic_share_of_delta * stats::Rule{}.delta_fraction;
    result.beyond += matters && *record.periodic_p <= stats::k_periodic_p ? 1 : 0;
  }
  if (sizes.empty()) return;
  result.comparisons = sizes.size();
  result.median_size = stats::median(sizes);
  document.periodic = result;
}

LadderStep step_of(const Chosen& records, double gain, const stats::Noise& noise) {
  LadderStep step;
  step.gain = gain;
  step.runs = records.size();
  step.promotions = promotions(records);
  step.outcome = records.back()->outcome;
  std::vector<double> measured;
  for (const TrialRecord* record : records) {
    if (record->gain) measured.push_back(std::expm1(*record->gain));
  }
  if (measured.empty()) return step;
  step.measured_gain = stats::median(measured);
  step.expected_share =
      stats::simulate({}, {}, stats::rounds_with(*step.measured_gain, noise), k_campaigns, k_seed).promoted_share();
  return step;
}

void ladder(std::span<const TrialRecord> records, const stats::Noise& noise, SelftestDocument& document) {
  const Chosen all = of_family(records, Family::ladder);
  for (size_t i = 0; i < std::size(k_ladder); ++i) {
    Chosen chosen;
    for (const TrialRecord* record : all) {
      if (record->index % std::size(k_ladder) == i) chosen.push_back(record);
    }
    if (!chosen.empty()) document.ladder.push_back(step_of(chosen, k_ladder[i] / 1000.0, noise));
  }
}

void labels(std::span<const TrialRecord> records, SelftestDocument& document) {
  const Chosen swapped = of_family(records, Family::swapped);
  const auto slower = [](const TrialRecord* r) { return r->outcome == name_of(campaign::Outcome::not_faster); };
  const bool forward = !document.ladder.empty() && document.ladder.back().promotions == document.ladder.back().runs;
  document.label_swap_mirrors = forward && !swapped.empty() && std::all_of(swapped.begin(), swapped.end(), slower);
}

// ---- what must hold ----

void check(SelftestDocument& document, bool holds, const std::string& fault) {
  if (!holds) document.faults.push_back(fault);
}

// A share estimated from `k_campaigns` simulations is not known better than to this.
constexpr double k_share_error = 0.02;

// As few or as many promotions as the expected share brings by chance; a gain below δ never.
bool is_plausible(const LadderStep& step) {
  if (step.gain < stats::Rule{}.delta_fraction) return step.promotions == 0;
  if (!step.expected_share) return false;
  const double most = std::min(1.0, *step.expected_share + k_share_error);
  const double least = std::max(0.0, *step.expected_share - k_share_error);
  const bool too_few = stats::binomial_lower_tail(step.promotions, step.runs, least) < k_rare;
  const bool too_many =
      step.promotions > 0 && 1.0 - stats::binomial_lower_tail(step.promotions - 1, step.runs, most) < k_rare;
  return !too_few && !too_many;
}

void judge_single_look(SelftestDocument& document) {
  if (!document.single_look) return;
  const SingleLook& look = *document.single_look;
  check(document, look.below_005 >= look.least && look.below_005 <= look.most,
        fmt::format("p below 0.05 in {} of {} single looks, {} to {} are chance", look.below_005, look.comparisons,
                    look.least, look.most));
  check(document, look.chi_square_p > k_law_p,
        fmt::format("rank sums do not follow their exact law (p = {:.2g})", look.chi_square_p));
}

void judge_all(SelftestDocument& document) {
  check(document, document.false_promotions == 0,
        fmt::format("{} of {} identical kernels promoted", document.false_promotions, document.identical_runs));
  check(
      document, document.boundary_stage1_share <= k_boundary_stage1,
      fmt::format("a gain of exactly 1 % passes stage 1 in {} of campaigns", percent(document.boundary_stage1_share)));
  check(document, document.boundary_promotions <= k_boundary_promotions,
        fmt::format("a gain of exactly 1 % is promoted in {} of {}", document.boundary_promotions,
                    document.boundary_campaigns));
  judge_single_look(document);
  if (document.periodic) {
    const PeriodicResult& p = *document.periodic;
    const bool chance =
        p.beyond == 0 || 1.0 - stats::binomial_lower_tail(p.beyond - 1, p.comparisons, k_periodic_by_chance) >= k_rare;
    check(document, chance,
          fmt::format("time depends on the place in the schedule in {} of {} comparisons", p.beyond, p.comparisons));
  }
  for (const LadderStep& step : document.ladder)
    check(document, is_plausible(step),
          fmt::format("a gain of {} was promoted {} of {} times, {} expected", percent(step.gain), step.promotions,
                      step.runs, step.expected_share ? percent(*step.expected_share) : "nothing"));
  check(document, document.label_swap_mirrors, "exchanged labels do not mirror the answer");
  document.passed = document.faults.empty();
}

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

void cost(std::span<const TrialRecord> records, SelftestDocument& document) {
  std::vector<double> kernels, rejections, promotions;
  Cost cost;
  double all = 0;
  for (const TrialRecord& record : records) {
    if (!record.device_seconds || !record.kernel_seconds || record.family == Family::loaded) continue;
    kernels.push_back(*record.kernel_seconds);
    (is_promoted(record) ? promotions : rejections).push_back(*record.device_seconds);
    for (const auto& [step, seconds] : record.step_seconds) {
      cost.step_shares[step] += seconds;
      all += seconds;
    }
  }
  if (kernels.empty()) return;
  for (auto& [step, share] : cost.step_shares) share /= std::max(all, 1e-9);
  cost.kernel_seconds = stats::median(kernels);
  cost.rejection_seconds = median_of(rejections);
  cost.promotion_seconds = median_of(promotions);
  document.cost = std::move(cost);
}

}  // namespace

SelftestDocument summarise(std::span<const TrialRecord> records) {
  SelftestDocument document;
  identical_kernels(records, document);
  const std::vector<double> gains = quiet_gains(records);
  document.round_noise = stats::standard_deviation(gains).value_or(0.0);
  document.skewness = stats::skewness(gains);
  const stats::Noise noise = stats::resampled(centred(gains));
  boundary(noise, document);
  single_look(records, document);
  periodic(records, document);
  ladder(records, noise, document);
  labels(records, document);
  cost(records, document);
  judge_all(document);
  return document;
}

namespace {

std::string step_text(const LadderStep& step) {
  std::string text = fmt::format("ladder {}: ", percent(step.gain));
  text += step.runs == 1 ? step.outcome : fmt::format("{} of {} promoted", step.promotions, step.runs);
  if (step.measured_gain) text += fmt::format(", measured {}", signed_percent(*step.measured_gain, 2));
  if (step.expected_share) text += fmt::format(", {} expected with this noise", percent(*step.expected_share, 0));
  return text + "\n";
}

std::string cost_text(const Cost& cost) {
  std::vector<std::string> answers;
  if (cost.rejection_seconds) answers.push_back(human_time(*cost.rejection_seconds) + " a rejection");
  if (cost.promotion_seconds) answers.push_back(human_time(*cost.promotion_seconds) + " a promotion");
  std::vector<std::string> shares;
  for (const auto& [step, share] : cost.step_shares) shares.push_back(fmt::format("{} {}", step, percent(share, 0)));
  return fmt::format("device time for a kernel of {}: {}; waited for: {}\n", human_time(cost.kernel_seconds),
                     join(answers, ", "), join(shares, ", "));
}

}  // namespace

std::string to_text(const SelftestDocument& d) {
  std::string text = fmt::format("{} · {}\n", d.device, d.toolchain);
  for (const FamilyResult& family : d.families)
    text += fmt::format("identical kernels, {}: {} of {} promoted (rate at most {} with 95 % confidence)\n",
                        family.family, family.promotions, family.runs, percent(family.rate_bound));
  text += fmt::format("round noise: {}{}\n", percent(d.round_noise, 2),
                      d.skewness ? fmt::format(", skewness {:.2f}", *d.skewness) : "");
  if (d.smallest_promotable_gain)
    text += fmt::format("smallest gain promoted nine times in ten: {}\n", percent(*d.smallest_promotable_gain));
  text += fmt::format("boundary (a gain of exactly 1 %): stage 1 passed {} of {} resampled campaigns, {} promoted\n",
                      percent(d.boundary_stage1_share), d.boundary_campaigns, d.boundary_promotions);
  if (d.single_look)
    text += fmt::format("one look with δ = 0: p < 0.05 in {} of {} ({} to {} are chance), exact law p = {:.2g}\n",
                        d.single_look->below_005, d.single_look->comparisons, d.single_look->least, d.single_look->most,
                        d.single_look->chi_square_p);
  if (d.periodic)
    text += fmt::format("place in the schedule: an effect that matters in {} of {} comparisons, its median {}\n",
                        d.periodic->beyond, d.periodic->comparisons, percent(d.periodic->median_size, 3));
  for (const LadderStep& step : d.ladder) text += step_text(step);
  if (d.cost) text += cost_text(*d.cost);
  text += fmt::format("label swap: {}\n", d.label_swap_mirrors ? "mirrors" : "DOES NOT MIRROR");
  for (const std::string& fault : d.faults) text += "fault: " + fault + "\n";
  return text + (d.passed ? "passed\n" : "FAILED: do not trust promotions on this machine\n");
}

std::string sentence(const SelftestDocument& d) {
  std::string text =
      fmt::format("{} on {}: {} of {} identical kernels promoted, round noise {}", d.passed ? "passed" : "FAILED",
                  d.finished.substr(0, 10), d.false_promotions, d.identical_runs, percent(d.round_noise, 2));
  if (d.smallest_promotable_gain)
    text += fmt::format(", smallest gain promoted nine times in ten {}", percent(*d.smallest_promotable_gain));
  return text;
}

}  // namespace hone::cli
