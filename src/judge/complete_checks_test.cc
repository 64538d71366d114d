#include "judge/complete_checks.h"

#include <gtest/gtest.h>

#include <set>

#include "judge/constants.h"

namespace hone::judge {
namespace {

Secret secret_of(uint8_t seed) {
  std::array<uint8_t, 32> bytes{};
  bytes[0] = seed;
  return Secret(bytes);
}

size_t rounds_with_checks(const Secret& secret, std::string_view stage, uint64_t first, uint64_t count) {
  size_t rounds = 0;
  for (uint64_t round = first; round < first + count; ++round)
    rounds += complete_checks(secret, {stage, round, 0, 40}, OracleSpeed::slow).empty() ? 0 : 1;
  return rounds;
}

TEST(CompleteChecks, EveryRoundHasTwoPairs) {
  for (uint64_t round = 0; round < 48; ++round) {
    const auto pairs = complete_checks(secret_of(1), {"stage1", round, 0, 20}, OracleSpeed::fast);
    ASSERT_EQ(pairs.size(), k_checked_pairs_per_round);
    EXPECT_LT(pairs[0], pairs[1]);
    EXPECT_LT(pairs[1], 20u);
  }
}

TEST(CompleteChecks, NeverMoreThanThereArePairs) {
  EXPECT_EQ(complete_checks(secret_of(1), {"stage1", 0, 0, 1}, OracleSpeed::fast).size(), 1u);
  EXPECT_TRUE(complete_checks(secret_of(1), {"stage1", 0, 0, 0}, OracleSpeed::fast).empty());
}

TEST(CompleteChecks, EveryPairMayBeDrawn) {
  std::set<uint64_t> seen;
  for (uint64_t round = 0; round < 200; ++round) {
    for (const uint64_t pair : complete_checks(secret_of(2), {"stage1", round, 0, 10}, OracleSpeed::fast))
      seen.insert(pair);
  }
  EXPECT_EQ(seen.size(), 10u);
}

TEST(CompleteChecks, AreAnotherDrawForEverySecretAndAttempt) {
  std::set<std::vector<uint64_t>> draws;
  for (uint8_t seed = 0; seed < 20; ++seed)
    draws.insert(complete_checks(secret_of(seed), {"stage1", 0, 0, 1000}, OracleSpeed::fast));
  for (uint64_t attempt = 1; attempt < 20; ++attempt)
    draws.insert(complete_checks(secret_of(0), {"stage1", 0, attempt, 1000}, OracleSpeed::fast));
  EXPECT_EQ(draws.size(), 39u);
}

// Whatever the secret: at the first look and at the end of a confirmation four rounds have been checked.
TEST(CompleteChecks, ASlowOracleIsStillAskedFourTimesAStage) {
  for (uint8_t seed = 0; seed < 50; ++seed) {
    const Secret secret = secret_of(seed);
    EXPECT_EQ(rounds_with_checks(secret, "stage1", 0, 12), k_slow_checks_per_stage);
    EXPECT_EQ(rounds_with_checks(secret, "stage1", 12, 12), k_slow_checks_per_stage);
    EXPECT_EQ(rounds_with_checks(secret, "confirmation", 0, 24), k_slow_checks_per_stage);
  }
}

TEST(CompleteChecks, WhichRoundsTheseAreIsSecret) {
  std::set<uint64_t> rounds;
  for (uint8_t seed = 0; seed < 60; ++seed) {
    for (uint64_t round = 0; round < 12; ++round) {
      if (!complete_checks(secret_of(seed), {"stage1", round, 0, 40}, OracleSpeed::slow).empty()) rounds.insert(round);
    }
  }
  EXPECT_EQ(rounds.size(), 12u);
}

TEST(CompleteChecks, ARepeatedRoundIsCheckedLikeItsFirstAttempt) {
  for (uint64_t round = 0; round < 12; ++round) {
    const auto first = complete_checks(secret_of(3), {"stage1", round, 0, 40}, OracleSpeed::slow);
    const auto again = complete_checks(secret_of(3), {"stage1", round, 5, 40}, OracleSpeed::slow);
    EXPECT_EQ(first.size(), again.size());
  }
}

TEST(PlannedRounds, AreThoseOfTheRule) {
  EXPECT_EQ(planned_rounds("stage1"), 12u);
  EXPECT_EQ(planned_rounds("repetition"), 12u);
  EXPECT_EQ(planned_rounds("confirmation"), 24u);
}

}  // namespace
}  // namespace hone::judge
