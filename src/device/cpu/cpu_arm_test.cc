// Honest kernels through compile, load, stage, launch, collect and scrub.
#include <sys/resource.h>

#include <array>
#include <thread>

#include "device/cpu/testing/arm_fixture.h"
#include "device/cpu/testing/spinning_process.h"
#include "device/preparation.h"

namespace hone::device::cpu {
namespace {

using testing::HasSubstr;

constexpr const char* k_saxpy = "for (int i = 0; i < n; ++i) y[i] = a * x[i] + 1.0f;";

using CpuArmTest = ArmTest;

TEST_F(CpuArmTest, AnHonestKernelIsRight) {
  ASSERT_FALSE(load({k_saxpy}));
  const LaunchOutcome outcome = launch();
  ASSERT_FALSE(outcome.fault) << outcome.fault->message;
  EXPECT_GT(*outcome.nanoseconds, 0.0);
  const Collected collected = collect();
  EXPECT_TRUE(collected.guards_intact) << collected.violation;
  const auto x = floats_of(collected, 0);
  const auto y = floats_of(collected, 1);
  for (int i = 0; i < k_count; ++i) ASSERT_EQ(y[i], k_factor * x[i] + 1.0f) << i;
}

TEST_F(CpuArmTest, InputsAreTheFillsOwnAndAPairCopiesThem) {
  ASSERT_FALSE(load({k_saxpy}));
  launch();
  const auto first = collect().bytes[0];
  std::vector<std::byte> expected(k_count * 4);
  const StagePlan staged = plan("one");
  fill(expected, staged.plans[0], staged.sub_key, 0);
  EXPECT_EQ(first, expected);
  launch(std::chrono::seconds(20), 1);
  EXPECT_EQ(collect(1).bytes[0], expected);
}

TEST_F(CpuArmTest, OutputsArePoisonedBeforeAndScrubbedAfter) {
  ASSERT_FALSE(load({"y[0] = 1.0f;"}));
  launch();
  const auto y = floats_of(collect(), 1);
  EXPECT_EQ(y[0], 1.0f);
  EXPECT_EQ(std::count_if(y.begin(), y.end(), [](float value) { return std::isnan(value); }), k_count - 1);
  ASSERT_TRUE(arm_->scrub(0));
  EXPECT_TRUE(std::isnan(floats_of(collect(), 1)[0]));
}

TEST_F(CpuArmTest, SetsAreSeparateAndAGroupRunsThemInOrder) {
  ASSERT_FALSE(load({"static int calls = 0; y[0] = static_cast<float>(++calls);"}));
  ASSERT_TRUE(arm_->stage(0, plan("a")));
  ASSERT_TRUE(arm_->stage(1, plan("b")));
  const int order[] = {1, 0};
  const auto outcome = arm_->launch(order, std::chrono::seconds(20));
  ASSERT_TRUE(outcome && outcome->nanoseconds);
  EXPECT_EQ(floats_of(collect(1), 1)[0], 1.0f);
  EXPECT_EQ(floats_of(collect(0), 1)[0], 2.0f);
}

TEST_F(CpuArmTest, SmallerCasesAreGuardedRightBehindTheirPayload) {
  ASSERT_FALSE(load({"y[n] = 0.0f;"}));
  ASSERT_TRUE(arm_->stage(0, plan("small", 10)));
  const int sets[] = {0};
  ASSERT_TRUE(arm_->launch(sets, std::chrono::seconds(20)));
  const auto collected = arm_->collect(0, {});
  ASSERT_TRUE(collected);
  EXPECT_FALSE(collected->guards_intact);
  EXPECT_THAT(collected->violation, HasSubstr("past the end of parameter 1"));
}

TEST_F(CpuArmTest, GuardsHoldOtherBytesInEveryLaunch) {
  ASSERT_FALSE(load({"y[0] = x[0];"}));
  const auto guards = [this](std::string_view key) {
    EXPECT_TRUE(arm_->stage(0, plan(key)));
    const Buffer& output = runner().buffers().at(0, 1);
    std::vector<std::byte> bytes(output.guard_before().begin(), output.guard_before().end());
    const auto after = output.guard_after(k_count * 4);
    bytes.insert(bytes.end(), after.begin(), after.end());
    return bytes;
  };
  const auto first = guards("one"), second = guards("two");
  ASSERT_EQ(first.size(), second.size());
  size_t equal = 0;
  for (size_t i = 0; i < first.size(); ++i) equal += first[i] == second[i] ? 1 : 0;
  EXPECT_LT(equal, first.size() / 32) << "random bytes are equal once in 256";
}

TEST_F(CpuArmTest, AlignmentIsKeptAndAddressesDiffer) {
  ASSERT_FALSE(
      load({"y[0] = reinterpret_cast<unsigned long>(x) % 256 == 0 && reinterpret_cast<unsigned long>(y) % 64 == 0;"}));
  launch();
  EXPECT_EQ(floats_of(collect(), 1)[0], 1.0f);
}

TEST_F(CpuArmTest, ALaunchIsAtLeastAsLongAsTheKernelSays) {
  const std::string clock =
      "#include <time.h>\nstatic long now() { timespec t; clock_gettime(CLOCK_MONOTONIC_RAW, &t); return t.tv_sec * "
      "1000000000L + t.tv_nsec; }";
  ASSERT_FALSE(load({"const long start = now(); while (now() - start < 2000000L) { }", clock}));
  EXPECT_GE(*launch().nanoseconds, 2e6);
}

TEST_F(CpuArmTest, AFunctionMayReturnNothing) {
  Planted planted{"", "extern \"C\" void v(const float*, float* y, int, float) { y[0] = 7.0f; }"};
  CompileRequest request = request_of(planted);
  request.entry = "v";
  const auto compiled = device()->compile(request);
  ASSERT_TRUE(compiled && compiled->artefact);
  EXPECT_EQ(compiled->artefact->returns.at("v"), Returns::nothing);
  LoadRequest load_request;
  load_request.artefact = *compiled->artefact;
  load_request.entry = "v";
  load_request.parameters = {{ParameterKind::buffer, task::DType::f32, k_count * 4, 256, false},
                             {ParameterKind::buffer, task::DType::f32, k_count * 4, 64, true},
                             {ParameterKind::value, task::DType::i32, 0, 1, false},
                             {ParameterKind::value, task::DType::f32, 0, 1, false}};
  auto loaded = device()->load(load_request);
  ASSERT_TRUE(loaded && loaded->arm);
  arm_ = std::move(loaded->arm);
  EXPECT_FALSE(launch().fault);
  EXPECT_EQ(floats_of(collect(), 1)[0], 7.0f);
}

TEST_F(CpuArmTest, OpenMpWorksUpToTheLimitAndEachThreadHasItsCore) {
  if (!k_counts_threads) GTEST_SKIP() << "the thread sanitizer has a thread of its own";
  if (test_cores().size() < 2) GTEST_SKIP() << "needs two cores";
  Planted planted{
      "int most = 0;\n#pragma omp parallel reduction(max : most)\n{ most = omp_get_num_threads(); }\n"
      "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) y[i] = static_cast<float>(most);",
      "#include <omp.h>", 2};
  ASSERT_FALSE(load(planted));
  ASSERT_FALSE(launch().fault);
  EXPECT_EQ(floats_of(collect(), 1)[k_count - 1], 2.0f);
  const auto threads = threads_of(runner().pid());
  ASSERT_EQ(threads.size(), 2u);
  for (size_t i = 0; i < threads.size(); ++i) {
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(threads[i], sizeof set, &set), 0);
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(test_cores()[i], &set));
  }
  EXPECT_FALSE(launch().fault) << "and again with its threads alive";
}

