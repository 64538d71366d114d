// The judge's duties in every launch, on a device that writes down what was asked of it: texts "A" (incumbent), "B"
// (candidate) and "V" (baseline) are kernels for y = a · x; planted faults show that each duty is done, and who is
// blamed.
#include "judge/device_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "judge/constants.h"
#include "judge/testing/fake_device.h"
#include "judge/testing/fake_oracle.h"
#include "task/task_folder_for_tests.h"

namespace hone::judge {
namespace {

using campaign::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t k_x = 1, k_y = 2;

void honest(FakeLaunch& launch) {
  const auto a = static_cast<float>(std::get<double>(launch.plan.scalars[0]));
  for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] = a * launch.floats(k_x)[i];
}

// Honest but for one thing.
Behaviour honest_but(Behaviour twist) {
  return [twist = std::move(twist)](FakeLaunch& launch) {
    honest(launch);
    twist(launch);
  };
}

Behaviour wrong_when(std::function<bool(const FakeLaunch&)> when) {
  return honest_but([when = std::move(when)](FakeLaunch& launch) {
    if (when(launch)) launch.floats(k_y)[launch.count(k_y) / 2] += 1000;
  });
}

std::map<std::string, std::string> task_files() {
  auto files = task::scale_files();
  std::string toml(task::k_scale_toml);
  toml = task::replaced(toml, "bind = { n = 1023, a = -0.5 }", "bind = { n = 37, a = -0.5 }");
  toml = task::replaced(toml, "bind = { n = 1_000_000, a = 1.5 }", "bind = { n = 100, a = 1.5 }");
  toml +=
      "\n[[cases]]\nid = \"wide\"\nuse = [\"verify\", \"time\"]\nbind = { n = 20000, a = 0.75 }\n";  // 80 kB: more than
                                                                                                     // its tiles
  files["task.toml"] = toml;
  return files;
}

CandidateText text_of(const std::string& text) { return {{{"kernel.cpp", false, text}}, {}, {}}; }

class BenchTest : public testing::Test {
 protected:
  BenchTest() {
    for (const char* text : {"A", "B", "V"}) device_.behaviours[text] = honest;
    job_.candidate = text_of("B");
    job_.baseline = text_of("V");
  }

  void make_bench(uint8_t seed = 1) {
    std::array<uint8_t, 32> bytes{};
    bytes[0] = seed;
    bench_.reset();
    auto made =
        DeviceBench::make(task_, job_, device_, {Secret(bytes), std::make_unique<FakeOracle>(oracle_, device_)});
    ASSERT_TRUE(made) << to_text(made.error());
    bench_ = std::move(*made);
  }
  void build(ArmName arm, const std::string& text) {
    const auto built = bench_->build(arm, to_candidate(text_of(text)));
    ASSERT_TRUE(built) << to_text(built.error());
    ASSERT_FALSE(*built);
  }
  // Both arms built and tried, as before the first round; the log begins with the round.
  void ready(uint8_t seed = 1) {
    make_bench(seed);
    build(ArmName::incumbent, "A");
    build(ArmName::candidate, "B");
    EXPECT_FALSE(verify(ArmName::incumbent, 0, 5).failure);
    EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
    forget();
  }
  void forget() {
    device_.log.acts.clear();
    device_.log.staged.clear();
    device_.log.loads.clear();
    device_.log.loaded.clear();
    device_.log.gathered.clear();
    oracle_.asked.clear();
    oracle_.arms_alive_when_asked.clear();
  }
  TrialsAnswer verify(ArmName arm, uint64_t first, uint64_t count) {
    auto answer = bench_->verify(arm, first, count);
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? std::move(*answer) : TrialsAnswer{};
  }
  RoundAnswer round(uint64_t index = 0, const std::string& stage = "stage1") {
    auto answer = bench_->round({stage, index});
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? std::move(*answer) : RoundAnswer{};
  }
  uint64_t launches_of(const std::string& text) { return device_.log.launches[text]; }

  void v0_is_the_truth(double absolute_tolerance) {
    task_.oracle.kind = task::OracleKind::baseline;
    task_.arguments[k_y].compare.rule = task::CompareRule::absolute;
    task_.arguments[k_y].compare.absolute_tolerance = absolute_tolerance;
  }

  task::TaskFolder folder_{task_files()};
  task::Task task_ = *folder_.read().task;
  JudgingJob job_;
  FakeDevice device_;
  FakeOracleState oracle_;
  std::unique_ptr<DeviceBench> bench_;
};

// ---- one launch
// -------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, EveryLaunchIsStagedLaunchedCollectedAndScrubbedBeforeTheNext) {
  ready();
  round();
  std::vector<std::string> launches;
  for (const std::string& act : device_.log.acts) {
    if (!act.starts_with("load") && !act.starts_with("end")) launches.push_back(act);
  }
  ASSERT_EQ(launches.size() % 4, 0u);
  ASSERT_GT(launches.size(), 100u);
  for (size_t i = 0; i < launches.size(); i += 4) {
    const std::string arm = launches[i].substr(launches[i].size() - 1);
    ASSERT_EQ(launches[i], "stage " + arm);
    ASSERT_EQ(launches[i + 1], "launch " + arm);
    ASSERT_EQ(launches[i + 2], "collect " + arm);
    ASSERT_EQ(launches[i + 3], "scrub " + arm);
  }
}

TEST_F(BenchTest, OutputsArePoisonBeforeALaunch) {
  size_t seen = 0;
  device_.behaviours["B"] = [&](FakeLaunch& launch) {
    for (size_t i = 0; i < launch.count(k_y); ++i) seen += std::isnan(launch.floats(k_y)[i]) ? 0 : 1;
    honest(launch);
  };
  ready();
  round();
  EXPECT_EQ(seen, 0u);
}

TEST_F(BenchTest, TheDeclaredCacheStateIsAskedOfEveryLaunch) {
  ready();
  round();
  for (const Staged& staged : device_.log.staged) EXPECT_EQ(staged.cache, device::CacheState::cold);
  task_.policy.cache = task::CacheState::warm;
  ready();
  round();
  for (const Staged& staged : device_.log.staged) EXPECT_EQ(staged.cache, device::CacheState::warm);
}

TEST_F(BenchTest, ShortLaunchesAreTimedInGroupsOfTheirOwnContents) {
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 20e3; });
  ready();
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.record);
  const auto acts = device_.log.acts;
  const auto first = std::find(acts.begin(), acts.end(), "stage A");
  ASSERT_GT(acts.end() - first, 0);
  std::set<Digest> keys;
  for (const Staged& staged : device_.log.staged) keys.insert(staged.sub_key);
  // Five launches of 20 µs make a unit of 100 µs, each pair of units five contents.
  const auto launches = static_cast<size_t>(
      std::count_if(acts.begin(), acts.end(), [](const auto& act) { return act.starts_with("launch"); }));
  EXPECT_EQ(device_.log.staged.size(), 5 * (launches - 2 * k_probe_launches) + 2 * k_probe_launches);
  EXPECT_EQ(keys.size(), (device_.log.staged.size() - 2 * k_probe_launches) / 2 + 2 * k_probe_launches);
  EXPECT_DOUBLE_EQ(answer.record->cases[0].times_ns[0][0], 20e3);
}

// Whoever answers a whole group in its last launch is right in all of them, and no launch of its is any faster.
TEST_F(BenchTest, AConfirmationIsTimedLaunchByLaunch) {
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 20e3; });
  ready();
  const RoundAnswer answer = round(0, "confirmation");
  ASSERT_TRUE(answer.record);
  const auto launches = static_cast<size_t>(std::count_if(device_.log.acts.begin(), device_.log.acts.end(),
                                                          [](const auto& act) { return act.starts_with("launch"); }));
  EXPECT_EQ(device_.log.staged.size(), launches);
  EXPECT_EQ(answer.record->cases[0].times_ns.size(), stats::quads_per_round(stats::Rule(), 20e3, 0.2e9));
}

TEST_F(BenchTest, AConfirmationOnADeviceTakesHalfTheQuads) {
  device_.be_device_only();
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 20e3; });
  ready();
  EXPECT_EQ(round(0, "stage1").record->cases[0].times_ns.size(), stats::Rule().max_quads);
  EXPECT_EQ(round(0, "confirmation").record->cases[0].times_ns.size(), stats::Rule().max_quads / 2);
}

TEST_F(BenchTest, KernelsWithThreadsAreNeverTimedInGroups) {
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 20e3; });
  task_.limits.threads = 2;
  ready();
  round();
  const auto launches = static_cast<size_t>(std::count_if(device_.log.acts.begin(), device_.log.acts.end(),
                                                          [](const auto& act) { return act.starts_with("launch"); }));
  EXPECT_EQ(device_.log.staged.size(), launches);
}

// ---- windows
// ----------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, WindowsTakeTheTimeOfManyLaunchesLessThatOfTheCacheStates) {
  device_.be_device_only();
  for (const char* text : {"A", "B"}) {
    device_.behaviours[text] = honest_but([text = std::string(text)](FakeLaunch& launch) {
      launch.nanoseconds = text == "A" ? 1e5 : 1e3;  // what the device's clock says
      launch.by_the_judges_clock_ns = text == "A" ? 1e5 : 9e4;
    });
  }
  ready();
  ASSERT_TRUE(round().record);
  forget();
  const auto answer = bench_->windows();
  ASSERT_TRUE(answer) << to_text(answer.error());
  ASSERT_FALSE(answer->failure);
  ASSERT_EQ(answer->records.size(), k_windows);
  for (const RoundRecord& record : answer->records) {
    ASSERT_EQ(record.cases.size(), 2u);
    EXPECT_NEAR(record.cases[0].times_ns[0][0], 1e5, 1.0);
    EXPECT_NEAR(record.cases[0].times_ns[0][1], 9e4, 1.0);
  }
  // Both arms on the same contents, other ones in each window.
  std::set<Digest> keys;
  for (const Staged& staged : device_.log.staged) keys.insert(staged.sub_key);
  EXPECT_EQ(keys.size(), k_windows * 2 * k_sets_of_a_device);
  EXPECT_GE(answer->oracle_checks, 2 * 2 * k_windows);
}

