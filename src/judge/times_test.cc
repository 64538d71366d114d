#include "judge/times.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

RoundRecord record_of(std::vector<std::string> orders, std::vector<std::vector<double>> times_ns) {
  RoundRecord record;
  record.cases.push_back({"large", std::move(orders), std::move(times_ns), 0, 0});
  return record;
}

TEST(AddRound, SortsLaunchesByArmInBothOrders) {
  const RoundRecord record = record_of({"ABBA", "BAAB"}, {{1, 2, 3, 4}, {5, 6, 7, 8}});
  LaunchTimes incumbent, candidate;
  add_round(incumbent, record, ArmName::incumbent);
  add_round(candidate, record, ArmName::candidate);
  EXPECT_EQ(incumbent["large"], (std::vector<double>{1, 4, 6, 7}));
  EXPECT_EQ(candidate["large"], (std::vector<double>{2, 3, 5, 8}));
}

TEST(AddRound, AddsToWhatIsThere) {
  LaunchTimes times;
  add_round(times, record_of({"ABBA"}, {{1, 2, 3, 4}}), ArmName::incumbent);
  add_round(times, record_of({"ABBA"}, {{5, 6, 7, 8}}), ArmName::incumbent);
  EXPECT_EQ(times["large"], (std::vector<double>{1, 4, 5, 8}));
}

TEST(CaseTimes, AreSecondsOfSortedNanoseconds) {
  const campaign::CaseTimes times = case_times("large", 2.5, {3e6, 1e6, 2e6});
  EXPECT_EQ(times.case_id, "large");
  EXPECT_EQ(times.weight, 2.5);
  EXPECT_EQ(times.launches, 3u);
  EXPECT_DOUBLE_EQ(times.minimum_s, 1e-3);
  EXPECT_DOUBLE_EQ(times.p50_s, 2e-3);
  EXPECT_DOUBLE_EQ(times.mean_s, 2e-3);
  EXPECT_LE(times.p50_s, times.p95_s);
  EXPECT_LE(times.p95_s, times.p99_s);
  EXPECT_FALSE(times.floor_s);
}

TEST(ToRound, CarriesOrdersTimesAndDiscards) {
  RoundRecord record = record_of({"ABBA", "BAAB"}, {{1, 2, 3, 4}, {5, 6, 7, 8}});
  record.cases[0].discarded_incumbent_first = 3;
  record.cases[0].discarded_candidate_first = 1;
  const stats::Round round = to_round(record, {"small", "large"});
  ASSERT_EQ(round.cases.size(), 1u);
  EXPECT_EQ(round.cases[0].case_index, 1u);
  EXPECT_EQ(round.cases[0].quads[0].order, stats::Order::incumbent_first);
  EXPECT_EQ(round.cases[0].quads[1].order, stats::Order::candidate_first);
  EXPECT_EQ(round.cases[0].quads[1].t_ns, (std::array<double, 4>{5, 6, 7, 8}));
  EXPECT_EQ(round.cases[0].discarded.incumbent_first, 3u);
  EXPECT_EQ(round.cases[0].discarded.candidate_first, 1u);
}

TEST(ToRound, ACaseThatIsNotTimedIsOutOfRange) {
  EXPECT_EQ(to_round(record_of({"ABBA"}, {{1, 2, 3, 4}}), {"small"}).cases[0].case_index, 1u);
}

TEST(CandidateText, RoundTripsThroughItsText) {
  const task::Candidate candidate =
      task::make_candidate({{"b.cpp", true, "two"}, {"a.cpp", false, "one"}}, {{{"BLOCK", "64"}}, {"O3"}});
  const task::Candidate back = to_candidate(to_text(candidate));
  EXPECT_EQ(back.digest, candidate.digest);
  EXPECT_EQ(back.variant, candidate.variant);
  ASSERT_EQ(back.files.size(), 2u);
  EXPECT_TRUE(back.find("b.cpp")->executable);
}

TEST(CandidateText, ItsOwnLaunchesTravelToo) {
  const std::string launches = "\n[[launch]]\ngrid = [1]\nblock = [64]\n";
  const task::Candidate candidate = task::make_candidate({{"a.cu", false, "one"}}, {{}, {}, launches});
  const task::Candidate back = to_candidate(to_text(candidate));
  EXPECT_EQ(back.variant.launches, launches);
  EXPECT_EQ(back.digest, candidate.digest);
  EXPECT_NE(back.digest, task::make_candidate({{"a.cu", false, "one"}}, {}).digest);
}

}  // namespace
}  // namespace hone::judge
