#include "stats/periodic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "stats/simulate.h"

namespace hone::stats {
namespace {

using Rounds = std::vector<std::vector<double>>;

Rounds noise(std::size_t rounds, std::size_t launches, std::uint64_t seed) {
  Random random(seed);
  Rounds all(rounds);
  for (auto& round : all) {
    for (std::size_t i = 0; i < launches; ++i) round.push_back(0.01 * random.normal());
  }
  return all;
}

void add(Rounds& rounds, std::size_t period, std::size_t phase, double effect) {
  for (auto& round : rounds) {
    for (std::size_t i = phase; i < round.size(); i += period) round[i] += effect;
  }
}

int alarms_of(const std::function<Rounds(std::uint64_t)>& make, std::uint64_t comparisons) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < comparisons; ++seed)
    alarms += strongest_periodic_effect(make(seed))->p_value <= k_periodic_p ? 1 : 0;
  return alarms;
}

TEST(Periodic, CleanRoundsRarelyAlarm) {
  EXPECT_LE(alarms_of([](std::uint64_t seed) { return noise(12, 80, seed); }, 200), 7);
}

// The timer's tick: a launch of every twelve is longer, another one of the twelve in every round.
TEST(Periodic, WhatEachRoundHasInAnotherPlaceIsNoEffectOfThePlace) {
  const auto ticks = [](std::uint64_t seed) {
    Rounds rounds = noise(12, 240, seed);
    Random random(seed + 1000);
    for (auto& round : rounds) {
      const auto phase = static_cast<std::size_t>(random.uniform() * 12);
      for (std::size_t i = phase; i < round.size(); i += 12) round[i] += 0.16;
    }
    return rounds;
  };
  EXPECT_LE(alarms_of(ticks, 200), 7);
}

TEST(Periodic, FindsAnEffectOfTheFirstLaunchOfEachQuad) {
  Rounds rounds = noise(12, 80, 1);
  add(rounds, 4, 0, 0.006);
  const auto effect = strongest_periodic_effect(rounds).value();
  EXPECT_LE(effect.p_value, k_periodic_p);
  EXPECT_EQ(effect.period, 4U);
  EXPECT_EQ(effect.phase, 0U);
  EXPECT_NEAR(effect.mean, 0.006, 0.002);
}

TEST(Periodic, FindsItUnderTicks) {
  Rounds rounds = noise(12, 640, 1);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (std::size_t i = 5 * r % 12; i < rounds[r].size(); i += 12) rounds[r][i] += 0.02;
  }
  add(rounds, 4, 3, -0.006);
  const auto effect = strongest_periodic_effect(rounds).value();
  EXPECT_LE(effect.p_value, k_periodic_p);
  EXPECT_EQ(effect.period, 4U);
  EXPECT_EQ(effect.phase, 3U);
}

TEST(Periodic, FindsTheLongestPeriod) {
  Rounds rounds = noise(10, 160, 2);
  add(rounds, 16, 11, -0.01);
  const auto effect = strongest_periodic_effect(rounds).value();
  EXPECT_LE(effect.p_value, k_periodic_p);
  EXPECT_LT(effect.mean, 0);
  EXPECT_EQ(effect.period, 16U);
  EXPECT_EQ(effect.phase, 11U);
}

TEST(Periodic, NothingToFindIsUnavailable) {
  EXPECT_FALSE(strongest_periodic_effect(Rounds()).has_value());
  EXPECT_FALSE(strongest_periodic_effect(noise(3, 31, 3)).has_value());
  EXPECT_TRUE(strongest_periodic_effect(noise(3, 32, 3)).has_value());
  EXPECT_FALSE(strongest_periodic_effect(Rounds(4, std::vector<double>(64, 0.0))).has_value());
}

}  // namespace
}  // namespace hone::stats