TEST_F(BenchTest, WhatIsWrongAtTheEndOfAWindowIsFound) {
  device_.be_device_only();
  bool in_windows = false;
  device_.behaviours["B"] = wrong_when([&](const FakeLaunch&) { return in_windows; });
  ready();
  ASSERT_TRUE(round().record);
  in_windows = true;
  const auto answer = bench_->windows();
  ASSERT_TRUE(answer && answer->failure);
  EXPECT_EQ(answer->failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(answer->failure->arm, ArmName::candidate);
}

TEST_F(BenchTest, ThereAreNoWindowsWhereTheJudgesClockDecidesOrWorkIsDoneInPlace) {
  ready();
  EXPECT_TRUE(bench_->windows()->records.empty());
  device_.be_device_only();
  task_.arguments[k_y].role = task::Role::inout;
  const auto answer = bench_->windows();
  EXPECT_TRUE(answer->records.empty());
  EXPECT_THAT(answer->note, HasSubstr("updated in place"));
  task_.arguments[k_y].role = task::Role::out;
  task_.arguments[0].role = task::Role::symbol;
  EXPECT_THAT(bench_->windows()->note, HasSubstr("a constant cannot change"));
}

// ---- one round
// --------------------------------------------------------------------------------------------------------------------------

// In a confirmation the arms are processes of their own: whoever launches, the other one had the device before.
TEST_F(BenchTest, TheDeviceChangesHandsBeforeEveryLaunchOfProcessesApart) {
  device_.be_device_only();
  ready();
  for (const std::string stage : {"stage1", "confirmation"}) {
    ASSERT_TRUE(round(0, stage).record);
    forget();
    ASSERT_TRUE(round(1, stage).record);
    std::string last;
    size_t twice = 0;
    size_t steps = 0;
    for (const std::string& act : device_.log.acts) {
      const bool step = act.starts_with("step in ");
      if (!step && !act.starts_with("launch ")) continue;
      twice += !last.empty() && act.back() == last.back() ? 1 : 0;
      steps += step ? 1 : 0;
      last = act;
    }
    EXPECT_EQ(steps > 0, stage == "confirmation");
    EXPECT_EQ(twice > 0, stage == "stage1");
  }
}

TEST_F(BenchTest, ArmsThatAreApartTakeTheirProcessesByTheCoin) {
  device_.be_device_only();
  ready();
  ASSERT_TRUE(round(0, "confirmation").record);           // and the probe
  std::map<std::string, std::set<std::string>> contexts;  // by arm
  for (uint64_t index = 1; index < 24; ++index) {
    forget();
    ASSERT_TRUE(round(index, "confirmation").record);
    ASSERT_EQ(device_.log.loads.size(), 2u);
    EXPECT_NE(device_.log.loads[0].context, device_.log.loads[1].context);
    for (size_t i = 0; i < 2; ++i) contexts[device_.log.loaded[i]].insert(device_.log.loads[i].context);
  }
  EXPECT_EQ(contexts["A"].size(), 2u);
  EXPECT_EQ(contexts["A"], contexts["B"]);
}

// Launches of a round in order, without the probe that comes before the first.
std::vector<Staged> paired(const FakeDeviceLog& log, size_t probes) {
  return {log.staged.begin() + static_cast<ptrdiff_t>(probes), log.staged.end()};
}

TEST_F(BenchTest, APairIsOneLaunchOfEachArmOnOneContent) {
  ready();
  round();
  const auto launches = paired(device_.log, 2 * k_probe_launches);
  ASSERT_EQ(launches.size() % 2, 0u);
  for (size_t i = 0; i < launches.size(); i += 2) {
    EXPECT_EQ(launches[i].sub_key, launches[i + 1].sub_key);
    EXPECT_NE(launches[i].text, launches[i + 1].text);
  }
}

TEST_F(BenchTest, NoContentIsUsedTwice) {
  ready();
  for (uint64_t index = 0; index < 3; ++index) round(index);
  round(0, "confirmation");
  verify(ArmName::candidate, 5, 15);
  std::map<std::pair<std::string, Digest>, int> uses;
  for (const Staged& staged : device_.log.staged) ++uses[{staged.text, staged.sub_key}];
  for (const auto& [which, count] : uses) {
    if (which.first == "V") continue;  // the baseline answers once for every output that asks
    EXPECT_EQ(count, 1) << which.first;
  }
}

TEST_F(BenchTest, ARoundHasFreshProcessesThatEndBeforeTheOracleIsAsked) {
  ready();
  round(0);
  forget();
  round(1);
  std::vector<std::string> loaded = device_.log.loaded;
  std::sort(loaded.begin(), loaded.end());
  EXPECT_THAT(loaded, ElementsAre("A", "B"));
  ASSERT_FALSE(oracle_.arms_alive_when_asked.empty());
  for (const int alive : oracle_.arms_alive_when_asked) EXPECT_EQ(alive, 0);
}

TEST_F(BenchTest, TheCoinDecidesWhoIsMadeFirstAndWhoLeads) {
  ready();
  std::set<std::string> made_first, orders;
  for (uint64_t index = 0; index < 12; ++index) {
    forget();
    const RoundAnswer answer = round(index);
    made_first.insert(device_.log.loaded[index == 0 ? 1 : 0]);  // the first round probes before
    for (const CaseSamples& samples : answer.record->cases) orders.insert(samples.orders.begin(), samples.orders.end());
  }
  EXPECT_THAT(made_first, ElementsAre("A", "B"));
  EXPECT_THAT(orders, ElementsAre("ABBA", "BAAB"));
}

TEST_F(BenchTest, CasesComeInAnotherOrderInEveryRound) {
  ready();
  std::set<std::string> first;
  for (uint64_t index = 0; index < 12; ++index) first.insert(round(index).record->cases.front().case_id);
  EXPECT_EQ(first.size(), 2u) << "whoever comes first in every round always finds the same machine";
}

TEST_F(BenchTest, TimesStandInLaunchOrder) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 0.5e9; });
  ready();
  const RoundAnswer answer = round();
  for (const CaseSamples& samples : answer.record->cases) {
    for (size_t quad = 0; quad < samples.orders.size(); ++quad) {
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(samples.times_ns[quad][i], samples.orders[quad][i] == 'A' ? 1e9 : 0.5e9);
    }
  }
}

TEST_F(BenchTest, EveryTimedCaseHasItsQuadsAndOnlyTimedCasesDo) {
  ready();
  const RoundAnswer answer = round();
  std::set<std::string> ids;
  for (const CaseSamples& samples : answer.record->cases) {
    ids.insert(samples.case_id);
    EXPECT_EQ(samples.times_ns.size(), 3u);
  }
  EXPECT_THAT(ids, ElementsAre("large", "wide"));
}

TEST_F(BenchTest, AtLeastTwoPairsOfARoundAreCheckedWhole) {
  ready();
  for (uint64_t index = 0; index < 6; ++index) {
    const RoundAnswer answer = round(index);
    EXPECT_GE(answer.oracle_checks, 4u) << "two pairs; and what the candidate made of spots";
    EXPECT_EQ(answer.record->sub_keys.size(), answer.oracle_checks - 2);
    EXPECT_EQ(answer.pair_checks, 2u * (2 * 3 * 2 + 2 * k_warm_up_launches));
  }
}

TEST_F(BenchTest, NoPadComesTwiceInAConfirmation) {
  ready();
  for (uint64_t index = 0; index < 24; ++index) round(index, "confirmation");
  std::vector<uint32_t> pads;
  for (size_t i = 1; i < device_.log.loads.size(); ++i)
    pads.push_back(device_.log.loads[i].pad.value());  // without the probe
  EXPECT_EQ(pads.size(), 48u);
  EXPECT_EQ(std::set<uint32_t>(pads.begin(), pads.end()).size(), 48u);
  for (const uint32_t pad : pads) EXPECT_LT(pad, device::k_pads);
}

TEST_F(BenchTest, AnArmMeetsNoPadTwiceInSixtyFourRounds) {
  ready();
  for (uint64_t index = 0; index < 48; ++index) round(index, "confirmation");
  std::map<std::string, std::set<uint32_t>> pads;
  for (size_t i = 1; i < device_.log.loads.size(); ++i)
    pads[device_.log.loaded[i]].insert(device_.log.loads[i].pad.value());
  EXPECT_EQ(pads["A"].size(), 48u);
  EXPECT_EQ(pads["B"].size(), 48u);
}

TEST_F(BenchTest, PadsAndSeedsFollowTheSecret) {
  std::set<uint32_t> pads;
  std::set<uint64_t> seeds;
  for (uint8_t seed = 1; seed <= 10; ++seed) {
    ready(seed);
    round(0, "confirmation");
    pads.insert(device_.log.loads.back().pad.value());
    seeds.insert(device_.log.loads.back().layout_seed);
  }
  EXPECT_GT(pads.size(), 5u);
  EXPECT_EQ(seeds.size(), 10u);
}

// ---- conditions
// -------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, AQuadDuringWhichOthersHadTheCoreIsDiscardedWhole) {
  task_.cases.pop_back();
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 1e7; });
  ready();
  // One launch of the candidate, somewhere in the fifth pair: its quad is lost, the other four are not.
  const uint64_t at = launches_of("B") + 10;
  device_.behaviours["B"] = honest_but([at](FakeLaunch& launch) {
    launch.nanoseconds = 1e7;
    if (launch.in_all == at) launch.disturbed_fraction = 0.5;
  });
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.record);
  const CaseSamples& samples = answer.record->cases[0];
  EXPECT_EQ(samples.discarded_candidate_first + samples.discarded_incumbent_first, 1u);
  EXPECT_EQ(samples.times_ns.size(), 9u);
  EXPECT_EQ(samples.orders.size(), 9u);
}

