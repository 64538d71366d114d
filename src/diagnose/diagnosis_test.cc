#include "diagnose/diagnosis.h"

#include <gtest/gtest.h>

namespace hone::diagnose {
namespace {

using task::Bound;

CaseEvidence evidence(double memory_seconds, double arithmetic_seconds, std::optional<double> seconds,
                      std::string id = "a", double weight = 1.0) {
  Floor floor;
  floor.terms = {{Resource::memory, "memory", memory_seconds, {}, {}},
                 {Resource::arithmetic, "f32", arithmetic_seconds, {}, {}}};
  floor.binding = memory_seconds >= arithmetic_seconds ? floor.terms[0] : floor.terms[1];
  floor.seconds = floor.binding.seconds;
  return {std::move(id), weight, floor, seconds};
}

TEST(TierOrder, IsThePublishedRuleWithCounters) {
  EXPECT_EQ(tier_order(Bound::memory, Evidence::counters), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(tier_order(Bound::compute, Evidence::counters), (std::vector<int>{3, 1, 5, 2, 4}));
  EXPECT_EQ(tier_order(Bound::latency, Evidence::counters), (std::vector<int>{4, 3, 1, 2, 5}));
}

TEST(TierOrder, WithoutAProfilerTierOneLeadsForEveryKind) {
  EXPECT_EQ(tier_order(Bound::memory, Evidence::roofline), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(tier_order(Bound::compute, Evidence::roofline), (std::vector<int>{1, 3, 5, 2, 4}));
  EXPECT_EQ(tier_order(Bound::latency, Evidence::roofline), (std::vector<int>{1, 4, 3, 2, 5}));
  EXPECT_EQ(tier_order({}, Evidence::roofline), (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST(Diagnosis, AClearRooflineDecides) {
  const auto memory = diagnose({evidence(1.5e-3, 1e-3, 6e-3)}, {}, 10e-6);
  EXPECT_EQ(memory.bound, Bound::memory);
  EXPECT_EQ(memory.source, "roofline of the contract");
  EXPECT_EQ(memory.confidence, Confidence::medium);
  EXPECT_DOUBLE_EQ(*memory.floor_fraction, 0.25);
  EXPECT_DOUBLE_EQ(*memory.gap_fraction, 0.75);
  EXPECT_EQ(diagnose({evidence(1e-3, 1.6e-3, {})}, {}, {}).bound, Bound::compute);
}

TEST(Diagnosis, AnUnclearRooflineGivesWayToTheAuthor) {
  const auto declared = diagnose({evidence(1.4e-3, 1e-3, 6e-3)}, Bound::compute, {});
  EXPECT_EQ(declared.bound, Bound::compute);
  EXPECT_EQ(declared.source, "declared in the contract");
  EXPECT_EQ(declared.confidence, Confidence::low);
  EXPECT_TRUE(declared.warnings.empty());
  const auto alone = diagnose({evidence(1.4e-3, 1e-3, 6e-3)}, {}, {});
  EXPECT_EQ(alone.bound, Bound::memory);
  EXPECT_EQ(alone.confidence, Confidence::low);
}

TEST(Diagnosis, DisagreementIsAWarning) {
  const auto d = diagnose({evidence(5e-3, 1e-3, 6e-3)}, Bound::compute, {});
  EXPECT_EQ(d.bound, Bound::memory);
  ASSERT_EQ(d.warnings.size(), 1u);
  EXPECT_NE(d.warnings[0].find("'compute'"), std::string::npos);
  EXPECT_NE(d.warnings[0].find("'memory'"), std::string::npos);
  EXPECT_TRUE(diagnose({evidence(5e-3, 1e-3, 6e-3)}, Bound::memory, {}).warnings.empty());
}

TEST(Diagnosis, OnlyDeclaredIsLowConfidenceAndSaysSo) {
  const auto d = diagnose({{"a", 1.0, {}, 1e-3}}, Bound::latency, {});
  EXPECT_EQ(d.bound, Bound::latency);
  EXPECT_EQ(d.confidence, Confidence::low);
  EXPECT_EQ(d.tiers, (std::vector<int>{1, 4, 3, 2, 5}));
  EXPECT_NE(d.tier_reason.find("confidence low"), std::string::npos);
  EXPECT_FALSE(d.gap_fraction);
}

TEST(Diagnosis, NothingKnownIsSaid) {
  const auto d = diagnose({}, {}, {});
  EXPECT_FALSE(d.bound);
  EXPECT_FALSE(d.floor_fraction);
  EXPECT_EQ(d.tiers.size(), 5u);
  EXPECT_NE(d.tier_reason.find("unknown"), std::string::npos);
}

TEST(Diagnosis, NearTheEmptyLaunchIsLatency) {
  const auto d = diagnose({evidence(5e-6, 1e-6, 29e-6)}, Bound::memory, 10e-6);
  EXPECT_EQ(d.bound, Bound::latency);
  EXPECT_TRUE(d.has_flag("launch"));
  EXPECT_EQ(d.warnings.size(), 1u);
  EXPECT_EQ(diagnose({evidence(0.5, 0.1, 3.0)}, {}, 1.0).bound, Bound::memory) << "three launches are not under three";
}

TEST(Diagnosis, WeightsDecideWhatMostCasesAre) {
  const auto small = evidence(5e-6, 1e-6, 20e-6, "small", 1.0);
  const auto large = evidence(5e-3, 1e-3, 9e-3, "large", 3.0);
  EXPECT_EQ(diagnose({small, large}, {}, 10e-6).bound, Bound::memory);
  const auto heavy = evidence(5e-6, 1e-6, 20e-6, "small", 4.0);
  EXPECT_EQ(diagnose({heavy, large}, {}, 10e-6).bound, Bound::latency);
}

TEST(Diagnosis, AtTheFloorIsFlaggedAndBelowItIsAWarning) {
  EXPECT_TRUE(diagnose({evidence(0.96e-3, 1e-4, 1e-3)}, {}, {}).has_flag("at_floor"));
  EXPECT_FALSE(diagnose({evidence(0.94e-3, 1e-4, 1e-3)}, {}, {}).has_flag("at_floor"));
  const auto impossible = diagnose({evidence(2e-3, 1e-4, 1e-3)}, {}, {});
  ASSERT_EQ(impossible.warnings.size(), 1u);
  EXPECT_EQ(*impossible.gap_fraction, 0.0);
}

TEST(Diagnosis, FractionIsTheWeightedGeometricMean) {
  const auto d = diagnose({evidence(1.0, 0.1, 2.0, "a", 1.0), evidence(1.0, 0.1, 4.0, "b", 3.0)}, {}, {});
  EXPECT_NEAR(*d.floor_fraction, 0.29730, 1e-5);  // (1/2 · (1/4)³)^(1/4)
}

TEST(Diagnosis, GoesThroughJson) {
  const auto d = diagnose({evidence(5e-3, 1e-3, 6e-3)}, Bound::compute, 10e-6);
  const auto again = json::from_text<Diagnosis>(json::to_text(d));
  ASSERT_TRUE(again);
  EXPECT_EQ(json::to_text(*again), json::to_text(d));
}

}  // namespace
}  // namespace hone::diagnose
