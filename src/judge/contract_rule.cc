#include "judge/contract_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/clusters.h"

namespace hone::judge {

namespace {

bool is_zero(double value) { return value == 0.0; }

void check_all_zero(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk) {
  if (!rule.compare.reject_all_zero || !std::all_of(found.begin(), found.end(), is_zero)) return;
  const auto other = std::find_if_not(truth.values.begin(), truth.values.end(), is_zero);
  if (other == truth.values.end()) return;
  walk.fail(static_cast<uint64_t>(other - truth.values.begin()), *other, 0.0, "every element is zero");
}

// Hard limits, which no matched ratio softens.
void check_limits(const task::Compare& compare, uint64_t i, double truth, double found, Walk& walk) {
  const double error = std::abs(found - truth);
  if (compare.error_cap && !(error <= *compare.error_cap)) walk.fail(i, truth, found, "above the contract's error_cap");
  if (compare.ceiling && !(error <= *compare.ceiling * tolerance_of(compare, truth, found)))
    walk.fail(i, truth, found, "above the contract's ceiling");
}

void check_total(const OutputRule& rule, double total, const std::vector<double>& found, const Truth& truth,
                 uint64_t worst, Walk& walk) {
  const double allowed = tolerance_of(rule.compare, 0.0, 0.0);
  if (!(total <= allowed))
    walk.fail(worst, truth.values[worst], found[worst],
              fmt::format("all errors add up to {:.3g}, and the contract allows {:.3g}", total, allowed));
}

void check_mismatches(const OutputRule& rule, const std::vector<uint64_t>& mismatches, const std::vector<double>& found,
                      const Truth& truth, Walk& walk) {
  if (mismatches.empty()) return;
  const auto fail_at = [&](uint64_t i, std::string reason) {
    walk.fail(i, truth.values[i], found[i], std::move(reason));
  };
  const double count = static_cast<double>(rule.count);
  const double matched = (count - static_cast<double>(mismatches.size())) / count;
  if (!(matched >= rule.compare.matched_ratio)) return fail_at(mismatches.front(), "outside the contract's tolerance");
  if (const auto cluster = find_cluster(mismatches, rule.count, rule.row_length))
    fail_at(cluster->first_index,
            fmt::format("mismatches sit together: {} of {} neighbours", cluster->mismatches, cluster->group));
}

}  // namespace

double tolerance_of(const task::Compare& compare, double truth, double found) {
  const double scale =
      std::abs(compare.relative_to == task::RelativeTo::reference ? truth : found) + compare.relative_floor;
  const double absolute = compare.absolute_tolerance.value_or(0.0);
  const double relative = compare.relative_tolerance.value_or(0.0) * scale;
  switch (compare.rule) {
    case task::CompareRule::absolute:
    case task::CompareRule::total:
      return absolute;
    case task::CompareRule::relative:
      return relative;
    case task::CompareRule::both:
      return std::max(absolute, relative);
    case task::CompareRule::either:
      return std::min(absolute, relative);
    case task::CompareRule::allclose:
      return absolute + relative;
    case task::CompareRule::bound:
    case task::CompareRule::exact:
      return 0.0;
  }
  return 0.0;
}

void check_contract_rule(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk) {
  const task::Compare& compare = rule.compare;
  const bool nothing_stated =
      compare.rule == task::CompareRule::bound && !compare.error_cap && !compare.reject_all_zero;
  if (nothing_stated) return;
  check_all_zero(rule, found, truth, walk);
  const bool alone = compare.rule == task::CompareRule::bound;  // then only the limits are the contract's
  const bool summed = compare.rule == task::CompareRule::total;
  std::vector<uint64_t> mismatches;
  double total = 0;
  uint64_t worst = 0;
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (!comparable(walk, compare.nonfinite, i, truth.values[i], found[i])) continue;
    const double error = std::abs(found[i] - truth.values[i]);
    walk.error(error, truth.values[i]);
    check_limits(compare, i, truth.values[i], found[i], walk);
    total += error;
    if (error > std::abs(found[worst] - truth.values[worst])) worst = i;
    const bool within = alone || summed || error <= tolerance_of(compare, truth.values[i], found[i]);
    if (!within) mismatches.push_back(i);
  }
  if (summed) check_total(rule, total, found, truth, worst, walk);
  check_mismatches(rule, mismatches, found, truth, walk);
}

}  // namespace hone::judge