// The launch that opens a round's first quad is disturbed when it is the candidate's: what is lost is lost by that
// side.
TEST_F(BenchTest, DiscardsAreCountedByWhoLed) {
  task_.cases.pop_back();
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 1e7; });
  for (const std::string spoiled : {"A", "B"}) {
    ready();
    round(100);  // with its probe, which is not to be counted
    uint64_t number = 0;
    const auto spoil = [&number, spoiled](const std::string& text) {
      return honest_but([&number, spoils = text == spoiled](FakeLaunch& launch) {
        launch.nanoseconds = 1e7;
        if (number++ == 2 * k_warm_up_launches && spoils) launch.disturbed_fraction = 1.0;
      });
    };
    for (const char* text : {"A", "B"}) device_.behaviours[text] = spoil(text);
    uint64_t lost_by_incumbent = 0, lost_by_candidate = 0;
    for (uint64_t index = 0; index < 8; ++index) {
      number = 0;
      const RoundAnswer answer = round(index);
      ASSERT_TRUE(answer.record);
      lost_by_incumbent += answer.record->cases[0].discarded_incumbent_first;
      lost_by_candidate += answer.record->cases[0].discarded_candidate_first;
    }
    EXPECT_EQ(lost_by_incumbent > 0, spoiled == "A");
    EXPECT_EQ(lost_by_candidate > 0, spoiled == "B");
    device_.behaviours["A"] = device_.behaviours["B"] =
        honest_but([](FakeLaunch& launch) { launch.nanoseconds = 1e7; });
  }
}

TEST_F(BenchTest, ALittleDisturbanceIsKept) {
  device_.behaviours["B"] =
      honest_but([](FakeLaunch& launch) { launch.disturbed_fraction = 0.09; });  // 4.5 % of a quad
  ready();
  const RoundAnswer answer = round();
  for (const CaseSamples& samples : answer.record->cases) EXPECT_EQ(samples.times_ns.size(), 3u);
}

TEST_F(BenchTest, SlownessAloneNeverDiscards) {
  ready();
  const uint64_t at = launches_of("B") + 8;
  device_.behaviours["B"] = honest_but([at](FakeLaunch& launch) {
    if (launch.in_all == at) launch.nanoseconds = 1e12;
  });
  const RoundAnswer answer = round();
  for (const CaseSamples& samples : answer.record->cases) EXPECT_EQ(samples.times_ns.size(), 3u);
}

TEST_F(BenchTest, ARoundThatLostTooManyQuadsIsTakenAnew) {
  ready();
  const uint64_t until = launches_of("B") + 8;
  device_.behaviours["B"] = honest_but([until](FakeLaunch& launch) {
    if (launch.in_all < until) launch.disturbed_fraction = 1.0;
  });
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.record);
  for (const CaseSamples& samples : answer.record->cases) {
    EXPECT_EQ(samples.times_ns.size(), 3u);
    EXPECT_EQ(samples.discarded_candidate_first + samples.discarded_incumbent_first, 0u);
  }
  EXPECT_EQ(std::count(device_.log.loaded.begin(), device_.log.loaded.end(), "B"), 2);
  std::map<std::pair<std::string, Digest>, int> uses;
  for (const Staged& staged : device_.log.staged) EXPECT_EQ((++uses[{staged.text, staged.sub_key}]), 1);
}

TEST_F(BenchTest, ConditionsThatStayBadAreKeptAndSaid) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) { launch.disturbed_fraction = 1.0; });
  ready();
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.record);
  for (const CaseSamples& samples : answer.record->cases) EXPECT_EQ(samples.times_ns.size(), 3u);
  EXPECT_EQ(std::count(device_.log.loaded.begin(), device_.log.loaded.end(), "B"),
            static_cast<ptrdiff_t>(k_round_attempts));
  ASSERT_FALSE(bench_->report().notes.empty());
  EXPECT_THAT(bench_->report().notes.front(), HasSubstr("the machine was disturbed during 1 round,"));
}

TEST_F(BenchTest, AGivenUpAttemptIsCheckedAllTheSame) {
  ready();
  const uint64_t from = launches_of("B");
  device_.behaviours["B"] = honest_but([from](FakeLaunch& launch) {
    launch.disturbed_fraction = 1.0;
    if (launch.in_all == from + 5) launch.floats(k_y)[0] += 100;
  });
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::incorrect_numerical);
}

// ---- who is wrong
// -----------------------------------------------------------------------------------------------------------------------

class OneWrongLaunch : public BenchTest, public testing::WithParamInterface<uint64_t> {};

// Right in every launch of a small output but one.
Behaviour wrong_once(uint64_t which) {
  return wrong_when([which, seen = std::make_shared<uint64_t>(0)](const FakeLaunch& launch) {
    const bool is_spot = distribution_of(launch.plan) != device::Distribution::contract;
    return !is_spot && launch.count(k_y) == 100 && (*seen)++ == which;
  });
}

TEST_P(OneWrongLaunch, OfTheCandidateIsFoundAndNamed) {
  ready();
  device_.behaviours["B"] = wrong_once(GetParam());
  std::optional<Failure> failure;
  uint64_t rounds = 0;
  for (; rounds < 25 && !failure; ++rounds) failure = round(rounds).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(rounds, GetParam() / 8 + 1) << "in the very round: two warm-ups and six timed launches each";
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(failure->arm, ArmName::candidate);
  EXPECT_EQ(failure->mismatch->case_id, "large");
  EXPECT_THAT(failure->message, HasSubstr("in a timed launch"));
}

INSTANTIATE_TEST_SUITE_P(Launches, OneWrongLaunch, testing::Values(0u, 1u, 2u, 7u, 40u, 77u, 150u, 199u));

TEST_F(BenchTest, AWrongLaunchOfTheIncumbentIsTheIncumbents) {
  ready();
  device_.behaviours["A"] = wrong_when([](const FakeLaunch& launch) { return launch.in_process == 9; });
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->arm, ArmName::incumbent);
  EXPECT_EQ(answer.failure->outcome, Outcome::incorrect_numerical);
}

TEST_F(BenchTest, WhenBothAreWrongTheCandidateIs) {
  ready();
  for (const char* text : {"A", "B"}) {
    device_.behaviours[text] = honest_but([text](FakeLaunch& launch) {
      if (launch.in_process == 9) launch.floats(k_y)[0] += *text == 'A' ? 100 : 200;
    });
  }
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->arm, ArmName::candidate);
}

TEST_F(BenchTest, EqualWrongAnswersOfBothAreFoundByTheCompleteChecks) {
  ready();
  for (const char* text : {"A", "B"})
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) { launch.floats(k_y)[3] += 100; });
  EXPECT_TRUE(round().failure);
}

TEST_F(BenchTest, ALargeOutputThatIsWrongEverywhereIsSeenInItsTiles) {
  ready();
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) {
    if (launch.count(k_y) != 20000) return;
    for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] *= 1.01f;
  });
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->mismatch->case_id, "wide");
}

TEST_F(BenchTest, TheTilesOfALargeOutputLieAnywhereInIt) {
  ready();
  round();
  round(1);
  constexpr uint64_t k_wide_bytes = 20000 * sizeof(float);
  std::set<uint64_t> starts;
  for (const device::Range& range : device_.log.gathered) {
    if (range.size_bytes != k_tile_bytes / k_tiles) continue;
    EXPECT_LE(range.offset_bytes + range.size_bytes, k_wide_bytes);
    EXPECT_EQ(range.offset_bytes % 64, 0u);
    starts.insert(range.offset_bytes);
  }
  EXPECT_GT(starts.size(), 20u) << "every pair has four tiles of its own";
  EXPECT_GT(*starts.rbegin(), k_wide_bytes / 2) << "the second half is looked at";
}

// Right in everything that is timed; what trials ask comes between, at secret places, late ones too.
TEST_F(BenchTest, WhatIsWrongOnOtherContentsOfATimedProcessIsFound) {
  ready();
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) {
    return launch.in_process > 6 && distribution_of(launch.plan) != device::Distribution::contract;
  });
  std::optional<Failure> failure;
  for (uint64_t index = 0; index < 24 && !failure; ++index) failure = round(index).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(failure->arm, ArmName::candidate);
  EXPECT_THAT(failure->message, HasSubstr("between timed launches"));
}

TEST_F(BenchTest, SpotsComeToBothArmsAtSecretPlaces) {
  ready();
  std::set<size_t> places;
  std::set<device::Distribution> distributions;
  std::map<size_t, size_t> rounds_with;  // by how many spots they had
  size_t all = 0;
  for (uint64_t index = 0; index < 60; ++index) {
    device_.log.staged.clear();
    round(index);
    size_t seen = 0;
    for (size_t i = 0; i < device_.log.staged.size(); ++i) {
      const auto& staged = device_.log.staged[i];
      if (staged.distribution == device::Distribution::contract) continue;
      ++seen;
      places.insert(i);
      distributions.insert(staged.distribution);
    }
    EXPECT_EQ(seen % 2, 0u) << "one launch of each arm";
    ++rounds_with[seen / 2];
    all += seen / 2;
  }
  EXPECT_GT(places.size(), 8u);
  EXPECT_GT(distributions.size(), 8u);
  EXPECT_GT(rounds_with.size(), 3u) << "who has seen some knows nothing of how many are left";
  EXPECT_NEAR(static_cast<double>(all) / 60, k_spots_per_round, 1.0);
}

// A candidate that is right until it has seen the round's first spot is seen by the next.
TEST_F(BenchTest, WhoHasSeenASpotIsNotSafe) {
  ready();
  device_.behaviours["B"] = wrong_when([spots = 0](const FakeLaunch& launch) mutable {
    if (launch.in_process == 0) spots = 0;
    return distribution_of(launch.plan) != device::Distribution::contract && launch.in_process > 0 && spots++ > 0;
  });
  std::optional<Failure> failure;
  for (uint64_t index = 0; index < 60 && !failure; ++index) failure = round(index).failure;
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->message, HasSubstr("between timed launches"));
}

TEST_F(BenchTest, EveryLoadHasBuffersOfTheSameSizes) {
  ready();
  round();
  ASSERT_GT(device_.log.loads.size(), 2u);
  for (const device::LoadRequest& load : device_.log.loads) {
    EXPECT_EQ(load.parameters[k_y].capacity_bytes, device_.log.loads[0].parameters[k_y].capacity_bytes);
  }
}

