#include "judge/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace hone::judge {
namespace {

Secret counting_secret() {
  std::array<uint8_t, 32> bytes;
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return Secret(bytes);
}

const LaunchName k_name{"content", "large", "stage1", 3, 1, 7};

// Made with another implementation of HMAC-SHA256 over "7:content5:large6:stage11:31:11:7".
TEST(SubKey, IsHmacOverLengthPrefixedFields) {
  EXPECT_EQ(counting_secret().sub_key(k_name).hex(),
            "f69ef0d2daf55613b71d7a8593dce750b1829ea85f8aabad13c39fe6e253d0d1");
  EXPECT_EQ(Secret(std::array<uint8_t, 32>{}).sub_key({"", "", "", 0, 0, 0}).hex(),
            "fe866cf3e68de61c6e9f38ce0809d66ef44926f6b2f9ecf10b93673565baafbc");
}

TEST(SubKey, DependsOnEveryField) {
  std::vector<LaunchName> names(7, k_name);
  names[1].purpose = "poison";
  names[2].case_id = "small";
  names[3].stage = "confirmation";
  names[4].round = 4;
  names[5].attempt = 2;
  names[6].launch = 8;
  std::set<Digest> keys;
  for (const LaunchName& name : names) keys.insert(counting_secret().sub_key(name));
  EXPECT_EQ(keys.size(), names.size());
}

TEST(SubKey, FieldsDoNotRunIntoEachOther) {
  const Secret secret = counting_secret();
  EXPECT_NE(secret.sub_key({"ab", "c", "", 0, 0, 0}), secret.sub_key({"a", "bc", "", 0, 0, 0}));
  EXPECT_NE(secret.sub_key({"a", "", "b", 0, 0, 0}), secret.sub_key({"a", "b", "", 0, 0, 0}));
  EXPECT_NE(secret.sub_key({"", "", "", 1, 11, 0}), secret.sub_key({"", "", "", 11, 1, 0}));
}

TEST(SubKey, EverySecretHasItsOwn) { EXPECT_NE(Secret().sub_key(k_name), Secret().sub_key(k_name)); }

TEST(Draws, AreTheBlocksOfTheKey) {
  Draws draws(counting_secret().sub_key(k_name));
  EXPECT_EQ(draws.next(), 16772183942921423314u);
  EXPECT_EQ(draws.next(), 8504802454111991835u);
  EXPECT_EQ(draws.next(), 10515790727784691103u);
}

TEST(Draws, OfOneKeyRepeatAndOfAnotherDiffer) {
  Draws a(sha256("a")), again(sha256("a")), b(sha256("b"));
  const uint64_t first = a.next();
  EXPECT_EQ(first, again.next());
  EXPECT_NE(first, b.next());
}

TEST(Draws, BelowStaysBelow) {
  Draws draws(sha256("below"));
  for (int i = 0; i < 1000; ++i) EXPECT_LT(draws.below(7), 7u);
  EXPECT_EQ(draws.below(1), 0u);
}

// Chi-square on 6 cells at 1e-6: 5 degrees of freedom, critical value 38.
TEST(Draws, BelowIsUniform) {
  Draws draws(sha256("uniform"));
  std::array<double, 6> seen{};
  constexpr double k_draws = 6000;
  for (int i = 0; i < k_draws; ++i) ++seen[draws.below(6)];
  double chi = 0;
  for (const double count : seen) chi += (count - k_draws / 6) * (count - k_draws / 6) / (k_draws / 6);
  EXPECT_LT(chi, 38.0);
}

// With a limit of 3·2^62 a plain remainder would draw the lowest third twice as often as it should.
TEST(Draws, BelowHasNoModuloBias) {
  Draws draws(sha256("bias"));
  constexpr uint64_t k_limit = 3ull << 62;
  int low = 0;
  constexpr int k_draws = 3000;
  for (int i = 0; i < k_draws; ++i) low += draws.below(k_limit) < (1ull << 62) ? 1 : 0;
  EXPECT_NEAR(low, k_draws / 3, 150);  // six standard deviations; biased it would be 1500
}

TEST(Draws, CoinsAreFair) {
  Draws draws(sha256("coins"));
  int heads = 0;
  for (int i = 0; i < 4000; ++i) heads += draws.coin() ? 1 : 0;
  EXPECT_NEAR(heads, 2000, 190);  // six standard deviations
}

TEST(Draws, AShuffleIsAPermutationAndEveryOrderComesUp) {
  Draws draws(sha256("shuffle"));
  std::map<std::vector<int>, int> seen;
  for (int i = 0; i < 1200; ++i) {
    std::vector<int> items{1, 2, 3};
    draws.shuffle(items);
    ++seen[items];
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items, (std::vector<int>{1, 2, 3}));
  }
  ASSERT_EQ(seen.size(), 6u);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 200, 80);
}

}  // namespace
}  // namespace hone::judge
