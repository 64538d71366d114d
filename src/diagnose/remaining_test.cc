#include "diagnose/remaining.h"

#include <gtest/gtest.h>

namespace hone::diagnose {
namespace {

Diagnosis with_gap(std::optional<double> gap) {
  Diagnosis d;
  d.gap_fraction = gap;
  d.tiers = {1, 3, 5, 2, 4};
  return d;
}

TEST(Remaining, ALargeGapWithoutAFlagAsksForAnotherAlgorithm) {
  const Remaining r = what_remains(with_gap(0.35), {1, 2}, "softmax");
  EXPECT_TRUE(r.algorithmic_redesign);
  EXPECT_EQ(r.tiers_tried, (std::vector<int>{1, 2}));
  EXPECT_EQ(r.tiers_untried, (std::vector<int>{3, 5, 4}));
  EXPECT_EQ(r.patterns.front(), "one pass with a running maximum and a rescaled sum instead of three");
}

TEST(Remaining, ASmallGapOrAnOpenFlagDoesNot) {
  EXPECT_FALSE(what_remains(with_gap(0.20), {1}, "gemm").algorithmic_redesign);
  EXPECT_FALSE(what_remains(with_gap({}), {1}, "gemm").algorithmic_redesign);
  Diagnosis flagged = with_gap(0.5);
  flagged.flags = {"launch"};
  const Remaining r = what_remains(flagged, {1}, "gemm");
  EXPECT_FALSE(r.algorithmic_redesign);
  EXPECT_TRUE(r.patterns.empty());
  EXPECT_EQ(r.open_flags, (std::vector<std::string>{"launch"}));
}

TEST(Remaining, AnUnknownFloorHasNoGap) {
  const Remaining r = what_remains(with_gap({}), {}, "");
  EXPECT_FALSE(r.gap_fraction.has_value());
  EXPECT_TRUE(r.tiers_tried.empty());
}

TEST(Remaining, PatternsFitTheKindAndItsOtherNames) {
  EXPECT_EQ(algorithmic_patterns("matmul"), algorithmic_patterns("gemm"));
  EXPECT_GT(algorithmic_patterns("gemm").size(), algorithmic_patterns("no such kind").size());
  EXPECT_FALSE(algorithmic_patterns("no such kind").empty());
}

}  // namespace
}  // namespace hone::diagnose
