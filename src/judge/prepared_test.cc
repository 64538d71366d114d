// What a candidate prepares once for the launches of a block: who sees what when, and who is blamed. The kernels are
// y = a · x, and wrong where `packed` is not `w` as `pack` copied it.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <set>

#include "device/fill.h"
#include "judge/constants.h"
#include "judge/device_bench.h"
#include "judge/testing/fake_device.h"
#include "judge/testing/fake_oracle.h"
#include "task/task_folder_for_tests.h"

namespace hone::judge {
namespace {

using campaign::Outcome;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t k_x = 1, k_y = 2, k_w = 4, k_packed = 5;

constexpr std::string_view k_kernel = R"([[args]]
name = "w"
role = "in"
dtype = "f32"
shape = ["n"]
fill = { kind = "normal", mean = 0.0, std = 1.0 }
constant_across_calls = true

[[args]]
name = "packed"
role = "derived"
bytes = "4 * n"

[kernel]
language = "cuda"
sources = ["kernel.cu"]
entry = "scale"

[[launch]]
phase = "prepare"
entry = "pack"
grid = [1]
block = [32]
args = ["w", "packed", "n"]

[[launch]]
grid = [1]
block = [32]
args = ["a", "x", "y", "n", "packed"]
)";

constexpr std::string_view k_function = R"([kernel]
language = "cpp"
sources = ["kernel.cpp"]
entry = "scale"

[kernel.prepare]
entry = "pack"
args = ["w", "packed", "n"]
)";

enum class Works { on_a_device, as_a_function };

// The contract of y = a · x, launched or called, and with weights that may be prepared.
std::map<std::string, std::string> task_files(Works works) {
  auto files = task::scale_files();
  std::string toml = files["task.toml"];
  const size_t kernel = toml.find("[kernel]");
  const std::string_view arguments = k_kernel.substr(0, k_kernel.find("[kernel]"));
  const std::string called = std::string(arguments) + std::string(k_function);
  toml.replace(kernel, toml.find("[oracle]") - kernel,
               (works == Works::on_a_device ? std::string(k_kernel) : called) + "\n");
  toml = task::replaced(toml, "bind = { n = 1023, a = -0.5 }", "bind = { n = 37, a = -0.5 }");
  files["task.toml"] = task::replaced(toml, "bind = { n = 1_000_000, a = 1.5 }", "bind = { n = 100, a = 1.5 }");
  files["kernel.cu"] = "extern \"C\" __global__ void scale();\n";
  return files;
}

struct Seen {
  std::string text;
  bool prepares = false;
  Digest sub_key;
  std::vector<float> w;  // as far as it is seen
  std::vector<float> x;
  task::BoundValue a;
};

std::vector<float> values(FakeLaunch& launch, size_t parameter) {
  return {launch.floats(parameter), launch.floats(parameter) + launch.count(parameter)};
}

CandidateText text_of(const std::string& text) { return {{{"kernel.cu", false, text}}, {}, {}}; }

class Prepared : public testing::Test {
 protected:
  explicit Prepared(Works works = Works::on_a_device) : folder_(task_files(works)) {
    if (works == Works::on_a_device) device_.be_device_only();
    for (const std::string text : {"A", "B", "V"}) {
      device_.behaviours[text] = [this, text](FakeLaunch& launch) { work(text, launch); };
    }
    job_.candidate = text_of("B");
    job_.baseline = text_of("V");
    auto made = DeviceBench::make(task_, job_, device_, {Secret({7}), std::make_unique<FakeOracle>(oracle_, device_)});
    EXPECT_TRUE(made) << to_text(made.error());
    bench_ = std::move(*made);
    for (const auto& [arm, text] : {std::pair{ArmName::incumbent, "A"}, std::pair{ArmName::candidate, "B"}})
      EXPECT_TRUE(bench_->build(arm, to_candidate(text_of(text))));
  }