TEST_F(BenchTest, WhereMemoryIsShortAProcessOfTrialsHoldsAllOfItsOwnCases) {
  constexpr uint64_t k_most_bytes = 20000 * sizeof(float);  // of the largest case, in and out alike
  task_.limits.device_bytes = 6 * k_most_bytes;             // too little for two sets in half of it
  make_bench();
  build(ArmName::candidate, "B");
  device_.log.loads.clear();
  EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
  ASSERT_FALSE(device_.log.loads.empty());
  EXPECT_EQ(device_.log.loads[0].parameters[k_y].capacity_bytes, k_most_bytes);
}

TEST_F(BenchTest, ADisagreementIsNoVerdict) {
  ready();
  // The candidate is off by nearly its bound and the incumbent by the other end of it: both are right.
  for (const char* text : {"A", "B"}) {
    device_.behaviours[text] = honest_but([text](FakeLaunch& launch) {
      if (distribution_of(launch.plan) != device::Distribution::contract) return;
      for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] *= 1.0f + (*text == 'A' ? 4 : -4) * 0x1p-23f;
    });
  }
  EXPECT_FALSE(round().failure);
}

TEST_F(BenchTest, PoisonLeftInBothArmsIsNoAgreement) {
  ready();
  for (const char* text : {"A", "B"}) {
    device_.behaviours[text] = [](FakeLaunch& launch) {
      if (launch.in_process != 9) honest(launch);  // writes nothing once
    };
  }
  EXPECT_TRUE(round().failure);
}

struct ViolationRow {
  bool guards;
  const char* reason;
};

class Violations : public BenchTest, public testing::WithParamInterface<ViolationRow> {};

TEST_P(Violations, AreTheArmsThatBrokeTheRule) {
  ready();
  for (const auto& [text, arm] : {std::pair{"B", ArmName::candidate}, {"A", ArmName::incumbent}}) {
    device_.behaviours["A"] = device_.behaviours["B"] = honest;
    device_.behaviours[text] = honest_but([](FakeLaunch& launch) {
      if (launch.in_process == 5) (GetParam().guards ? launch.guards_intact : launch.inputs_intact) = false;
    });
    const RoundAnswer answer = round();
    ASSERT_TRUE(answer.failure);
    EXPECT_EQ(answer.failure->outcome, Outcome::violation);
    EXPECT_EQ(answer.failure->reason, GetParam().reason);
    EXPECT_EQ(answer.failure->arm, arm);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Violations,
                         testing::Values(ViolationRow{true, "guards"}, ViolationRow{false, "inputs"}));

struct FaultOutcome {
  device::FaultKind kind;
  Outcome outcome;
};

class Faults : public BenchTest, public testing::WithParamInterface<FaultOutcome> {
 protected:
  device::Fault fault() const { return {GetParam().kind, 11, "what happened", "what it printed"}; }
  void expect_it(const std::optional<Failure>& failure) {
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->outcome, GetParam().outcome);
    EXPECT_EQ(failure->arm, ArmName::candidate);
    EXPECT_THAT(failure->message, HasSubstr("what happened"));
    EXPECT_EQ(failure->details, "what it printed");
    EXPECT_FALSE(failure->reason.empty());
  }
};

TEST_P(Faults, InATrial) {
  make_bench();
  build(ArmName::candidate, "B");
  device_.behaviours["B"] = honest_but([this](FakeLaunch& launch) { launch.fault = fault(); });
  expect_it(verify(ArmName::candidate, 0, 5).failure);
}

TEST_P(Faults, InARound) {
  ready();
  device_.behaviours["B"] = honest_but([this](FakeLaunch& launch) { launch.fault = fault(); });
  expect_it(round().failure);
}

TEST_P(Faults, AtALoad) {
  make_bench();
  build(ArmName::candidate, "B");
  device_.load_faults = {{"B", fault()}};
  expect_it(verify(ArmName::candidate, 0, 5).failure);
}

TEST_P(Faults, InAMeasurement) {
  ready();
  device_.behaviours["B"] = honest_but([this](FakeLaunch& launch) { launch.fault = fault(); });
  const auto answer = bench_->measure(ArmName::candidate, std::chrono::milliseconds(1));
  ASSERT_TRUE(answer);
  expect_it(answer->failure);
  EXPECT_TRUE(answer->times.empty());
}

INSTANTIATE_TEST_SUITE_P(Rows, Faults,
                         testing::Values(FaultOutcome{device::FaultKind::crashed, Outcome::runtime_error},
                                         FaultOutcome{device::FaultKind::timed_out, Outcome::timeout},
                                         FaultOutcome{device::FaultKind::bad_return, Outcome::runtime_error},
                                         FaultOutcome{device::FaultKind::load_failed, Outcome::launch_error},
                                         FaultOutcome{device::FaultKind::too_many_threads, Outcome::violation},
                                         FaultOutcome{device::FaultKind::memory, Outcome::out_of_memory}));

TEST_F(BenchTest, ABuildThatFailsIsTheArms) {
  const std::pair<device::CompileFault, Outcome> rows[] = {
      {device::CompileFault::compile_error, Outcome::compile_error},
      {device::CompileFault::timeout, Outcome::timeout},
      {device::CompileFault::no_entry, Outcome::compile_error}};
  for (const auto& [fault, outcome] : rows) {
    device_.compile_faults = {{"B", fault}};
    make_bench();
    const auto built = bench_->build(ArmName::incumbent, to_candidate(text_of("B")));
    ASSERT_TRUE(built && *built);
    EXPECT_EQ((*built)->outcome, outcome);
    EXPECT_EQ((*built)->arm, ArmName::incumbent);
    EXPECT_EQ((*built)->details, "the compiler's words");
  }
}

std::vector<std::string> texts_of(const std::vector<device::CompileRequest>& requests) {
  std::vector<std::string> texts;
  for (const device::CompileRequest& one : requests) texts.push_back(one.files.front().bytes);
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST_F(BenchTest, WhatWasBuiltAheadIsNotBuiltAgain) {
  device::CompileRequest reference;
  reference.files = {{"reference.cpp", false, "R"}};
  oracle_.order = device::BuildOrder{&device_, reference};
  make_bench();
  const std::vector<task::Candidate> both{to_candidate(text_of("A")), to_candidate(text_of("B"))};
  for (int i = 0; i < 2; ++i) bench_->build_ahead(both, [] { return false; });
  EXPECT_THAT(texts_of(device_.compiled), ElementsAre("A", "B", "R", "V")) << "both arms, the reference and v0";
  const double waited = bench_->report().build_seconds;
  EXPECT_GT(waited, 0);
  build(ArmName::incumbent, "A");
  build(ArmName::candidate, "B");
  build(ArmName::baseline, "V");
  EXPECT_EQ(device_.compiled.size(), 4u);
  EXPECT_EQ(bench_->report().build_seconds, waited) << "nobody waited";
  build(ArmName::candidate, "A");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
}

// Who is to blame, and in which words, is a matter of whose turn it is.
TEST_F(BenchTest, AFaultFoundAheadIsToldAsAnyOther) {
  device_.compile_faults = {{"A", device::CompileFault::timeout}, {"B", device::CompileFault::no_entry}};
  for (const auto& [arm, text] : {std::pair{ArmName::incumbent, "A"}, {ArmName::candidate, "B"}}) {
    make_bench();
    const auto plain = bench_->build(arm, to_candidate(text_of(text)));
    make_bench();
    const std::vector<task::Candidate> both{to_candidate(text_of("B")), to_candidate(text_of("A"))};
    bench_->build_ahead(both, [] { return false; });
    const auto ahead = bench_->build(arm, to_candidate(text_of(text)));
    ASSERT_TRUE(plain && *plain && ahead && *ahead);
    EXPECT_EQ((*ahead)->outcome, (*plain)->outcome);
    EXPECT_EQ((*ahead)->arm, arm);
    EXPECT_EQ((*ahead)->reason, (*plain)->reason);
    EXPECT_EQ((*ahead)->message, (*plain)->message);
    EXPECT_EQ((*ahead)->details, (*plain)->details);
  }
}

TEST_F(BenchTest, StoppedBuildsAreMadeUpForLater) {
  make_bench();
  const std::vector<task::Candidate> both{to_candidate(text_of("A")), to_candidate(text_of("B"))};
  bench_->build_ahead(both, [] { return true; });
  build(ArmName::incumbent, "A");
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
}

TEST_F(BenchTest, ABuildCarriesTunablesAndOptions) {
  make_bench();
  CandidateText text = text_of("B");
  text.values = {{"BLOCK", "64"}};
  ASSERT_TRUE(bench_->build(ArmName::candidate, to_candidate(text)));
  const device::CompileRequest& request = device_.compiled.back();
  EXPECT_EQ(request.macros.at("BLOCK"), "64");
  EXPECT_EQ(request.macros.at("ITEMS"), "1");
  EXPECT_EQ(request.entry, "scale");
}

TEST_F(BenchTest, ABuildOfAHostFunctionSaysNoLaunches) {
  make_bench();
  ASSERT_TRUE(bench_->build(ArmName::candidate, to_candidate(text_of("B"))));
  EXPECT_THAT(device_.compiled.back().launches, testing::IsEmpty());
}

TEST_F(BenchTest, ABuildOfDeviceCodeSaysWhatIsLaunchedWithWhat) {
  task_.kernel.call = task::Call::launch;
  task_.launches.resize(2);
  task_.launches[1].entry = "second";
  task_.launches[1].arguments = {"y", "n"};
  make_bench();
  ASSERT_TRUE(bench_->build(ArmName::candidate, to_candidate(text_of("B"))));
  const auto& launches = device_.compiled.back().launches;
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].entry, "scale") << "the contract's own kernel";
  EXPECT_EQ(launches[0].parameters.size(), task_.arguments.size());
  EXPECT_EQ(launches[1].entry, "second");
  ASSERT_EQ(launches[1].parameters.size(), 2u);
  EXPECT_EQ(launches[1].parameters[0].name, "y");
  EXPECT_EQ(launches[1].parameters[0].role, task::Role::out);
  EXPECT_EQ(launches[1].parameters[1].dtype, task::DType::i32);
}

// ---- launches
// -----------------------------------------------------------------------------------------------------------------------------

