#include "diagnose/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace hone::diagnose {
namespace {

using task::Bound;

// Weighted seconds of each kind of floor over all cases: long cases count for more, as they do for the user.
struct Roofline {
  double memory_seconds = 0;
  double arithmetic_seconds = 0;
};

double seconds_of(const FloorTerm* term) { return term != nullptr ? term->seconds : 0.0; }

Roofline roofline_of(const std::vector<CaseEvidence>& cases) {
  Roofline sum;
  for (const CaseEvidence& one : cases) {
    if (!one.floor) continue;
    sum.memory_seconds += one.weight * seconds_of(one.floor->largest(Resource::memory));
    sum.arithmetic_seconds += one.weight * seconds_of(one.floor->largest(Resource::arithmetic));
  }
  return sum;
}

bool is_known(const Roofline& r) { return r.memory_seconds > 0 || r.arithmetic_seconds > 0; }

Bound larger_of(const Roofline& r) { return r.memory_seconds >= r.arithmetic_seconds ? Bound::memory : Bound::compute; }

bool is_clear(const Roofline& r) {
  const auto [less, more] = std::minmax(r.memory_seconds, r.arithmetic_seconds);
  return more >= k_clear_ratio * less;
}

// Cases that hold more than half of the weight take less than three empty launches.
bool is_near_launch(const std::vector<CaseEvidence>& cases, std::optional<double> empty_launch_seconds) {
  if (!empty_launch_seconds) return false;
  double near = 0;
  double all = 0;
  for (const CaseEvidence& one : cases) {
    if (!one.seconds) continue;
    all += one.weight;
    if (*one.seconds < k_launch_multiple * *empty_launch_seconds) near += one.weight;
  }
  return near > all / 2;
}

std::optional<double> mean_fraction(const std::vector<CaseEvidence>& cases) {
  double sum = 0;
  double weights = 0;
  for (const CaseEvidence& one : cases) {
    if (!one.floor || !one.seconds) continue;
    sum += one.weight * std::log(fraction_of_floor(*one.floor, *one.seconds));
    weights += one.weight;
  }
  if (weights <= 0) return {};
  return std::exp(sum / weights);
}

// What the evidence says without the author's word.
struct Computed {
  std::optional<Bound> bound;
  bool clear = false;
  std::string why;
};

Computed compute_bound(const Diagnosis& diagnosis, std::optional<double> empty_launch_seconds) {
  if (is_near_launch(diagnosis.cases, empty_launch_seconds)) {
    return {Bound::latency, true,
            fmt::format("under {:.0f} empty launches of {}", k_launch_multiple, human_time(*empty_launch_seconds))};
  }
  const Roofline roofline = roofline_of(diagnosis.cases);
  if (!is_known(roofline)) return {};
  return {larger_of(roofline), is_clear(roofline),
          fmt::format("memory needs {}, arithmetic {}", human_time(roofline.memory_seconds),
                      human_time(roofline.arithmetic_seconds))};
}

void settle_bound(Diagnosis& diagnosis, const Computed& computed, std::optional<Bound> declared) {
  const bool trust_roofline = computed.bound && (computed.clear || !declared);
  diagnosis.bound = trust_roofline ? computed.bound : declared;
  diagnosis.confidence = computed.clear ? Confidence::medium : Confidence::low;
  if (diagnosis.bound) diagnosis.source = trust_roofline ? "roofline of the contract" : "declared in the contract";
  if (!diagnosis.bound) diagnosis.source = "nothing: no [work], no ceilings, no declared bound";
}

void warn(Diagnosis& diagnosis, const Computed& computed, std::optional<Bound> declared) {
  if (declared && computed.bound && computed.clear && *declared != *computed.bound) {
    diagnosis.warnings.push_back(fmt::format("[work] bound says '{}', the roofline says '{}': {}", name_of(*declared),
                                             name_of(*computed.bound), computed.why));
  }
  for (const CaseEvidence& one : diagnosis.cases) {
    if (one.floor && one.seconds && fraction_of_floor(*one.floor, *one.seconds) > 1.0) {
      diagnosis.warnings.push_back(
          fmt::format("case '{}' is faster than its floor: [work] or the ceilings are wrong", one.id));
    }
  }
}

std::string reason_for(const Diagnosis& diagnosis) {
  const std::string bound = diagnosis.bound ? std::string(name_of(*diagnosis.bound)) : "unknown";
  return fmt::format("no profiler: tier 1 first, then the order for {} ({}, confidence {})", bound, diagnosis.source,
                     name_of(diagnosis.confidence));
}

std::vector<int> published_order(std::optional<Bound> bound) {
  if (bound == Bound::memory) return {1, 2, 3};
  if (bound == Bound::compute) return {3, 1, 5};
  if (bound == Bound::latency) return {4, 3};
  return {};
}

}  // namespace

bool Diagnosis::has_flag(std::string_view name) const {
  return std::find(flags.begin(), flags.end(), name) != flags.end();
}

std::vector<int> tier_order(std::optional<Bound> bound, Evidence evidence) {
  std::vector<int> wanted = published_order(bound);
  if (evidence == Evidence::roofline) wanted.insert(wanted.begin(), 1);
  wanted.insert(wanted.end(), {1, 2, 3, 4, 5});
  std::vector<int> order;
  for (const int tier : wanted) {
    if (std::find(order.begin(), order.end(), tier) == order.end()) order.push_back(tier);
  }
  return order;
}

Diagnosis diagnose(std::vector<CaseEvidence> cases, std::optional<Bound> declared,
                   std::optional<double> empty_launch_seconds) {
  Diagnosis diagnosis;
  diagnosis.cases = std::move(cases);
  const Computed computed = compute_bound(diagnosis, empty_launch_seconds);
  settle_bound(diagnosis, computed, declared);
  warn(diagnosis, computed, declared);
  diagnosis.floor_fraction = mean_fraction(diagnosis.cases);
  if (diagnosis.floor_fraction) diagnosis.gap_fraction = std::max(0.0, 1.0 - *diagnosis.floor_fraction);
  if (is_near_launch(diagnosis.cases, empty_launch_seconds)) diagnosis.flags.push_back("launch");
  if (diagnosis.floor_fraction.value_or(0.0) >= k_at_floor_fraction) diagnosis.flags.push_back("at_floor");
  diagnosis.tiers = tier_order(diagnosis.bound, Evidence::roofline);
  diagnosis.tier_reason = reason_for(diagnosis);
  return diagnosis;
}

}  // namespace hone::diagnose
