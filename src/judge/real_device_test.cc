// The judge on a real device: kernels are compiled, confined and launched, and the contract's reference is asked. Every
// planted cheat must end as what it is, and the right answer must pass. The main function of this room's tests stands
// here: like hone's own, it first asks whether it was started in a role, because confined runners are this very
// executable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "base/process.h"
#include "device/cpu/cpu_device.h"
#include "device/roles.h"
#include "judge/device_bench.h"
#include "task/task_folder_for_tests.h"

namespace hone::judge {
namespace {

using campaign::Outcome;

std::string kernel(const std::string& body) {
  return "extern \"C\" int scale(float a, const float* x, float* y, int n) {\n  (void)a; (void)x; (void)y; (void)n;\n" +
         body + "\n  return 0;\n}\n";
}

const char* const k_right = "for (int i = 0; i < n; ++i) y[i] = a * x[i];";

constexpr std::string_view k_reference = R"(#include <cmath>
extern "C" void scale_reference(double a, const double* x, double* y, int n, double* y_magnitude) {
  for (int i = 0; i < n; ++i) {
    y[i] = a * x[i];
    y_magnitude[i] = std::fabs(a * x[i]);
  }
}
)";

std::map<std::string, std::string> task_files() {
  auto files = task::scale_files();
  std::string toml = task::replaced(std::string(task::k_scale_toml), "n = 1023", "n = 37");
  files["task.toml"] = task::replaced(toml, "n = 1_000_000", "n = 3000");
  files["kernel.cpp"] = kernel(k_right);
  files["reference.cpp"] = std::string(k_reference);
  return files;
}

class RealDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cache() = std::make_unique<TemporaryFolder>(*TemporaryFolder::make("/tmp", "hone-judge-test-"));
  }
  static void TearDownTestSuite() { cache().reset(); }
  static std::unique_ptr<TemporaryFolder>& cache() {
    static std::unique_ptr<TemporaryFolder> folder;
    return folder;
  }

  static std::unique_ptr<device::cpu::CpuDevice> open() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    device::Identity identity;
    identity.kind = "cpu";
    identity.name = "test";
    for (int core = 0; core < CPU_SETSIZE && identity.cores.empty(); ++core) {
      if (CPU_ISSET(core, &set)) identity.cores.push_back(core);
    }
    Processes processes;
    return *device::cpu::CpuDevice::open(identity, cache()->path(), processes);
  }

  void SetUp() override {
    task_.limits.case_seconds = 2;
    device_ = open();
    job_.baseline = CandidateText{{{"kernel.cpp", false, kernel(k_right)}}, {}, {}};
    auto made = DeviceBench::make(task_, job_, *device_, {Secret(), make_c_function_oracle(task_, open())});
    ASSERT_TRUE(made) << to_text(made.error());
    bench_ = std::move(*made);
  }

  std::optional<Failure> build(ArmName arm, const std::string& source) {
    auto built = bench_->build(arm, to_candidate({{{"kernel.cpp", false, source}}, {}, {}}));
    EXPECT_TRUE(built) << to_text(built.error());
    return built ? *built : std::nullopt;
  }
  std::optional<Failure> verify(const std::string& body, uint64_t trials = 5) {
    if (auto failure = build(ArmName::candidate, kernel(body))) return failure;
    auto answer = bench_->verify(ArmName::candidate, 0, trials);
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? answer->failure : std::nullopt;
  }
  Outcome outcome_of(const std::string& body) {
    const auto failure = verify(body);
    EXPECT_TRUE(failure) << "it passed";
    return failure ? failure->outcome : Outcome::correct;
  }

  task::TaskFolder folder_{task_files()};
  task::Task task_ = *folder_.read().task;
  JudgingJob job_;
  std::unique_ptr<device::cpu::CpuDevice> device_;
  std::unique_ptr<DeviceBench> bench_;
};

TEST_F(RealDevice, TheRightAnswerPassesEveryTrial) {
  const auto failure = verify(k_right, 20);
  EXPECT_FALSE(failure) << failure->message;
}

