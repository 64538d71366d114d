#include "stats/periodic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/simulate.h"

namespace hone::stats {
namespace {

std::vector<double> noise(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> residuals;
  for (std::size_t i = 0; i < n; ++i) residuals.push_back(0.01 * random.normal());
  return residuals;
}

TEST(Periodic, CleanSeriesRarelyAlarm) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    alarms += std::abs(strongest_periodic_effect(noise(960, seed))->z) > k_periodic_z ? 1 : 0;
  }
  EXPECT_LE(alarms, 7);
}

TEST(Periodic, FindsAnEffectOfTheFirstLaunchOfEachQuad) {
  auto residuals = noise(960, 1);
  for (std::size_t i = 0; i < residuals.size(); i += 4) residuals[i] += 0.006;
  const auto effect = strongest_periodic_effect(residuals).value();
  EXPECT_GT(effect.z, k_periodic_z);
  EXPECT_EQ(effect.period, 4U);
  EXPECT_EQ(effect.phase, 0U);
  EXPECT_NEAR(effect.mean, 0.006, 0.002);
}

TEST(Periodic, FindsTheLongestPeriod) {
  auto residuals = noise(1600, 2);
  for (std::size_t i = 11; i < residuals.size(); i += 16) residuals[i] -= 0.01;
  const auto effect = strongest_periodic_effect(residuals).value();
  EXPECT_LT(effect.z, -k_periodic_z);
  EXPECT_EQ(effect.period, 16U);
  EXPECT_EQ(effect.phase, 11U);
}

TEST(Periodic, NothingToFindIsUnavailable) {
  EXPECT_FALSE(strongest_periodic_effect(noise(31, 3)).has_value());
  EXPECT_TRUE(strongest_periodic_effect(noise(32, 3)).has_value());
  EXPECT_FALSE(strongest_periodic_effect(std::vector<double>(64, 0.0)).has_value());
}

}  // namespace
}  // namespace hone::stats
