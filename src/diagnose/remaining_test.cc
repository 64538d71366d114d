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
  EXPECT_EQ(to_text(r).substr(0, to_text(r).find("  - ")),
            "distance to the floor: 35.0 % of the time lies above it\n"
            "tiers tried: 1, 2; untried: 3, 5, 4\n"
            "algorithmic redesign: no flag is open, so tuning what is there will not close the gap\n");
  EXPECT_NE(to_text(r).find("running maximum"), std::string::npos);
  EXPECT_NE(to_text(r).find("to go on: hone resume --max-iterations +5\n"), std::string::npos);
}

TEST(Remaining, ASmallGapOrAnOpenFlagDoesNot) {
  EXPECT_FALSE(what_remains(with_gap(0.20), {1}, "gemm").algorithmic_redesign);
  EXPECT_FALSE(what_remains(with_gap({}), {1}, "gemm").algorithmic_redesign);
  Diagnosis flagged = with_gap(0.5);
  flagged.flags = {"launch"};
  const Remaining r = what_remains(flagged, {1}, "gemm");
  EXPECT_FALSE(r.algorithmic_redesign);
  EXPECT_TRUE(r.patterns.empty());
  EXPECT_NE(to_text(r).find("open flag: launch\n"), std::string::npos);
}

TEST(Remaining, AnUnknownFloorIsSaid) {
  EXPECT_NE(to_text(what_remains(with_gap({}), {}, "")).find("unknown"), std::string::npos);
  EXPECT_NE(to_text(what_remains(with_gap({}), {}, "")).find("tiers tried: none"), std::string::npos);
}

TEST(Remaining, PatternsFitTheKindAndItsOtherNames) {
  EXPECT_EQ(algorithmic_patterns("matmul"), algorithmic_patterns("gemm"));
  EXPECT_GT(algorithmic_patterns("gemm").size(), algorithmic_patterns("no such kind").size());
  EXPECT_FALSE(algorithmic_patterns("no such kind").empty());
}

}  // namespace
}  // namespace hone::diagnose