// The oracle compiles at its first answer what it said before: then the cache has it.
TEST_F(RealDevice, TheReferenceIsBuiltAheadOfItsFirstAnswer) {
  const auto fresh = *TemporaryFolder::make("/tmp", "hone-judge-test-");
  Processes processes;
  auto host = *device::cpu::CpuDevice::open(device_->identity(), fresh.path(), processes);
  auto made = DeviceBench::make(task_, job_, *device_, {Secret(), make_c_function_oracle(task_, std::move(host))});
  ASSERT_TRUE(made);
  bench_ = *std::move(made);
  const auto artefacts = [&] {
    const fs::path folder = fresh.path() / "artefacts";
    return path_exists(folder) ? std::distance(fs::directory_iterator(folder), fs::directory_iterator()) : 0;
  };
  const task::Candidate candidate = to_candidate({{{"kernel.cpp", false, kernel(k_right)}}, {}, {}});
  bench_->build_ahead({&candidate, 1}, [] { return false; });
  EXPECT_EQ(artefacts(), 1) << "the reference, in the host's own cache";
  EXPECT_FALSE(verify(k_right));
  EXPECT_EQ(artefacts(), 1);
}

TEST_F(RealDevice, ZerosAreWrong) {
  EXPECT_EQ(outcome_of("for (int i = 0; i < n; ++i) y[i] = 0;"), Outcome::incorrect_numerical);
}

TEST_F(RealDevice, NaNIsWrong) {
  EXPECT_EQ(outcome_of("for (int i = 0; i < n; ++i) y[i] = __builtin_nanf(\"\");"), Outcome::incorrect_numerical);
}

TEST_F(RealDevice, WritingNothingIsWrong) { EXPECT_EQ(outcome_of(""), Outcome::incorrect_numerical); }

TEST_F(RealDevice, AMissingTileIsWrong) {
  EXPECT_EQ(outcome_of("for (int i = 0; i < n - (n >= 32 ? 32 : 1); ++i) y[i] = a * x[i];"),
            Outcome::incorrect_numerical);
}

TEST_F(RealDevice, AnAnswerKeptFromTheLaunchBeforeIsWrong) {
  EXPECT_EQ(
      outcome_of(
          "static float kept[4096]; static int have = 0;\n"
          "for (int i = 0; i < n; ++i) { float now = a * x[i]; y[i] = have > i ? kept[i] : now; kept[i] = now; }\n"
          "if (n > have) have = n;"),
      Outcome::incorrect_numerical);
}

TEST_F(RealDevice, HalfPrecisionIsWrong) {
  EXPECT_EQ(outcome_of("for (int i = 0; i < n; ++i) { float v = a * x[i]; unsigned b; __builtin_memcpy(&b, &v, 4); b "
                       "&= 0xffffe000u; "
                       "__builtin_memcpy(&y[i], &b, 4); }"),
            Outcome::incorrect_numerical);
}

TEST_F(RealDevice, AWritePastTheEndIsAViolation) {
  EXPECT_EQ(outcome_of("for (int i = 0; i <= n; ++i) y[i] = a * x[i < n ? i : 0];"), Outcome::violation);
}

TEST_F(RealDevice, AWriteBeforeTheStartIsAViolation) {
  EXPECT_EQ(outcome_of("for (int i = 0; i < n; ++i) y[i] = a * x[i];\n  float* before = y; asm(\"\" : \"+r\"(before)); "
                       "before[-1] = 1;"),
            Outcome::violation);
}

TEST_F(RealDevice, AnInputCannotBeWritten) {
  EXPECT_EQ(outcome_of("const_cast<float*>(x)[0] = 1;"), Outcome::runtime_error);
}

TEST_F(RealDevice, ACrashIsARuntimeError) { EXPECT_EQ(outcome_of("__builtin_trap();"), Outcome::runtime_error); }

TEST_F(RealDevice, AStatusThatIsNotZeroIsARuntimeError) { EXPECT_EQ(outcome_of("return 7;"), Outcome::runtime_error); }

TEST_F(RealDevice, AnEndlessKernelTimesOut) {
  task_.limits.case_seconds = 0.3;
  EXPECT_EQ(outcome_of("for (volatile int i = 0;; i = i + 1) {}"), Outcome::timeout);
}

TEST_F(RealDevice, WhatDoesNotCompileIsACompileError) {
  EXPECT_EQ(outcome_of("this is no C++;"), Outcome::compile_error);
}

TEST_F(RealDevice, AMissingEntryIsACompileError) {
  const auto failure = build(ArmName::candidate, "extern \"C\" int other() { return 0; }\n");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::compile_error);
}