// Of a kernel that hone starts itself.
class LaunchTest : public BenchTest {
 protected:
  LaunchTest() {
    task_.kernel.call = task::Call::launch;
    task_.launches.resize(1);
    task_.launches[0].grid = {*task::Expression::parse("1")};
    task_.launches[0].block = {*task::Expression::parse("128")};
  }
};

TEST_F(LaunchTest, WhatThisDeviceDoesNotTakeIsRefusedBeforeALoad) {
  device_.limit_launches({.threads = 64});
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::launch_error);
  EXPECT_EQ(answer.failure->arm, ArmName::candidate);
  EXPECT_THAT(answer.failure->message,
              testing::StartsWith("the device fake takes less than is asked: block of launch 1 ('scale'), case '"));
  EXPECT_THAT(answer.failure->message, testing::EndsWith("': 128 x 1 x 1 are 128 threads, the limit is 64"));
  EXPECT_TRUE(device_.log.loads.empty());
}

TEST_F(LaunchTest, WhatNoDeviceTakesIsNotLaidOnThisOne) {
  task_.launches[0].block = {*task::Expression::parse("2048")};
  device_.limit_launches({.threads = 64});
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::launch_error);
  EXPECT_THAT(answer.failure->message, testing::StartsWith("block of launch 1 ('scale')"));
}

TEST_F(LaunchTest, WhatThisDeviceRefusesOfAHiddenCaseIsNotTold) {
  for (task::Case& one : task_.cases) one.hidden = true;
  device_.limit_launches({.threads = 64});
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::launch_error);
  EXPECT_THAT(answer.failure->message, testing::Not(HasSubstr("128")));
}

TEST_F(LaunchTest, WhatItTakesIsLaunched) {
  for (const auto& limits :
       {std::optional<task::LaunchLimits>(), std::optional<task::LaunchLimits>({.threads = 128})}) {
    if (limits) device_.limit_launches(*limits);
    make_bench();
    build(ArmName::candidate, "B");
    EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
  }
}

// "large" and "wide" are timed; the grid tells them apart.
TEST_F(LaunchTest, OccupancyIsToldOfTheTimedCaseOfTheLargestWeight) {
  task_.launches[0].grid = {*task::Expression::parse("n")};
  const auto blocks_asked_for = [&](double large, double wide) {
    for (task::Case& one : task_.cases) one.weight = one.id == "wide" ? wide : large;
    device_.log.asked.clear();
    make_bench();
    build(ArmName::candidate, "B");
    EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
    EXPECT_FALSE(verify(ArmName::candidate, 20, 20).failure);
    std::vector<uint32_t> grids;
    for (const auto& steps : device_.log.asked) {
      for (const device::LaunchStep& step : steps) grids.push_back(step.grid[0]);
    }
    return grids;
  };
  EXPECT_THAT(blocks_asked_for(1, 1), ElementsAre(100u)) << "of two the first, and asked once";
  EXPECT_THAT(blocks_asked_for(1, 2), ElementsAre(20000u));
  EXPECT_THAT(blocks_asked_for(2, 1), ElementsAre(100u));
  for (task::Case& one : task_.cases) one.hidden = one.id == "large";
  EXPECT_THAT(blocks_asked_for(2, 1), ElementsAre(20000u)) << "a hidden one is not told";
  for (task::Case& one : task_.cases) one.hidden = true;
  EXPECT_THAT(blocks_asked_for(2, 1), testing::IsEmpty());
}

TEST_F(LaunchTest, OccupancyStandsBesideTheRegistersOfItsKernel) {
  device_.resources = {{"scale", 32, {}, {}}, {"other", 16, {}, {}}, {"unsure", 8, {}, {}}};
  device_.log.occupancy = {{"scale", {12, 0.75}}, {"unsure", {3, std::nullopt}}};
  task_.launches.resize(2, task_.launches[0]);
  task_.launches[1].entry = "unsure";
  make_bench();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(bench_->report().kernels[0].resident_blocks) << "nobody was asked yet";
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
  const auto kernels = bench_->report().kernels;
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].registers, 32u);
  EXPECT_EQ(kernels[0].resident_blocks, 12u);
  EXPECT_EQ(kernels[0].occupancy_fraction, 0.75);
  EXPECT_FALSE(kernels[1].resident_blocks) << "not launched";
  EXPECT_FALSE(kernels[1].occupancy_fraction);
  EXPECT_EQ(kernels[2].resident_blocks, 3u);
  EXPECT_FALSE(kernels[2].occupancy_fraction);
  EXPECT_EQ(json::to_text(kernels[1]), R"({"kernel":"other","registers":16})") << "absent, never 0";
  device_.log.occupancy.clear();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
  EXPECT_FALSE(bench_->report().kernels[0].resident_blocks) << "of what was built before";
}

TEST_F(BenchTest, OfAHostFunctionNobodyAsksForOccupancy) {
  ready();
  EXPECT_THAT(device_.log.asked, testing::IsEmpty());
}

// ---- trials
// -----------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, EveryCaseComesUpTwiceAndTheTimedOnesFirst) {
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
  EXPECT_FALSE(answer.failure);
  EXPECT_GE(answer.counts.trials, 20u);
  std::map<std::string, int> seen;
  for (const std::string& id : oracle_.asked) ++seen[id];
  for (const char* id : {"odd", "large", "wide", "neighbour-1"}) EXPECT_GE(seen[id], 2) << id;
  const std::set<std::string> first(oracle_.asked.begin(), oracle_.asked.begin() + 4);
  EXPECT_THAT(first, ElementsAre("large", "wide"));
}

TEST_F(BenchTest, TrialsComeInAnotherOrderForEverySecret) {
  std::set<std::vector<std::string>> orders;
  for (uint8_t seed = 0; seed < 6; ++seed) {
    forget();
    make_bench(seed);
    build(ArmName::candidate, "B");
    verify(ArmName::candidate, 0, 20);
    orders.insert(oracle_.asked);
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST_F(BenchTest, CasesOfARoundComeInAnotherOrderEachTime) {
  ready();
  std::map<std::string, int> first;
  for (uint64_t index = 0; index < 12; ++index) ++first[round(index).record->cases.front().case_id];
  EXPECT_GE(first["large"], 2);
  EXPECT_GE(first["wide"], 2);
}

// Gives its last answer again while what `key` sees stays the same.
Behaviour remembers_by(std::function<std::pair<const void*, size_t>(const FakeLaunch&)> key) {
  struct Memory {
    std::pair<const void*, size_t> key{nullptr, 0};
    std::vector<std::byte> answer;
  };
  return [memory = std::make_shared<Memory>(), key = std::move(key)](FakeLaunch& launch) {
    const auto now = key(launch);
    if (!memory->answer.empty() && memory->key == now) {
      std::copy(memory->answer.begin(), memory->answer.end(), launch.buffers[k_y].begin());
      return;
    }
    honest(launch);
    *memory = {now, {launch.buffers[k_y].begin(), launch.buffers[k_y].end()}};
  };
}

TEST_F(BenchTest, AnAnswerKeptByShapeOrByPointerIsFoundInTheFirstTrials) {
  const auto shape = [](const FakeLaunch& launch) {
    return std::pair<const void*, size_t>(nullptr, launch.count(k_y));
  };
  const auto pointer = [](const FakeLaunch& launch) {
    return std::pair<const void*, size_t>(launch.buffers[k_x].data(), launch.count(k_y));
  };
  for (const auto key : {+shape, +pointer}) {
    for (uint8_t seed = 0; seed < 8; ++seed) {
      device_.behaviours["B"] = remembers_by(key);
      make_bench(seed);
      build(ArmName::candidate, "B");
      EXPECT_TRUE(verify(ArmName::candidate, 0, 5).failure);
    }
  }
}

TEST_F(BenchTest, TwoPartsOfTheTrialsAreTheWhole) {
  make_bench();
  build(ArmName::candidate, "B");
  verify(ArmName::candidate, 0, 20);
  std::vector<Digest> whole, parts;
  for (const Staged& staged : device_.log.staged) whole.push_back(staged.sub_key);
  forget();
  verify(ArmName::candidate, 0, 5);
  EXPECT_EQ(device_.log.staged.size(), 5u);
  verify(ArmName::candidate, 5, 15);
  for (const Staged& staged : device_.log.staged) parts.push_back(staged.sub_key);
  EXPECT_EQ(whole, parts);
}

TEST_F(BenchTest, HiddenNeighboursStayInsideTheDomain) {
  for (uint8_t seed = 0; seed < 10; ++seed) {
    forget();
    make_bench(seed);
    build(ArmName::candidate, "B");
    verify(ArmName::candidate, 0, 20);
    for (const Staged& staged : device_.log.staged) {
      const int64_t n = std::get<int64_t>(staged.scalars[3]);
      EXPECT_GE(n, 1);
      EXPECT_LE(n, 20000);
    }
  }
}

TEST_F(BenchTest, AWrongShapeThatNoCaseShowsIsFoundByANeighbour) {
  size_t found = 0;
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) {
    const size_t n = launch.count(k_y);
    return n != 37 && n != 100 && n != 20000;
  });
  for (uint8_t seed = 0; seed < 8; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    found += verify(ArmName::candidate, 0, 20).failure ? 1 : 0;
  }
  EXPECT_EQ(found, 8u);
}

TEST_F(BenchTest, NeighboursAreShapesThatNoCaseShowsAndDifferFromEachOther) {
  for (uint8_t seed = 0; seed < 10; ++seed) {
    forget();
    make_bench(seed);
    build(ArmName::candidate, "B");
    verify(ArmName::candidate, 0, 20);
    std::set<int64_t> shapes;
    for (const Staged& staged : device_.log.staged) shapes.insert(std::get<int64_t>(staged.scalars[3]));
    EXPECT_EQ(shapes.size(), 3 + k_neighbours) << "three that are shown, and the neighbours";
  }
}

std::set<double> scalars_seen(const FakeDeviceLog& log) {
  std::set<double> seen;
  for (const Staged& staged : log.staged) seen.insert(std::get<double>(staged.scalars[0]));
  return seen;
}

std::set<double> scalars_of(const task::Task& task) {
  std::set<double> shown;
  for (const task::Case& one : task.cases) shown.insert(std::get<double>(one.bind.at("a")));
  return shown;
}