  void work(const std::string& text, FakeLaunch& launch) {
    const bool prepares = launch.plan.steps.at(0).entry == "pack";
    seen_.push_back(
        {text, prepares, launch.plan.sub_key, values(launch, k_w), values(launch, k_x), launch.plan.scalars[0]});
    if (prepares) {
      launch.buffers[k_packed] = launch.buffers[k_w];
    } else {
      const auto a = static_cast<float>(std::get<double>(launch.plan.scalars[0]));
      const bool whole = launch.buffers[k_packed] == launch.buffers[k_w];
      for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] = whole ? a * launch.floats(k_x)[i] : 7.0f;
      roles_when_run_.insert(launch.plan.roles[k_packed]);
    }
    if (twist_) twist_(text, prepares, launch);
  }

  RoundAnswer round(uint64_t index) {
    auto answer = bench_->round({"stage1", index});
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? std::move(*answer) : RoundAnswer{};
  }
  std::optional<Failure> verify() {
    auto answer = bench_->verify(ArmName::candidate, 0, 20);
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? std::move(answer->failure) : std::nullopt;
  }

  task::TaskFolder folder_;
  task::Task task_ = *folder_.read().task;
  JudgingJob job_;
  FakeDevice device_;
  FakeOracleState oracle_;
  std::vector<Seen> seen_;
  std::set<task::Role> roles_when_run_;
  std::function<void(const std::string&, bool, FakeLaunch&)> twist_;
  std::unique_ptr<DeviceBench> bench_;
};

TEST_F(Prepared, AnHonestKernelIsRightInTrialsAndRounds) {
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  EXPECT_THAT(roles_when_run_, ElementsAre(task::Role::in)) << "what was prepared may only be read";
}

TEST_F(Prepared, WhoPreparesSeesNothingThatVaries) {
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  size_t preparations = 0;
  for (const Seen& seen : seen_) {
    if (!seen.prepares) continue;
    ++preparations;
    EXPECT_TRUE(std::ranges::all_of(seen.x, [](float value) { return std::isnan(value); }));
    EXPECT_FALSE(std::ranges::any_of(seen.w, [](float value) { return std::isnan(value); }));
  }
  EXPECT_GT(preparations, 20u);
}

// It is not timed: with the pair's content on the device it could find the answer there at leisure.
TEST_F(Prepared, NobodyPreparesWhileThePairsContentIsOnTheDevice) {
  EXPECT_EQ(verify(), std::nullopt);
  seen_.clear();
  for (uint64_t index = 0; index < 3; ++index) ASSERT_TRUE(round(index).record);
  std::set<Digest> met;
  for (size_t i = 0; i < seen_.size(); ++i) {
    if (seen_[i].prepares || met.insert(seen_[i].sub_key).second) continue;
    EXPECT_FALSE(seen_[i - 1].prepares) << "between the launches of a pair";
    EXPECT_EQ(seen_[i - 1].sub_key, seen_[i].sub_key);
  }
  EXPECT_GT(met.size(), 30u);
}

TEST_F(Prepared, ARoundIsOneBlockOfACaseAndPreparesItOnce) {
  EXPECT_EQ(verify(), std::nullopt);
  std::set<std::vector<float>> weights;
  for (uint64_t index = 0; index < 2; ++index) {
    ASSERT_TRUE(round(index).record);  // the first one also probes
    seen_.clear();
    ASSERT_TRUE(round(10 + index).record);
    std::map<std::vector<float>, size_t> launches;
    for (const Seen& seen : seen_) {
      if (!seen.prepares) ++launches[seen.w];
    }
    const auto most = std::ranges::max_element(launches, {}, [](const auto& one) { return one.second; });
    EXPECT_GE(most->second, 10u) << "its quads are on the same weights";
    EXPECT_TRUE(weights.insert(most->first).second) << "and other ones in the next round";
    std::set<std::vector<float>> inputs;
    for (const Seen& seen : seen_) {
      if (!seen.prepares && seen.w == most->first) inputs.insert(seen.x);
    }
    EXPECT_GE(inputs.size(), most->second / 2) << "a pair has inputs of its own";
  }
}

