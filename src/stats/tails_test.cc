#include "stats/tails.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/signed_rank.h"
#include "stats/simulate.h"

namespace hone::stats {
namespace {

TEST(Tails, NormalAtKnownPoints) {
  EXPECT_NEAR(normal_upper_tail(0.0), 0.5, 1e-15);
  EXPECT_NEAR(normal_upper_tail(1.959963984540054), 0.025, 1e-12);
  EXPECT_NEAR(normal_upper_tail(-4.0), 1.0 - 3.167124183311986e-5, 1e-12);
}

TEST(Tails, ChiSquareAtKnownPoints) {
  EXPECT_NEAR(chi_square_upper_tail(3.841458820694124, 1.0), 0.05, 1e-9);
  EXPECT_NEAR(chi_square_upper_tail(18.307038053275146, 10.0), 0.05, 1e-9);
  EXPECT_NEAR(chi_square_upper_tail(2.0 * std::log(100.0), 2.0), 0.01, 1e-12);  // exp(-x/2)
  EXPECT_NEAR(chi_square_upper_tail(3.94029913611906, 10.0), 0.95, 1e-9);
}

TEST(Tails, ChiSquareOfZeroIsCertain) { EXPECT_DOUBLE_EQ(chi_square_upper_tail(0.0, 3.0), 1.0); }

TEST(Tails, ChiSquareOfOneDegreeIsTheSquaredNormal) {
  for (double z = 0.1; z < 6.0; z += 0.3) {
    EXPECT_NEAR(chi_square_upper_tail(z * z, 1.0) / (2.0 * normal_upper_tail(z)), 1.0, 1e-9) << z;
  }
}

TEST(Tails, BinomialSmallCases) {
  EXPECT_NEAR(binomial_lower_tail(1, 3, 0.5), 0.5, 1e-12);
  EXPECT_NEAR(binomial_lower_tail(0, 10, 0.1), std::pow(0.9, 10), 1e-12);
  EXPECT_DOUBLE_EQ(binomial_lower_tail(3, 3, 0.7), 1.0);
  EXPECT_DOUBLE_EQ(binomial_lower_tail(2, 3, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(binomial_lower_tail(0, 3, 0.0), 1.0);
}

// The bounds that the selftest prints beside "0 of 300" and "0 of 50".
TEST(Tails, NoneSeenBoundsTheRate) {
  EXPECT_NEAR(rate_upper_bound(0, 300, 0.95), 1.0 - std::pow(0.05, 1.0 / 300.0), 1e-9);
  EXPECT_NEAR(rate_upper_bound(0, 50, 0.95), 0.0582, 5e-5);
  EXPECT_NEAR(rate_upper_bound(5, 5, 0.95), 1.0, 1e-12);
}

// Under delta = 0 and one look of 12 rounds, 4 to 28 of 300 hold nearly always.
TEST(Tails, TheSelftestWindowHoldsItsLevel) {
  const double level = 0.0461426;
  const double below = binomial_lower_tail(3, 300, level);
  const double above = 1.0 - binomial_lower_tail(28, 300, level);
  EXPECT_LT(below + above, 0.001);
}

TEST(Tails, ChiSquareAcceptsTheLawItself) {
  const auto law = signed_rank_law(12);
  std::vector<std::size_t> counts(law.size(), 0);
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    std::vector<double> x;
    for (int j = 0; j < 12; ++j) x.push_back(random.normal());
    ++counts[static_cast<std::size_t>(signed_rank_test(x).contrary_sum)];
  }
  const auto test = chi_square_test(counts, law);
  EXPECT_GT(test.degrees, 40.0);
  EXPECT_GT(test.p, 0.01);
}

TEST(Tails, ChiSquareRejectsAShiftedLaw) {
  const auto law = signed_rank_law(12);
  std::vector<std::size_t> counts(law.size(), 0);
  Random random(8);
  for (int i = 0; i < 3000; ++i) {
    std::vector<double> x;
    for (int j = 0; j < 12; ++j) x.push_back(random.normal() + 0.15);
    ++counts[static_cast<std::size_t>(signed_rank_test(x).contrary_sum)];
  }
  EXPECT_LT(chi_square_test(counts, law).p, 1e-6);
}

TEST(Tails, ChiSquareByHand) {
  const std::vector<std::size_t> counts{30, 70};
  const std::vector<double> law{0.5, 0.5};
  const auto test = chi_square_test(counts, law);
  EXPECT_DOUBLE_EQ(test.value, 16.0);
  EXPECT_DOUBLE_EQ(test.degrees, 1.0);
}

TEST(Tails, RareValuesAreMergedWithTheirNeighbours) {
  const std::vector<std::size_t> counts{1, 49, 49, 1};
  const std::vector<double> law{0.01, 0.49, 0.49, 0.01};
  const auto test = chi_square_test(counts, law);
  EXPECT_DOUBLE_EQ(test.degrees, 1.0);
  EXPECT_NEAR(test.value, 0.0, 1e-12);
}

TEST(Tails, TooFewObservationsProveNothing) {
  const std::vector<std::size_t> counts{4, 0};
  const std::vector<double> law{0.5, 0.5};
  EXPECT_DOUBLE_EQ(chi_square_test(counts, law).p, 1.0);
  EXPECT_DOUBLE_EQ(chi_square_test(counts, law).degrees, 0.0);
}

}  // namespace
}  // namespace hone::stats