TEST_F(BenchTest, NeighboursHaveScalarsBetweenThoseThatCasesShow) {
  const std::set<double> shown = scalars_of(task_);
  ASSERT_GE(shown.size(), 2u);
  make_bench(1);
  build(ArmName::candidate, "B");
  verify(ArmName::candidate, 0, 20);
  const std::set<double> seen = scalars_seen(device_.log);
  EXPECT_GT(seen.size(), shown.size());
  EXPECT_EQ(*seen.begin(), *shown.begin());
  EXPECT_EQ(*seen.rbegin(), *shown.rbegin());
}

TEST_F(BenchTest, AScalarWithOneValueKeepsIt) {
  for (task::Case& one : task_.cases) one.bind["a"] = 2.5;
  make_bench(1);
  build(ArmName::candidate, "B");
  verify(ArmName::candidate, 0, 20);
  EXPECT_EQ(scalars_seen(device_.log), std::set<double>{2.5});
}

TEST_F(BenchTest, WhereNoShapeIsLeftOtherScalarsMakeANeighbour) {
  for (task::Case& one : task_.cases) one.bind["n"] = int64_t{37};
  task_.axes[0].minimum = task_.axes[0].maximum = 37;
  const std::set<double> shown = scalars_of(task_);
  make_bench(1);
  build(ArmName::candidate, "B");
  verify(ArmName::candidate, 0, 20);
  EXPECT_GT(scalars_seen(device_.log).size(), shown.size());
}

// ---- sums of whole numbers
// --------------------------------------------------------------------------------------------------------------

bool has_small_integers(const FakeLaunch& launch) {
  const auto* x = reinterpret_cast<const float*>(launch.buffers[k_x].data());
  return launch.count(k_x) > 1 && std::all_of(x, x + launch.count(k_x), [](float value) {
           return value == std::round(value) && std::abs(value) <= 8;
         });
}

// One unit in the last place: far within every bound.
Behaviour inexact_for_small_integers() {
  return honest_but([](FakeLaunch& launch) {
    if (!has_small_integers(launch)) return;
    for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] *= 1 + 0x1p-23f;
  });
}

// More cases than these leave the drawn distributions fewer of the twenty trials: then there are more trials.
TEST_F(BenchTest, EveryDistributionComesUpInEveryVerificationHoweverManyCasesThereAre) {
  for (uint8_t seed = 0; seed < 8; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    forget();
    verify(ArmName::candidate, 0, 20);
    std::set<device::Distribution> tried;
    for (const Staged& staged : device_.log.staged) {
      if (staged.text == "B") tried.insert(staged.distribution);
    }
    EXPECT_EQ(tried.size(), std::size(EnumNames<device::Distribution>::table)) << int{seed};
    task::Case more = task_.cases.front();
    more.id = "more-" + std::to_string(seed);
    more.bind["n"] = int64_t{200 + seed};
    task_.cases.push_back(more);
  }
}

TEST_F(BenchTest, AnInexactSumOfWholeNumbersIsFoundInEveryVerification) {
  device_.behaviours["B"] = inexact_for_small_integers();
  for (uint8_t seed = 0; seed < 8; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
    ASSERT_TRUE(answer.failure) << int{seed};
    EXPECT_EQ(answer.failure->reason, "a sum of whole numbers is not exact");
    EXPECT_EQ(answer.failure->mismatch->distribution, "small_integers");
  }
}

TEST_F(BenchTest, AnInexactSumIsForgivenWhereV0IsInexactToo) {
  device_.behaviours["B"] = device_.behaviours["V"] = inexact_for_small_integers();
  make_bench();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
}

TEST_F(BenchTest, AContractCanLeaveInexactSumsToTheBound) {
  device_.behaviours["B"] = inexact_for_small_integers();
  for (task::Argument& argument : task_.arguments) argument.compare.exact_sums = false;
  make_bench();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
}

// ---- hidden cases
// --------------------------------------------------------------------------------------------------------------

class HiddenCases : public BenchTest {
 protected:
  static constexpr int64_t k_n = 12345;
  HiddenCases() {
    task::Case one = *task_.cases_for(task::Purpose::time).front();
    one.id = "hidden-1";
    one.hidden = true;
    one.use = {task::Purpose::verify, task::Purpose::time};
    one.bind["n"] = k_n;
    task_.cases.push_back(one);
  }
  static bool is_hidden_launch(const FakeLaunch& launch) { return launch.count(k_y) == k_n; }
  // Nothing that leaves the judge holds the size or an index.
  static void expect_veiled(const Failure& failure) {
    EXPECT_THAT(failure.message, HasSubstr("hidden-1"));
    for (const std::string size : {"12345", "49380"})  // elements and bytes
      EXPECT_THAT(failure.message + failure.details + failure.reason, testing::Not(HasSubstr(size)));
    EXPECT_EQ(failure.details, "");
    if (!failure.mismatch) return;
    EXPECT_EQ(failure.mismatch->case_id, "hidden-1");
    EXPECT_FALSE(failure.mismatch->index || failure.mismatch->error_over_bound);
    EXPECT_EQ(failure.mismatch->expected + failure.mismatch->found, "");
  }
};

TEST_F(HiddenCases, AKernelThatIsWrongThereAloneIsFoundAndNothingIsTold) {
  device_.behaviours["B"] = wrong_when(is_hidden_launch);
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::incorrect_numerical);
  ASSERT_TRUE(answer.failure->mismatch);
  expect_veiled(*answer.failure);
  EXPECT_LE(answer.counts.worst_error_over_bound.value_or(0), 1.0) << "nor how far it was off";
}

TEST_F(HiddenCases, WhatACandidatePrintsThereIsDropped) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) {
    if (is_hidden_launch(launch))
      launch.fault = device::Fault{device::FaultKind::crashed, 11, "it was killed after 12345 bytes", "n = 12345"};
  });
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::runtime_error);
  expect_veiled(*answer.failure);
}

// Neither by what it is given nor by the size of its buffers does the process of public trials know of them.
TEST_F(HiddenCases, HaveProcessesOfTheirOwnInTrials) {
  make_bench();
  build(ArmName::candidate, "B");
  device_.log.loads.clear();
  EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
  size_t of_hidden = 0;
  for (const device::LoadRequest& load : device_.log.loads)
    of_hidden += load.parameters[k_y].capacity_bytes == k_n * sizeof(float) ? 1 : 0;
  EXPECT_EQ(of_hidden, 0u) << "a public case is larger";
  EXPECT_GE(device_.log.loads.size(), 2u);
}

TEST_F(HiddenCases, WhatIsSaidWhileAProcessIsLoadedForOneIsDropped) {
  ready();
  device_.load_faults = {{"B", {device::FaultKind::load_failed, 1, "it exited with 12345", "room for 49380 bytes"}}};
  const auto failure = round().failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->details, "");
  EXPECT_THAT(failure->message, testing::Not(HasSubstr("12345")));
}

TEST_F(HiddenCases, WhatAProcessThatSawOneSaysLaterIsDropped) {
  ready();
  device_.behaviours["B"] = honest_but([saw = std::make_shared<bool>(false)](FakeLaunch& launch) {
    if (*saw && !is_hidden_launch(launch))
      launch.fault = device::Fault{device::FaultKind::bad_return, 12345, "it returned 12345", "n = 12345"};
    *saw = *saw || is_hidden_launch(launch);
  });
  std::optional<Failure> failure;
  for (uint64_t index = 0; index < 4 && !failure; ++index) failure = round(index).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->details, "");
  EXPECT_THAT(failure->message, testing::Not(HasSubstr("12345")));
}

TEST_F(HiddenCases, ABrokenGuardThereIsToldWithoutItsPlace) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) { launch.guards_intact = !is_hidden_launch(launch); });
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::violation);
  expect_veiled(*answer.failure);
}

TEST_F(HiddenCases, AreTimedUnderTheirIdsAndNotCountedByElements) {
  ready();
  const RoundAnswer answer = round();
  ASSERT_TRUE(answer.record);
  std::vector<std::string> ids;
  for (const CaseSamples& samples : answer.record->cases) ids.push_back(samples.case_id);
  EXPECT_THAT(ids, testing::UnorderedElementsAre("large", "wide", "hidden-1"));
  make_bench();
  build(ArmName::candidate, "B");
  const uint64_t with = verify(ArmName::candidate, 0, 20).counts.elements_compared;
  EXPECT_GT(with, 0u);
}

TEST_F(HiddenCases, NeighboursStandBesidePublicShapesAlone) {
  for (uint8_t seed = 0; seed < 10; ++seed) {
    forget();
    make_bench(seed);
    build(ArmName::candidate, "B");
    verify(ArmName::candidate, 0, 20);
    for (const Staged& staged : device_.log.staged) {
      const int64_t n = std::get<int64_t>(staged.scalars[3]);
      EXPECT_TRUE(n == k_n || std::abs(n - k_n) > 1) << n;
    }
  }
}

TEST_F(HiddenCases, WhatKeepsOneFromBeingMadeReadyIsNotTold) {
  task_.limits.device_bytes = 4 * 2 * 20000 + 1000;
  task_.cases.back().bind["n"] = int64_t{30000};
  const auto made = DeviceBench::make(task_, job_, device_, {});
  ASSERT_FALSE(made);
  EXPECT_THAT(to_text(made.error()), HasSubstr("hidden-1"));
  EXPECT_THAT(to_text(made.error()), testing::Not(HasSubstr("KiB")));
}

TEST_F(HiddenCases, AFileThatHasAnotherSizeDoesNotTellTheirs) {
  task_.cases = {task_.cases.back()};
  task_.arguments[k_x].fill.kind = task::FillKind::file;
  task_.arguments[k_x].fill.file = "x.bin";
  folder_.write("x.bin", "four");
  const auto made = DeviceBench::make(task_, job_, device_, {});
  ASSERT_FALSE(made);
  EXPECT_THAT(to_text(made.error()), HasSubstr("hidden-1"));
  EXPECT_THAT(to_text(made.error()), testing::Not(HasSubstr("49380")));
}

