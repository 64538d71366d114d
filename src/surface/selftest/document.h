// `hone selftest --json`: what the judge says of kernels whose difference is known. Gains are ln(t_incumbent /
// t_candidate), round_noise is the standard deviation of a round's gain, shares are fractions. A test that had too
// little to go on is absent. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

// Identical kernels of one kind.
struct FamilyResult {
  std::string family;
  uint64_t runs = 0;
  uint64_t promotions = 0;
  double rate_bound = 0;  // 95 % upper bound of the promotion rate (Clopper–Pearson)
};

// With δ = 0 and one look after the first rounds of exact copies, p must be what chance makes it.
struct SingleLook {
  uint64_t comparisons = 0;
  uint64_t below_005 = 0;
  uint64_t least = 0;  // fewer, or more than `most`, is no chance
  uint64_t most = 0;
  double chi_square_p = 1;  // of the contrary rank sums against their exact law
};

struct LadderStep {
  double gain = 0;
  std::string outcome;                  // of the last comparison
  std::optional<double> measured_gain;  // median
  uint64_t runs = 1;
  uint64_t promotions = 0;
  std::optional<double> expected_share;  // promoted of a gain as measured, simulated with this machine's noise
};

// Does time depend on the place in the schedule?
struct PeriodicResult {
  uint64_t comparisons = 0;
  uint64_t beyond = 0;     // what chance shows once in 100, and above a quarter of δ
  double median_size = 0;  // of the strongest effect, |ln|
};

// What answers took; medians over quiet comparisons.
struct Cost {
  double kernel_seconds = 0;
  std::optional<double> rejection_seconds;  // for which the device is held (JUDGE.md 2)
  std::optional<double> promotion_seconds;
  std::map<std::string, double> step_shares;  // of all that was waited for, the reference included
};

struct SelftestDocument {
  std::string schema = "hone.selftest/1";
  std::string device;
  std::string toolchain;
  std::string finished;  // UTC
  std::string device_key;
  uint64_t identical_runs = 0;
  uint64_t false_promotions = 0;
  double false_promotion_bound = 0;  // 95 % upper bound of the rate that was seen
  std::vector<FamilyResult> families;
  double round_noise = 0;
  std::optional<double> skewness;  // of d; beyond 1 a confirmation takes twice the rounds
  std::optional<double> smallest_promotable_gain;
  uint64_t boundary_campaigns = 0;  // resampled, with a gain of exactly δ
  double boundary_stage1_share = 0;
  uint64_t boundary_promotions = 0;
  std::optional<SingleLook> single_look;
  std::optional<PeriodicResult> periodic;
  std::vector<LadderStep> ladder;
  std::optional<Cost> cost;
  bool label_swap_mirrors = false;
  std::vector<std::string> faults;  // why it did not pass
  bool passed = false;
};

template <class A>
void describe(A& a, FamilyResult& v) {
  a.field("family", v.family);
  a.field("runs", v.runs);
  a.field("promotions", v.promotions);
  a.field("rate_bound", v.rate_bound);
}

template <class A>
void describe(A& a, SingleLook& v) {
  a.field("comparisons", v.comparisons);
  a.field("below_005", v.below_005);
  a.field("least", v.least);
  a.field("most", v.most);
  a.field("chi_square_p", v.chi_square_p);
}

template <class A>
void describe(A& a, LadderStep& v) {
  a.field("gain", v.gain);
  a.field("outcome", v.outcome);
  a.field("measured_gain", v.measured_gain);
  a.field("runs", v.runs);
  a.field("promotions", v.promotions);
  a.field("expected_share", v.expected_share);
}

template <class A>
void describe(A& a, Cost& v) {
  a.field("kernel_seconds", v.kernel_seconds);
  a.field("rejection_seconds", v.rejection_seconds);
  a.field("promotion_seconds", v.promotion_seconds);
  a.field("step_shares", v.step_shares);
}

template <class A>
void describe(A& a, PeriodicResult& v) {
  a.field("comparisons", v.comparisons);
  a.field("beyond", v.beyond);
  a.field("median_size", v.median_size);
}

template <class A>
void describe(A& a, SelftestDocument& v) {
  a.field("schema", v.schema);
  a.field("device", v.device);
  a.field("toolchain", v.toolchain);
  a.field("finished", v.finished);
  a.field("device_key", v.device_key);
  a.field("identical_runs", v.identical_runs);
  a.field("false_promotions", v.false_promotions);
  a.field("false_promotion_bound", v.false_promotion_bound);
  a.field("families", v.families);
  a.field("round_noise", v.round_noise);
  a.field("skewness", v.skewness);
  a.field("smallest_promotable_gain", v.smallest_promotable_gain);
  a.field("boundary_campaigns", v.boundary_campaigns);
  a.field("boundary_stage1_share", v.boundary_stage1_share);
  a.field("boundary_promotions", v.boundary_promotions);
  a.field("single_look", v.single_look);
  a.field("periodic", v.periodic);
  a.field("ladder", v.ladder);
  a.field("cost", v.cost);
  a.field("label_swap_mirrors", v.label_swap_mirrors);
  a.field("faults", v.faults);
  a.field("passed", v.passed);
}

}  // namespace hone::cli