TEST_F(CpuArmTest, StandsOnItsCoreBeforeItsFirstLaunch) {
  if (test_cores().size() < 2) GTEST_SKIP() << "needs two cores";
  ASSERT_FALSE(load({k_saxpy}));
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(runner().pid(), sizeof set, &set), 0);
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(test_cores()[0], &set));
}

TEST_F(CpuArmTest, AStagePlanMustFitTheLayout) {
  ASSERT_FALSE(load({k_saxpy}));
  EXPECT_FALSE(arm_->stage(0, plan("large", k_count + 1)));
  EXPECT_FALSE(arm_->stage(7, plan("one")));
  const int sets[] = {7};
  EXPECT_FALSE(arm_->launch(sets, std::chrono::seconds(1)));
  EXPECT_FALSE(arm_->collect(0, std::vector<Range>{{1, 0, k_count * 8}}));
  EXPECT_FALSE(arm_->collect(0, std::vector<Range>{{2, 0, 4}})) << "a scalar has no bytes";
}

TEST_F(CpuArmTest, BuffersBeyondTheMemoryLimitAreTheContractsFault) {
  auto compiled = device()->compile(request_of({k_saxpy}));
  ASSERT_TRUE(compiled && compiled->artefact);
  LoadRequest request;
  request.artefact = *compiled->artefact;
  request.entry = "k";
  request.parameters = {{ParameterKind::buffer, task::DType::f32, 1 << 20, 256, false}};
  request.memory_limit_bytes = 1 << 20;
  const auto loaded = device()->load(request);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::contract);
}