TEST_F(BenchTest, OneWrongElementOfOneTrialRejects) {
  make_bench();
  build(ArmName::candidate, "B");
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) { return launch.in_all == 4; });
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::incorrect_numerical);
  ASSERT_TRUE(answer.failure->mismatch);
  EXPECT_EQ(answer.failure->mismatch->argument, "y");
  EXPECT_EQ(answer.counts.trials, 5u);
}

bool has_large_input(const FakeLaunch& launch) {
  const auto* x = reinterpret_cast<const float*>(launch.buffers[k_x].data());
  return std::any_of(x, x + launch.count(k_x), [](float value) { return std::abs(value) > 500; });
}

TEST_F(BenchTest, AStressContentRejectsWhereV0Passes) {
  device_.behaviours["B"] = wrong_when(has_large_input);
  size_t rejected = 0;
  for (uint8_t seed = 0; seed < 6; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    rejected += verify(ArmName::candidate, 0, 20).failure ? 1 : 0;
  }
  EXPECT_GE(rejected, 5u);
}

TEST_F(BenchTest, AStressContentIsSkippedWhereV0FailsToo) {
  device_.behaviours["B"] = device_.behaviours["V"] = wrong_when(has_large_input);
  uint64_t skipped = 0;
  for (uint8_t seed = 0; seed < 6; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
    EXPECT_FALSE(answer.failure);
    EXPECT_LE(answer.counts.worst_error_over_bound.value_or(0), 1.0) << "what was skipped does not count";
    skipped += answer.counts.skipped_stress_cases;
  }
  EXPECT_GT(skipped, 0u);
}

bool has_equal_inputs(const FakeLaunch& launch) {
  const auto* x = reinterpret_cast<const float*>(launch.buffers[k_x].data());
  return launch.count(k_x) > 1 && std::all_of(x, x + launch.count(k_x), [x](float value) { return value == x[0]; });
}

// Equal inputs have equal outputs: no impostor could be told apart there, so nobody is rejected there either.
TEST_F(BenchTest, APathForEqualInputsIsFoundInEveryVerification) {
  device_.behaviours["B"] = wrong_when(has_equal_inputs);
  for (uint8_t seed = 0; seed < 12; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    EXPECT_TRUE(verify(ArmName::candidate, 0, 20).failure) << int{seed};
  }
}

TEST_F(BenchTest, AStressContentIsSkippedWhereTheTruthTellsNothingApart) {
  oracle_.factor = 0;
  const auto zeros = [](FakeLaunch& launch) {
    std::fill(launch.buffers[k_y].begin(), launch.buffers[k_y].end(), std::byte{0});
  };
  device_.behaviours["V"] = zeros;
  device_.behaviours["B"] = [zeros](FakeLaunch& launch) {
    zeros(launch);
    if (has_small_integers(launch) || has_equal_inputs(launch)) launch.floats(k_y)[0] = 1;
  };
  uint64_t skipped = 0;
  for (uint8_t seed = 0; seed < 4; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
    EXPECT_FALSE(answer.failure);
    skipped += answer.counts.skipped_stress_cases;
  }
  EXPECT_GE(skipped, 8u);
}

TEST_F(BenchTest, AReferenceThatFailsIsTheTasksFault) {
  oracle_.fault = "it crashed";
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::invalid_reference);
}

TEST_F(BenchTest, AReferenceThatIsNotFiniteIsTheTasksFault) {
  oracle_.factor = INFINITY;
  make_bench();
  build(ArmName::candidate, "B");
  const TrialsAnswer answer = verify(ArmName::candidate, 0, 5);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::invalid_reference);
}

TEST_F(BenchTest, ScrutinyUsesFreshProcessesAndOtherContents) {
  ready();
  verify(ArmName::candidate, 5, 15);
  std::set<Digest> before;
  for (const Staged& staged : device_.log.staged) before.insert(staged.sub_key);
  forget();
  const auto answer = bench_->scrutinise(ArmName::candidate);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->failure);
  EXPECT_GE(std::count(device_.log.loaded.begin(), device_.log.loaded.end(), "B"),
            static_cast<ptrdiff_t>(k_scrutiny_processes));
  for (const Staged& staged : device_.log.staged) EXPECT_FALSE(before.contains(staged.sub_key));
}

TEST_F(BenchTest, ScrutinyTriesEveryDistributionInEveryCase) {
  ready();
  ASSERT_TRUE(bench_->scrutinise(ArmName::candidate));
  std::map<int64_t, std::set<device::Distribution>> tried;  // by n
  for (const Staged& staged : device_.log.staged)
    tried[std::get<int64_t>(staged.scalars[3])].insert(staged.distribution);
  for (const int64_t n : {37, 100, 20000})
    EXPECT_GE(tried[n].size(), std::size(EnumNames<device::Distribution>::table) - 1)
        << n << ": all but the contract's own";
}

TEST_F(BenchTest, ScrutinyFindsAKernelThatIsRightOnlyAfterItsFirstLaunch) {
  ready();
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) { return launch.in_process == 0; });
  const auto answer = bench_->scrutinise(ArmName::candidate);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->failure);
}

// ---- without magnitudes
// -------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, WithoutMagnitudesErrorsAreHeldAgainstV0s) {
  oracle_.magnitudes = Magnitudes::none;
  const auto scaled = [](float factor) {
    return honest_but([factor](FakeLaunch& launch) {
      for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] *= factor;
    });
  };
  device_.behaviours["V"] = scaled(1.001f);
  device_.behaviours["B"] = scaled(1.002f);
  make_bench();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
  device_.behaviours["B"] = scaled(1.02f);
  EXPECT_TRUE(verify(ArmName::candidate, 0, 5).failure);
}

TEST_F(BenchTest, ACandidateIsNotItsOwnBaseline) {
  oracle_.magnitudes = Magnitudes::none;
  job_.baseline.reset();
  make_bench();
  build(ArmName::candidate, "B");
  const auto answer = bench_->verify(ArmName::candidate, 0, 5);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::usage);
}

TEST_F(BenchTest, ButWhatTheContractBeganWithIs) {
  oracle_.magnitudes = Magnitudes::none;
  job_.baseline.reset();
  const task::Candidate own = *task::read_candidate(task_, task_.folder);
  device_.behaviours[own.files[0].bytes] = honest;
  make_bench();
  ASSERT_TRUE(bench_->build(ArmName::candidate, own));
  EXPECT_FALSE(verify(ArmName::candidate, 0, 5).failure);
}

TEST_F(BenchTest, WithMagnitudesNobodyAsksForABaseline) {
  job_.baseline.reset();
  make_bench();
  build(ArmName::candidate, "B");
  EXPECT_FALSE(verify(ArmName::candidate, 0, 20).failure);
}

// ---- measuring
// --------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, MeasuredLaunchesAreCheckedByTheOracle) {
  ready();
  const auto answer = bench_->measure(ArmName::candidate, std::chrono::milliseconds(100));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->failure);
  EXPECT_GE(answer->oracle_checks, k_measure_processes * k_checked_launches * 2);
  EXPECT_EQ(std::count(device_.log.loaded.begin(), device_.log.loaded.end(), "B"),
            static_cast<ptrdiff_t>(k_measure_processes));
  EXPECT_GE(answer->times.at("large").size(), k_measure_processes * k_fewest_launches);
  EXPECT_GE(answer->times.at("wide").size(), k_measure_processes * k_fewest_launches);
}

TEST_F(BenchTest, AKernelThatIsWrongOnlyWhenMeasuredIsFound) {
  ready();
  for (const size_t size : {100u, 20000u}) {
    device_.behaviours["B"] =
        wrong_when([size](const FakeLaunch& launch) { return launch.in_process > 0 && launch.count(k_y) == size; });
    const auto answer = bench_->measure(ArmName::candidate, std::chrono::milliseconds(100));
    ASSERT_TRUE(answer);
    ASSERT_TRUE(answer->failure) << size;
    EXPECT_EQ(answer->failure->outcome, Outcome::incorrect_numerical);
    EXPECT_TRUE(answer->times.empty());
  }
}

TEST_F(BenchTest, AKernelThatStopsWorkingAfterTheLaunchesThatAreAlwaysMadeIsFound) {
  ready();
  device_.behaviours["B"] = wrong_when([of_case = size_t{0}](const FakeLaunch& launch) mutable {
    if (launch.in_process == 0) of_case = 0;
    return launch.count(k_y) == 20000 && of_case++ > k_fewest_launches;
  });
  const auto answer = bench_->measure(ArmName::candidate, std::chrono::seconds(10));
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->failure);
}

TEST_F(BenchTest, AMeasurementHasSpotsToo) {
  ready();
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) {
    return launch.in_process > 0 && distribution_of(launch.plan) != device::Distribution::contract;
  });
  std::optional<Failure> failure;
  for (int again = 0; again < 8 && !failure; ++again)
    failure = bench_->measure(ArmName::candidate, std::chrono::milliseconds(1))->failure;
  EXPECT_TRUE(failure);
}

TEST_F(BenchTest, TheFirstLaunchOfAProcessIsNotTimed) {
  ready();
  device_.behaviours["B"] =
      honest_but([](FakeLaunch& launch) { launch.nanoseconds = launch.in_process == 0 ? 5e9 : 1e9; });
  const auto answer = bench_->measure(ArmName::candidate, std::chrono::milliseconds(1));
  ASSERT_TRUE(answer);
  for (const double time : answer->times.at("large")) EXPECT_EQ(time, 1e9);
}

// ---- a slow oracle
// ------------------------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, WhatItTakesToMakeAReferenceReadyIsNoPartOfAnAnswer) {
  oracle_.seconds = 0.001;
  oracle_.makes_ready_for = std::chrono::milliseconds(550);
  ready();
  for (uint64_t index = 0; index < 6; ++index) EXPECT_GE(round(index).oracle_checks, 4u) << "as of a fast one";
}

TEST_F(BenchTest, ASlowOracleIsAskedInFourSecretRoundsOfAStage) {
  oracle_.seconds = 0.6;
  ready();
  size_t checked = 0;
  for (uint64_t index = 0; index < 12; ++index) checked += round(index).oracle_checks > 0 ? 1 : 0;
  EXPECT_EQ(checked, k_slow_checks_per_stage);
  ASSERT_FALSE(bench_->report().notes.empty());
  EXPECT_THAT(bench_->report().notes.back(), HasSubstr("4 times a stage"));
}

