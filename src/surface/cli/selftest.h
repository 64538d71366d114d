// `hone selftest --json`: what the judge says of kernels whose difference is known. Gains are ln(t_incumbent /
// t_candidate), round_noise is the standard deviation of a round's gain, shares are fractions. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

struct LadderStep {
  double gain = 0;
  std::string outcome;
  std::optional<double> measured_gain;
};

struct SelftestDocument {
  std::string schema = "hone.selftest/1";
  std::string device;
  std::string toolchain;
  uint64_t identical_runs = 0;
  uint64_t false_promotions = 0;
  double false_promotion_bound = 0;  // 95 % upper bound of the rate that was seen
  double round_noise = 0;
  std::optional<double> smallest_promotable_gain;
  double boundary_stage1_share = 0;
  uint64_t boundary_promotions = 0;
  std::vector<LadderStep> ladder;
  bool label_swap_mirrors = false;
  bool passed = false;
};

template <class A>
void describe(A& a, LadderStep& v) {
  a.field("gain", v.gain);
  a.field("outcome", v.outcome);
  a.field("measured_gain", v.measured_gain);
}

template <class A>
void describe(A& a, SelftestDocument& v) {
  a.field("schema", v.schema);
  a.field("device", v.device);
  a.field("toolchain", v.toolchain);
  a.field("identical_runs", v.identical_runs);
  a.field("false_promotions", v.false_promotions);
  a.field("false_promotion_bound", v.false_promotion_bound);
  a.field("round_noise", v.round_noise);
  a.field("smallest_promotable_gain", v.smallest_promotable_gain);
  a.field("boundary_stage1_share", v.boundary_stage1_share);
  a.field("boundary_promotions", v.boundary_promotions);
  a.field("ladder", v.ladder);
  a.field("label_swap_mirrors", v.label_swap_mirrors);
  a.field("passed", v.passed);
}

}  // namespace hone::cli