// The first launch finds the threads; from then on every launch says how much of its window others had.
TEST_F(CpuArmTest, ALaunchSaysHowMuchOthersDisturbedIt) {
  if (!path_exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel does not count";
  ASSERT_FALSE(load({"for (int i = 0; i < n; ++i) y[i] = a * x[i];"}));
  launch();
  const auto disturbed = launch().disturbed_fraction;
  ASSERT_TRUE(disturbed);
  EXPECT_GE(*disturbed, 0.0);
  EXPECT_LE(*disturbed, 1.0);
}

// A judge of the least priority comes late to a core on which a stranger spins. Of the launches in which the arm itself
// hardly waited, one shows it soon.
TEST_F(CpuArmTest, WhatTheJudgeWaitsForTheCoreIsADisturbance) {
  if (!path_exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel does not count";
  const int core = test_cores().front();
  const SpinningProcess stranger(core);
  bool seen = false;
  std::thread judge([&] {
    ASSERT_TRUE(pin_thread(0, core));
    ASSERT_FALSE(load({"usleep(1000); y[0] = 1.0f;", "#include <unistd.h>"}));
    ASSERT_EQ(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 19), 0);
    launch();
    RunDelay arm;
    arm.watch(runner().pid(), std::array{runner().pid()});
    for (int i = 0; i < 500 && !seen; ++i) {
      const uint64_t before = arm.times()->front().waited_ns;
      const double disturbed = launch().disturbed_fraction.value_or(0);
      seen = disturbed > 0.05 && arm.times()->front().waited_ns - before < 20'000;
    }
  });
  judge.join();
  EXPECT_TRUE(seen);
}

// `pack` doubles x into y, and k works from y into z: two functions of one library, as the judge loads them.
class PreparedFunctions : public ArmTest {
 protected:
  static constexpr std::string_view k_pack =
      "extern \"C\" void pack(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i]; }\n";

  static CompileRequest build_of(const std::string& pack, const std::string& body) {
    CompileRequest request;
    request.files = {{"k.cpp", false,
                      pack + "extern \"C\" int k(const float* x, const float* y, float* z, int n, float a) {\n" + body +
                          "\n  return 0;\n}\n"}};
    request.sources = {"k.cpp"};
    request.entry = "k";
    request.launches = {{"pack", {}}, {"k", {}}};
    return request;
  }

  static std::vector<ParameterLayout> parameters(size_t written) {
    const auto buffer = [&](size_t p) {
      return ParameterLayout{ParameterKind::buffer, task::DType::f32, k_count * 4, 64, p == written};
    };
    return {buffer(0),
            buffer(1),
            buffer(2),
            {ParameterKind::value, task::DType::i32, 0, 1, false},
            {ParameterKind::value, task::DType::f32, 0, 1, false}};
  }

  std::unique_ptr<Arm> loaded(const Artefact& artefact, size_t written) {
    LoadRequest request;
    request.artefact = artefact;
    request.entry = "k";
    request.steps = {step("pack", {0, 1, 3}), step("k", {0, 1, 2, 3, 4})};
    request.parameters = parameters(written);
    auto outcome = device()->load(request);
    EXPECT_TRUE(outcome && outcome->arm);
    return outcome ? std::move(outcome->arm) : nullptr;
  }

  static LaunchStep step(std::string entry, std::vector<size_t> arguments) {
    LaunchStep one;
    one.entry = std::move(entry);
    one.arguments = std::move(arguments);
    return one;
  }

  static StagePlan plan() {
    StagePlan plan;
    plan.sub_key = sha256("one");
    FillPlan floats;
    floats.count = k_count;
    FillPlan bytes;
    bytes.dtype = task::DType::u8;
    bytes.count = k_count * 4;
    plan.plans = {floats, bytes, floats, {}, {}};
    plan.roles = {task::Role::in, task::Role::derived, task::Role::out, task::Role::size, task::Role::scalar};
    plan.scalars = {int64_t{0}, int64_t{0}, int64_t{0}, int64_t{k_count}, double{k_factor}};
    return plan;
  }

  // Prepares and runs; what z holds then, or the fault of the run.
  LaunchOutcome prepare_and_run(const std::string& body) {
    const auto compiled = device()->compile(build_of(std::string(k_pack), body));
    EXPECT_TRUE(compiled && compiled->artefact) << (compiled ? compiled->messages : "");
    auto preparer = loaded(*compiled->artefact, 1);
    arm_ = loaded(*compiled->artefact, 2);
    auto made = prepare(*preparer, 0, preparing(plan(), {step("pack", {0, 1, 3})}), std::chrono::seconds(20));
    EXPECT_TRUE(made && !made->outcome.fault);
    StagePlan run = plan();
    run.steps = {step("k", {0, 1, 2, 3, 4})};
    hand_over(made->derived, run);
    EXPECT_TRUE(arm_->stage(0, run));
    const int sets[] = {0};
    return *arm_->launch(sets, std::chrono::seconds(20));
  }

  std::vector<float> floats(size_t parameter) {
    const Range range[] = {{parameter, 0, k_count * 4}};
    return floats_of(*arm_->collect(0, range), 0);
  }
};

TEST_F(PreparedFunctions, HandOverWhatTheyMadeToAnotherProcess) {
  EXPECT_FALSE(prepare_and_run("for (int i = 0; i < n; ++i) z[i] = y[i] + a;").fault);
  const std::vector<float> x = floats(0);
  const std::vector<float> z = floats(2);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(z[i], 2.0f * x[i] + k_factor) << i;
}

TEST_F(PreparedFunctions, WhatTheyMadeMayNotBeWritten) {
  const auto outcome = prepare_and_run("const_cast<float*>(y)[5] = 1.0f; z[0] = a;");
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::crashed);
}