TEST_F(BenchTest, ASlowOracleIsAskedFourTimesInAMeasurement) {
  oracle_.seconds = 0.6;
  ready();
  const auto answer = bench_->measure(ArmName::candidate, std::chrono::milliseconds(1));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->oracle_checks, k_slow_checks_per_stage);
}

TEST_F(BenchTest, ADisagreementIsSettledHoweverSlowTheOracleIs) {
  oracle_.seconds = 0.6;
  ready();
  for (uint64_t index = 0; index < 12; ++index) {
    device_.behaviours["B"] = wrong_once(index % 8);
    EXPECT_TRUE(round(index).failure) << index;
  }
}

// ---- screens, floors, admission
// -----------------------------------------------------------------------------------------------------------

TEST_F(BenchTest, AScreenGivesAPairedRatio) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 0.8e9; });
  make_bench();
  build(ArmName::incumbent, "A");
  const auto answer = bench_->screen(to_candidate(text_of("B")), std::chrono::seconds(1));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->failure);
  EXPECT_EQ(answer->result.outcome, "ok");
  EXPECT_NEAR(*answer->result.ratio, 0.8, 1e-9);
}

TEST_F(BenchTest, AScreenMayRejectAClearLoser) {
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) { launch.nanoseconds = 1.08e9; });
  make_bench();
  build(ArmName::incumbent, "A");
  const auto answer = bench_->screen(to_candidate(text_of("B")), std::chrono::seconds(60));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->result.outcome, "slower");
}

TEST_F(BenchTest, AWrongCandidateIsScreenedOutWithoutARatio) {
  device_.behaviours["B"] = wrong_when([](const FakeLaunch&) { return true; });
  make_bench();
  build(ArmName::incumbent, "A");
  const auto answer = bench_->screen(to_candidate(text_of("B")), std::chrono::seconds(1));
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->failure);
  EXPECT_EQ(answer->result.outcome, "INCORRECT_NUMERICAL");
  EXPECT_FALSE(answer->result.ratio);
}

TEST_F(BenchTest, TheIncumbentsFaultInAScreenSaysNothingOfTheCandidate) {
  device_.behaviours["A"] = honest_but([](FakeLaunch& launch) {
    launch.fault = device::Fault{device::FaultKind::crashed, 11, "it died", ""};
  });
  make_bench();
  build(ArmName::incumbent, "A");
  const auto answer = bench_->screen(to_candidate(text_of("B")), std::chrono::seconds(1));
  ASSERT_TRUE(answer);
  ASSERT_TRUE(answer->failure);
  EXPECT_EQ(answer->failure->arm, ArmName::incumbent);
  EXPECT_FALSE(answer->result.ratio);
}

TEST_F(BenchTest, WithoutCeilingsThereIsNoFloorButTraffic) {
  make_bench();
  const auto floors = bench_->floors(false);
  ASSERT_TRUE(floors);
  ASSERT_EQ(floors->size(), 2u);
  EXPECT_FALSE((*floors)[0].floor_s);
  EXPECT_EQ((*floors)[0].bytes, 800.0);  // 100 floats in, 100 out
}

// A tolerance for the contract's content says nothing of content with other magnitudes.
TEST_F(BenchTest, WhereV0IsTheTruthStressRejectsNoHonestRounding) {
  v0_is_the_truth(1e-5);
  device_.behaviours["B"] = honest_but([](FakeLaunch& launch) {
    for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] *= 1 + 0x1p-23f;
  });
  uint64_t skipped = 0;
  for (uint8_t seed = 0; seed < 6; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    const TrialsAnswer answer = verify(ArmName::candidate, 0, 20);
    EXPECT_FALSE(answer.failure) << answer.failure->message;
    skipped += answer.counts.skipped_stress_cases;
  }
  EXPECT_GT(skipped, 0u);
}

TEST_F(BenchTest, WhereV0IsTheTruthStressStillFindsAWrongPath) {
  v0_is_the_truth(1e-5);
  device_.behaviours["B"] = wrong_when([](const FakeLaunch& launch) {
    const float* x = reinterpret_cast<const float*>(launch.buffers[k_x].data());
    return x[0] == x[1];
  });
  size_t found = 0;
  for (uint8_t seed = 0; seed < 6; ++seed) {
    make_bench(seed);
    build(ArmName::candidate, "B");
    found += verify(ArmName::candidate, 0, 20).failure ? 1 : 0;
  }
  EXPECT_GT(found, 0u);
}

TEST_F(BenchTest, AdmissionRejectsEveryImpostorOfASoundTask) {
  make_bench();
  build(ArmName::candidate, "V");
  const auto answer = bench_->admit();
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->failure);
  EXPECT_GE(answer->impostors_rejected, 15u);
  EXPECT_EQ(answer->cases, 3u);
}

TEST_F(BenchTest, AdmissionRefusesAToleranceThatLetsZerosPass) {
  v0_is_the_truth(1e9);
  make_bench();
  build(ArmName::candidate, "V");
  const auto answer = bench_->admit();
  ASSERT_TRUE(answer);
  ASSERT_TRUE(answer->failure);
  EXPECT_EQ(answer->failure->outcome, Outcome::contract_error);
  EXPECT_THAT(answer->failure->message, HasSubstr("'zeros' for output 'y'"));
}

TEST_F(BenchTest, AdmissionTellsOfAReferenceThatFails) {
  make_bench();
  build(ArmName::candidate, "V");
  oracle_.fault = "it hung";
  const auto answer = bench_->admit();
  ASSERT_TRUE(answer);
  ASSERT_TRUE(answer->failure);
  EXPECT_EQ(answer->failure->outcome, Outcome::invalid_reference);
}

// ---- the device's checker
// ---------------------------------------------------------------------------------------------------------------

device::SanitizerRun a_run(device::SanitizerTool tool, std::vector<device::SanitizerFinding> findings) {
  device::SanitizerRun run;
  run.tool = tool;
  run.state = device::SanitizerState::finished;
  run.launches = 2;
  run.asked = 3;
  run.seconds = 1.5;
  run.findings = std::move(findings);
  return run;
}

uint64_t bytes_of(const device::WatchedLaunch& launch) {
  uint64_t bytes = 0;
  for (const device::ParameterLayout& one : launch.load.parameters) bytes += one.capacity_bytes;
  return bytes;
}

TEST_F(BenchTest, TheCheckerIsShownEveryShapeOnceSmallOnesFirstInBuffersOfTheirSize) {
  ready();
  ASSERT_TRUE(bench_->sanitize());
  ASSERT_GT(device_.watched.size(), 2u);
  EXPECT_EQ(device_.sanitizer_limit, from_seconds(task_.limits.sanitizer_seconds));
  std::set<uint64_t> sizes;
  uint64_t before = 0;
  for (const device::WatchedLaunch& launch : device_.watched) {
    EXPECT_GE(bytes_of(launch), before);
    before = bytes_of(launch);
    EXPECT_TRUE(sizes.insert(before).second) << "one shape, two launches";
    EXPECT_EQ(launch.load.artefact.objects.front(), "B") << "the candidate alone";
    EXPECT_EQ(launch.load.sets, 1);
    EXPECT_EQ(launch.plan.cache, device::CacheState::warm);
    const device::FillPlan& y = launch.plan.plans[k_y];
    EXPECT_EQ(y.count * task::size_bytes(y.dtype), launch.load.parameters[k_y].capacity_bytes);
  }
}

TEST_F(BenchTest, WhatTheCheckerFindsIsAViolationWithItsPlaceInTheUntrustedPart) {
  ready();
  device_.sanitizer_runs = {
      a_run(device::SanitizerTool::memcheck, {}),
      a_run(device::SanitizerTool::racecheck, {{device::SanitizerTool::racecheck, device::FindingKind::race, "Race",
                                                "shared", "scale", "kernel.cu", 25, 7}})};
  const auto answer = bench_->sanitize();
  ASSERT_TRUE(answer && answer->failure && answer->record);
  EXPECT_EQ(answer->failure->outcome, Outcome::violation);
  EXPECT_EQ(answer->failure->reason, "sanitizer");
  EXPECT_EQ(answer->failure->arm, ArmName::candidate);
  EXPECT_THAT(answer->failure->message, HasSubstr("racecheck finds fault with 1 place of its kernels (race)"));
  EXPECT_EQ(answer->failure->details, "racecheck: Race, kernel scale, kernel.cu:25 (7 times)\n");
  ASSERT_EQ(answer->record->checks.size(), 2u);
  EXPECT_EQ(answer->record->checks[0].tool, "memcheck");
  EXPECT_EQ(answer->record->checks[0].state, "finished");
  EXPECT_EQ(answer->record->checks[0].launches, 2u);
  ASSERT_EQ(answer->record->checks[1].findings.size(), 1u);
  EXPECT_EQ(answer->record->checks[1].findings[0].line, 25u);
}

TEST_F(BenchTest, ACheckerThatDidNotComeToItsEndIsNoWordAgainstAnybody) {
  ready();
  for (const auto& state : EnumNames<device::SanitizerState>::table) {
    device_.sanitizer_runs = {a_run(device::SanitizerTool::memcheck, {})};
    device_.sanitizer_runs.front().state = state.value;
    const auto answer = bench_->sanitize();
    ASSERT_TRUE(answer && answer->record);
    EXPECT_FALSE(answer->failure) << state.name;
    EXPECT_EQ(answer->record->checks[0].state, state.name);
  }
}

TEST_F(BenchTest, ADeviceWithoutACheckerLeavesNoRecord) {
  ready();
  const auto answer = bench_->sanitize();
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->record || answer->failure);
}

TEST_F(HiddenCases, AreNotShownToTheChecker) {
  ready();
  ASSERT_TRUE(bench_->sanitize());
  ASSERT_FALSE(device_.watched.empty());
  for (const device::WatchedLaunch& launch : device_.watched)
    EXPECT_NE(launch.plan.plans[k_y].count, static_cast<uint64_t>(k_n));
}

}  // namespace
}  // namespace hone::judge