TEST_F(Prepared, EveryTrialHasWeightsOfItsOwn) {
  EXPECT_EQ(verify(), std::nullopt);
  std::set<std::vector<float>> weights;
  for (const Seen& seen : seen_) {
    if (seen.text != "B" || seen.prepares) continue;
    EXPECT_TRUE(weights.insert(seen.w).second);
  }
}

TEST_F(Prepared, WindowsStandOnWhatWasPrepared) {
  twist_ = [](const std::string&, bool, FakeLaunch& launch) { launch.nanoseconds = 1e5; };
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  seen_.clear();
  const auto answer = bench_->windows();
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_FALSE(answer->failure) << answer->failure->message;
  EXPECT_EQ(answer->records.size(), k_windows);
  EXPECT_EQ(std::ranges::count(seen_, true, &Seen::prepares), static_cast<ptrdiff_t>(2 * k_windows));
}

TEST_F(Prepared, WhatFailsThereIsTheArms) {
  twist_ = [](const std::string&, bool prepares, FakeLaunch& launch) {
    if (prepares) launch.fault = device::Fault{device::FaultKind::timed_out, 0, "no answer within 10 s", {}};
  };
  auto failure = verify();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::timeout);
  EXPECT_EQ(failure->arm, ArmName::candidate);
  EXPECT_THAT(failure->message, HasSubstr("while it prepares: no answer"));
}

TEST_F(Prepared, WhatIsBrokenThereIsAViolation) {
  twist_ = [](const std::string&, bool prepares, FakeLaunch& launch) { launch.guards_intact = !prepares; };
  auto failure = verify();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::violation);
  EXPECT_EQ(failure->reason, "guards");
}

TEST_F(Prepared, WhatIsPreparedWrongIsWrong) {
  twist_ = [](const std::string&, bool prepares, FakeLaunch& launch) {
    if (prepares) launch.floats(k_packed)[0] += 1.0f;
  };
  auto failure = verify();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
}

TEST_F(Prepared, ItsCostIsToldAndCountsToNoLaunch) {
  twist_ = [](const std::string&, bool prepares, FakeLaunch& launch) { launch.nanoseconds = prepares ? 5e3 : 1e9; };
  EXPECT_EQ(verify(), std::nullopt);
  const RoundAnswer answer = round(0);
  ASSERT_TRUE(answer.record);
  for (const auto& quad : answer.record->cases.at(0).times_ns) EXPECT_THAT(quad, ElementsAre(1e9, 1e9, 1e9, 1e9));
  const BenchReport report = bench_->report();
  EXPECT_THAT(report.notes, Contains(HasSubstr("candidate prepares once for many launches takes 5.00 µs")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("incumbent prepares once for many launches takes 5.00 µs")));
}

TEST_F(Prepared, TheCheckerIsShownItToo) {
  ASSERT_TRUE(bench_->sanitize());
  ASSERT_FALSE(device_.watched.empty());
  for (const device::WatchedLaunch& launch : device_.watched) {
    ASSERT_TRUE(launch.preparing);
    EXPECT_EQ(launch.preparing->steps.at(0).entry, "pack");
    EXPECT_EQ(launch.preparing->roles[k_x], task::Role::scratch);
    EXPECT_EQ(launch.plan.steps.at(0).entry, "scale");
    EXPECT_EQ(launch.load.steps.size(), 2u);
  }
}

class PreparedByAFunction : public Prepared {
 protected:
  PreparedByAFunction() : Prepared(Works::as_a_function) {}
};

