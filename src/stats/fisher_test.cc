#include "stats/fisher.h"

#include <gtest/gtest.h>

namespace hone::stats {
namespace {

TEST(Fisher, TheLadyTastingTea) {
  EXPECT_NEAR(fisher_exact_p({3, 1, 1, 3}), 34.0 / 70.0, 1e-9);
  EXPECT_NEAR(fisher_exact_p({4, 0, 0, 4}), 2.0 / 70.0, 1e-9);
}

// Tables 0..5 have weights 1, 25, 100, 100, 25, 1 of 252; 5-0 against 1-4 leaves 25 + 1 at each end
// shifted by the margins: C(5,k) C(5,6-k) / C(10,6) with k = 1..5: 5, 50, 100, 50, 5 of 210.
TEST(Fisher, AddsEveryTableThatIsNoLikelier) { EXPECT_NEAR(fisher_exact_p({5, 0, 1, 4}), 10.0 / 210.0, 1e-9); }

TEST(Fisher, EqualSharesGiveOne) { EXPECT_DOUBLE_EQ(fisher_exact_p({10, 90, 10, 90}), 1.0); }

TEST(Fisher, EmptyMarginsSayNothing) {
  EXPECT_DOUBLE_EQ(fisher_exact_p({0, 0, 0, 0}), 1.0);
  EXPECT_NEAR(fisher_exact_p({0, 60, 0, 60}), 1.0, 1e-9);
  EXPECT_NEAR(fisher_exact_p({7, 60, 0, 0}), 1.0, 1e-9);
}

TEST(Fisher, DoesNotCareWhichGroupIsFirst) {
  EXPECT_NEAR(fisher_exact_p({12, 300, 3, 310}), fisher_exact_p({3, 310, 12, 300}), 1e-12);
  EXPECT_NEAR(fisher_exact_p({12, 300, 3, 310}), fisher_exact_p({300, 12, 310, 3}), 1e-9);
}

TEST(Fisher, LargeOneSidedLossesAreUnlikely) {
  EXPECT_LT(fisher_exact_p({40, 4000, 5, 4000}), 1e-6);
  EXPECT_GT(fisher_exact_p({40, 4000, 35, 4000}), 0.4);
}

}  // namespace
}  // namespace hone::stats