TEST_F(PreparedFunctions, EachReturnsWhatItReturns) {
  const auto compiled = device()->compile(build_of(std::string(k_pack), ""));
  ASSERT_TRUE(compiled && compiled->artefact);
  EXPECT_EQ(compiled->artefact->returns.at("pack"), Returns::nothing);
  EXPECT_EQ(compiled->artefact->returns.at("k"), Returns::status);
  const auto again = device()->compile(build_of(std::string(k_pack), ""));
  ASSERT_TRUE(again && again->artefact);
  EXPECT_EQ(again->took, Nanoseconds(0)) << "it was in the cache";
  EXPECT_EQ(again->artefact->returns, compiled->artefact->returns);
}

TEST_F(PreparedFunctions, AreMissedWhenTheyAreNotThere) {
  const auto compiled = device()->compile(build_of("", ""));
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->fault, CompileFault::no_entry);
  EXPECT_THAT(compiled->explanation, testing::HasSubstr("define no function 'pack'"));
}

TEST_F(PreparedFunctions, AStatusOfTheirsIsAFault) {
  const std::string pack = "extern \"C\" int pack(const float*, float*, int) { return 3; }\n";
  const auto compiled = device()->compile(build_of(pack, ""));
  ASSERT_TRUE(compiled && compiled->artefact);
  arm_ = loaded(*compiled->artefact, 1);
  auto made = prepare(*arm_, 0, preparing(plan(), {step("pack", {0, 1, 3})}), std::chrono::seconds(20));
  ASSERT_TRUE(made && made->outcome.fault);
  EXPECT_EQ(made->outcome.fault->kind, FaultKind::bad_return);
  EXPECT_EQ(made->outcome.fault->signal_or_code, 3);
}

}  // namespace
}  // namespace hone::device::cpu