TEST_F(PreparedByAFunction, AnHonestKernelIsRightInTrialsAndRounds) {
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  EXPECT_THAT(roles_when_run_, ElementsAre(task::Role::in));
  EXPECT_THAT(bench_->report().notes, Contains(HasSubstr("candidate prepares for each pair of launches takes")));
}

TEST_F(PreparedByAFunction, IsBuiltWithBoth) {
  ASSERT_FALSE(device_.compiled.empty());
  ASSERT_EQ(device_.compiled.front().launches.size(), 2u);
  EXPECT_EQ(device_.compiled.front().launches[0].entry, "pack");
  EXPECT_EQ(device_.compiled.front().launches[1].entry, "scale");
}

// What it learns of the weights, and where it leaves them, is of no use to a process that it is not.
TEST_F(PreparedByAFunction, PreparesInAProcessThatDoesNothingElse) {
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  const auto& loads = device_.log.loads;
  ASSERT_GE(loads.size(), 4u);
  ASSERT_EQ(loads.size() % 2, 0u);
  for (size_t i = 0; i < loads.size(); i += 2) {
    EXPECT_EQ(device_.log.loaded[i], device_.log.loaded[i + 1]);
    EXPECT_FALSE(loads[i].parameters[k_packed].written) << "what was prepared may only be read";
    EXPECT_TRUE(loads[i].parameters[k_y].written);
    EXPECT_EQ(loads[i + 1].sets, 1);
    EXPECT_NE(loads[i].layout_seed, loads[i + 1].layout_seed);
    for (size_t p = 0; p < loads[i].parameters.size(); ++p)
      EXPECT_EQ(loads[i + 1].parameters[p].written, p == k_packed) << p;
  }
}

TEST_F(PreparedByAFunction, WhoPreparesSeesNothingThatVaries) {
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  for (const Seen& seen : seen_) {
    if (!seen.prepares) continue;
    EXPECT_TRUE(std::ranges::all_of(seen.x, [](float value) { return std::isnan(value); }));
    EXPECT_FALSE(std::ranges::any_of(seen.w, [](float value) { return std::isnan(value); }));
    EXPECT_EQ(seen.a, task::BoundValue(int64_t{0}));
  }
}

// A launch that kept the weights of the one before would find others.
TEST_F(PreparedByAFunction, EveryPairHasWeightsOfItsOwnPreparedByBoth) {
  EXPECT_EQ(verify(), std::nullopt);
  seen_.clear();
  ASSERT_TRUE(round(0).record);
  std::map<std::vector<float>, std::map<std::string, size_t>> launches;
  std::map<std::vector<float>, size_t> preparations;
  for (const Seen& seen : seen_) {
    if (seen.prepares) ++preparations[seen.w];
    if (!seen.prepares) ++launches[seen.w][seen.text];
  }
  EXPECT_GE(launches.size(), 12u);
  for (const auto& [weights, by_arm] : launches) {
    for (const auto& [text, count] : by_arm) EXPECT_EQ(count, 1u) << text;
    EXPECT_EQ(preparations[weights], by_arm.size());
  }
}

// A group would share its weights.
TEST_F(PreparedByAFunction, ShortLaunchesAreNotTimedInGroups) {
  twist_ = [](const std::string&, bool, FakeLaunch& launch) { launch.nanoseconds = 1e3; };
  EXPECT_EQ(verify(), std::nullopt);
  ASSERT_TRUE(round(0).record);
  for (const device::LoadRequest& load : device_.log.loads) EXPECT_LE(load.sets, 2);
}

TEST_F(PreparedByAFunction, WhatFailsThereIsTheArms) {
  twist_ = [](const std::string&, bool prepares, FakeLaunch& launch) {
    if (prepares) launch.fault = device::Fault{device::FaultKind::crashed, 11, "it was killed", {}};
  };
  auto failure = verify();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::runtime_error);
  EXPECT_THAT(failure->message, HasSubstr("while it prepares: it was killed"));
}

}  // namespace
}  // namespace hone::judge