TEST_F(RealDevice, ARoundOfEqualKernelsIsWholeAndRight) {
  ASSERT_FALSE(build(ArmName::incumbent, kernel(k_right)));
  ASSERT_FALSE(build(ArmName::candidate, kernel(k_right)));
  for (const ArmName arm : {ArmName::incumbent, ArmName::candidate}) ASSERT_FALSE(bench_->verify(arm, 0, 5)->failure);
  uint64_t oracle_checks = 0;
  // A busy machine makes the reference slow; then secret ones of the twelve rounds of a block are checked.
  for (uint64_t index = 0; index < 12 && oracle_checks < 2; ++index) {
    const auto answer = bench_->round({"stage1", index});
    ASSERT_TRUE(answer) << to_text(answer.error());
    ASSERT_TRUE(answer->record);
    oracle_checks += answer->oracle_checks;
    for (const auto& quad : answer->record->cases[0].times_ns) {
      for (const double time : quad) EXPECT_GT(time, 0.0);
    }
  }
  EXPECT_GE(oracle_checks, 2u);
}

TEST_F(RealDevice, AKernelThatIsWrongOnceInTwoHundredLaunchesIsFoundInItsRound) {
  ASSERT_FALSE(build(ArmName::incumbent, kernel(k_right)));
  ASSERT_FALSE(build(ArmName::candidate, kernel(std::string("static int launches = 0;\n  ") + k_right +
                                                "\n  if (++launches == 200 && n > 7) y[7] += 1;")));
  for (const ArmName arm : {ArmName::incumbent, ArmName::candidate}) ASSERT_FALSE(bench_->verify(arm, 0, 5)->failure);
  std::optional<Failure> failure;
  for (uint64_t index = 0; index < 3 && !failure; ++index) failure = bench_->round({"stage1", index})->failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(failure->arm, ArmName::candidate);
}

TEST_F(RealDevice, AMeasurementChecksItsLaunches) {
  ASSERT_FALSE(build(ArmName::candidate, kernel(k_right)));
  const auto right = bench_->measure(ArmName::candidate, std::chrono::milliseconds(300));
  ASSERT_TRUE(right) << to_text(right.error());
  EXPECT_FALSE(right->failure);
  EXPECT_GE(right->oracle_checks, 4u) << "so many even where a busy machine makes the reference slow";
  ASSERT_FALSE(build(ArmName::candidate, kernel(std::string("static int launches = 0;\n  ") + k_right +
                                                "\n  if (++launches > 1) y[0] += 1;")));
  const auto wrong = bench_->measure(ArmName::candidate, std::chrono::milliseconds(300));
  ASSERT_TRUE(wrong) << to_text(wrong.error());
  EXPECT_TRUE(wrong->failure);
}

// An input with gaps between its elements is filled over its whole span, for the kernel and for the reference.
class RealGaps : public RealDevice {
 protected:
  void SetUp() override {
    const std::string shape = "shape = [\"n\"]\nfill";
    folder_.write("task.toml", task::replaced(task_files()["task.toml"], shape, "strides = [2]\n" + shape));
    folder_.write("reference.cpp",
                  task::replaced(task::replaced(std::string(k_reference), "y[i] = a * x[i]", "y[i] = a * x[2 * i]"),
                                 "fabs(a * x[i])", "fabs(a * x[2 * i])"));
    task_ = *folder_.read().task;
    RealDevice::SetUp();
    job_.baseline = CandidateText{{{"kernel.cpp", false, kernel(k_strided)}}, {}, {}};
  }
  const char* const k_strided = "for (int i = 0; i < n; ++i) y[i] = a * x[2 * i];";
};

TEST_F(RealGaps, AreReadByKernelAndReference) {
  const auto failure = verify(k_strided, 10);
  EXPECT_FALSE(failure) << failure->message;
  EXPECT_EQ(outcome_of(k_right), Outcome::incorrect_numerical);
}

TEST_F(RealDevice, TheTaskIsAdmitted) {
  ASSERT_FALSE(build(ArmName::candidate, kernel(k_right)));
  const auto answer = bench_->admit();
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_FALSE(answer->failure) << answer->failure->message;
  EXPECT_GE(answer->impostors_rejected, 10u);
}

}  // namespace
}  // namespace hone::judge

int main(int argc, char** argv) {
  if (const auto status = hone::device::run_role(argc, argv)) return *status;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
