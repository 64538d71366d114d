// A launcher process end to end: the judge's side, the wire, hone's kernels and a candidate's, on a real driver. Here
// that is this machine's processor: what runs on it would be host code for the judge, and is what these tests plant.
#include "device/launcher/launched_device.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/disk.h"
#include "device/launcher/calibrate.h"
#include "device/opencl/testing/processor.h"
#include "device/preparation.h"
#include "sandbox/testing/traces.h"

namespace hone::device::launcher {
namespace {

using testing::HasSubstr;

constexpr int k_count = 3000;
constexpr float k_factor = 2.5f;

std::string kernel(const std::string& body) {
  return "#pragma OPENCL FP_CONTRACT OFF\n__kernel void k(__global float* x, __global float* y, int n, float a) { "
         "const int i = get_global_id(0);\n" +
         body + "\n}\n";
}
const std::string k_saxpy = kernel("if (i < n) y[i] = a * x[i] + 1.0f;");

class LaunchedDeviceTest : public testing::Test {
 protected:
  // What is compiled is kept for the next test.
  static void SetUpTestSuite() {
    auto made = TemporaryFolder::make("/tmp", "hone-launched-device-test-");
    ASSERT_TRUE(made);
    cache_ = std::make_unique<TemporaryFolder>(std::move(*made));
  }
  static void TearDownTestSuite() { cache_.reset(); }

  void SetUp() override {
    HONE_NEEDS_PROCESSOR();
    const auto name = opencl::processor_here();
    auto launcher = Launcher::start({"opencl", *name, {}});
    ASSERT_TRUE(launcher) << to_text(launcher.error());
    auto device = LaunchedDevice::open({"opencl", *name, {}}, std::move(*launcher), cache_->path());
    ASSERT_TRUE(device) << to_text(device.error());
    device_ = std::move(*device);
  }
  void TearDown() override {
    arm_.reset();
    device_.reset();
    traces_.expect_none();
  }

  std::optional<Fault> load(const std::string& source, const std::string& entry = "k", const char* besides = nullptr) {
    arm_.reset();
    CompileRequest compile;
    compile.files = {{"k.cl", false, source}};
    compile.sources = {"k.cl"};
    compile.entry = "k";
    const auto compiled = device_->compile(compile);
    if (!compiled || !compiled->artefact) {
      ADD_FAILURE() << (compiled ? compiled->messages : to_text(compiled.error()));
      return Fault{};
    }
    LoadRequest request;
    request.artefact = *compiled->artefact;
    step_.entry = entry;
    step_.grid = {(k_count + 63) / 64, 1, 1};
    step_.block = {64, 1, 1};
    step_.arguments = {0, 1, 2, 3};
    request.steps = {step_};
    if (besides != nullptr) request.steps.push_back(step_of(besides));
    request.parameters = {{ParameterKind::buffer, task::DType::f32, k_count * 4, 256, false},
                          {ParameterKind::buffer, task::DType::f32, k_count * 4, 64, true},
                          {ParameterKind::value, task::DType::i32, 0, 1, false},
                          {ParameterKind::value, task::DType::f32, 0, 1, false}};
    request.layout_seed = 42;
    auto loaded = device_->load(request);
    if (!loaded) {
      ADD_FAILURE() << to_text(loaded.error());
      return Fault{};
    }
    arm_ = std::move(loaded->arm);
    return loaded->fault;
  }

  LaunchStep step_of(const std::string& entry) const {
    LaunchStep other = step_;
    other.entry = entry;
    return other;
  }

  StagePlan plan(std::string_view key, task::FillKind kind = task::FillKind::normal, int count = k_count) const {
    StagePlan plan;
    plan.sub_key = sha256(key);
    FillPlan floats;
    floats.count = static_cast<uint64_t>(count);
    floats.fill.kind = kind;
    plan.plans = {floats, floats, {}, {}};
    plan.roles = {task::Role::in, task::Role::out, task::Role::size, task::Role::scalar};
    plan.scalars = {int64_t{0}, int64_t{0}, int64_t{count}, double{k_factor}};
    plan.steps = {step_};
    return plan;
  }

  LaunchOutcome launch(const StagePlan& plan, Nanoseconds deadline = std::chrono::seconds(20), int set = 0) {
    const Status staged = arm_->stage(set, plan);
    EXPECT_TRUE(staged) << to_text(staged.error());
    const int sets[] = {set};
    auto outcome = arm_->launch(sets, deadline);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : LaunchOutcome{};
  }

  Collected collect(std::vector<Range> ranges, int set = 0) {
    auto collected = arm_->collect(set, ranges);
    EXPECT_TRUE(collected) << to_text(collected.error());
    return collected ? *collected : Collected{};
  }

  std::vector<float> floats(size_t parameter, int set = 0) {
    const Collected collected = collect({{parameter, 0, k_count * 4}}, set);
    std::vector<float> values(k_count);
    if (!collected.bytes.empty()) std::memcpy(values.data(), collected.bytes[0].data(), k_count * 4);
    violation_ = collected.violation;
    return values;
  }

  static std::unique_ptr<TemporaryFolder> cache_;
  std::unique_ptr<Device> device_;
  sandbox::Traces traces_;
  LaunchStep step_;
  std::unique_ptr<Arm> arm_;
  std::string violation_;
};

std::unique_ptr<TemporaryFolder> LaunchedDeviceTest::cache_;

TEST_F(LaunchedDeviceTest, CeilingsAreMeasuredByItsOwnKernels) {
  const auto ceilings = calibrate(*device_, 0.2);
  ASSERT_TRUE(ceilings) << to_text(ceilings.error());
  EXPECT_EQ(ceilings->device_key, device_->identity().key().hex());
  ASSERT_EQ(ceilings->bandwidth.size(), 2u);
  EXPECT_EQ(ceilings->bandwidth[0].level, "L2");
  EXPECT_EQ(ceilings->bandwidth[1].level, "memory");
  for (const LevelBandwidth& level : ceilings->bandwidth) {
    EXPECT_GT(level.read_bytes_per_second, 1e6) << level.level;
    EXPECT_GT(level.copy_bytes_per_second, 1e6) << level.level;
  }
  ASSERT_EQ(ceilings->arithmetic.size(), 2u);
  for (const ArithmeticRate& rate : ceilings->arithmetic) EXPECT_GT(rate.flops_per_second, 1e6) << rate.dtype;
  EXPECT_GT(*ceilings->empty_launch_seconds, 0.0);
  const auto cache = measure_level(*device_, "L2", 0.05);
  ASSERT_TRUE(cache) << to_text(cache.error());
  EXPECT_EQ(cache->capacity_bytes, ceilings->bandwidth[0].capacity_bytes);
  const auto nothing = measure_empty_launch(*device_, 0.05);
  ASSERT_TRUE(nothing) << to_text(nothing.error());
  EXPECT_GT(*nothing, 0.0);
  EXPECT_LT(*nothing, 1.0);
  EXPECT_THAT(measure_level(*device_, "L9", 0.05).error().what, HasSubstr("no level 'L9'"));
}

// All the way from the driver: PoCL's work-groups are smaller than the largest that OpenCL contracts may ask for.
TEST_F(LaunchedDeviceTest, TheLimitsOfALaunchAreItsDevicesOwn) {
  const auto& limits = device_->identity().launch_limits;
  ASSERT_TRUE(limits);
  EXPECT_LT(limits->threads, task::widest_limits(task::Language::opencl).threads);
  EXPECT_EQ(limits->block[0], limits->threads);
  EXPECT_EQ(limits->cluster_blocks, 1u);
}

// The question goes to the driver and back; OpenCL has no answer to it.
TEST_F(LaunchedDeviceTest, OccupancyIsAbsentWhereTheDriverHasNone) {
  ASSERT_FALSE(load(k_saxpy));
  const std::vector<LaunchStep> steps(3, step_);
  const auto found = arm_->occupancy(steps);
  ASSERT_TRUE(found) << to_text(found.error());
  EXPECT_THAT(*found, testing::ElementsAre(std::nullopt, std::nullopt, std::nullopt));
  EXPECT_FALSE(launch(plan("one")).fault) << "and it stays as it was";
  LaunchStep other = step_;
  other.entry = "other";
  EXPECT_FALSE(arm_->occupancy(std::span(&other, 1))) << "it was not loaded";
}

// Behind a short content lies room that a longer one takes: nothing can be kept there.
TEST_F(LaunchedDeviceTest, AllThatAnAllocationHasBesideItsContentIsWatched) {
  constexpr int k_short = 100;
  ASSERT_FALSE(load(kernel("if (i < n) y[i] = a * x[i]; if (i == 2500) y[2500] = 1.0f;")));
  const LaunchOutcome outcome = launch(plan("one", task::FillKind::normal, k_short));
  ASSERT_FALSE(outcome.fault) << outcome.fault->message;
  EXPECT_THAT(collect({{1, 0, k_short * 4}}).violation, HasSubstr("past the end of parameter 1"));
}

// The place of y, as the kernel sees it, in the first bits of y itself.
TEST_F(LaunchedDeviceTest, EveryLaunchHasAnotherPlaceUnlessItIsAskedForAtTheSame) {
  ASSERT_FALSE(load(kernel("if (i == 0) { y[0] = as_float((uint)(ulong)y); } else if (i < n) y[i] = 1.0f;")));
  const auto place = [&](const char* key, int set) {
    launch(plan(key), std::chrono::seconds(20), set);
    uint32_t bits = 0;
    const Collected collected = collect({{1, 0, 4}}, set);
    std::memcpy(&bits, collected.bytes[0].data(), sizeof bits);
    return bits;
  };
  const uint32_t first = place("one", 0);
  EXPECT_EQ(place("two", 0), first) << "the same set twice in a row";
  std::set<uint32_t> places;
  for (int i = 0; i < 8; ++i) {
    place("between", 1);
    places.insert(place("three", 0));
  }
  EXPECT_GT(places.size(), 4u);
}

TEST_F(LaunchedDeviceTest, AnHonestKernelIsRightAgainAndAgain) {
  ASSERT_FALSE(load(k_saxpy));
  for (const char* key : {"one", "two", "three"}) {
    const LaunchOutcome outcome = launch(plan(key));
    ASSERT_FALSE(outcome.fault) << outcome.fault->message;
    EXPECT_GT(*outcome.nanoseconds, 0.0);
    const auto x = floats(0);
    const auto y = floats(1);
    EXPECT_EQ(violation_, "");
    for (int i = 0; i < k_count; ++i) ASSERT_EQ(y[i], k_factor * x[i] + 1.0f) << i;
    ASSERT_TRUE(arm_->scrub(0));
    EXPECT_TRUE(std::isnan(floats(1)[0])) << "overwritten";
  }
}

TEST_F(LaunchedDeviceTest, InputsAreTheFillsOwnHoweverTheyAreMade) {
  ASSERT_FALSE(load(k_saxpy));
  for (const auto& [kind, name] : EnumNames<task::FillKind>::table) {
    if (kind == task::FillKind::file || kind == task::FillKind::formula) continue;
    StagePlan staged = plan("fills", kind);
    for (const Distribution distribution : {Distribution::contract, Distribution::heavy_tail}) {
      staged.plans[0].distribution = distribution;
      launch(staged);
      std::vector<std::byte> expected(k_count * 4);
      fill(expected, staged.plans[0], staged.sub_key, 0);
      EXPECT_EQ(collect({{0, 0, k_count * 4}}).bytes[0], expected) << name;
    }
  }
}

TEST_F(LaunchedDeviceTest, OutputsAreThePoisonOfTheirKey) {
  ASSERT_FALSE(load(kernel("if (i == 7) y[7] = 1.0f;")));
  launch(plan("one"));
  std::vector<std::byte> expected(k_count * 4);
  poison(expected, task::DType::f32, sha256("one"), 1);
  const float one = 1.0f;
  std::memcpy(expected.data() + 28, &one, 4);
  EXPECT_EQ(collect({{1, 0, k_count * 4}}).bytes[0], expected);
}

TEST_F(LaunchedDeviceTest, RangesComeAsTheyWereAskedFor) {
  ASSERT_FALSE(load(k_saxpy));
  launch(plan("ranges"));
  const auto whole = collect({{0, 0, k_count * 4}, {1, 0, k_count * 4}}).bytes;
  const auto parts = collect({{1, 400, 4}, {0, 0, 40}, {1, 11996, 4}, {0, 1000, 333}}).bytes;
  const auto part = [&](size_t parameter, size_t offset, size_t size) {
    return std::vector<std::byte>(whole[parameter].begin() + static_cast<ptrdiff_t>(offset),
                                  whole[parameter].begin() + static_cast<ptrdiff_t>(offset + size));
  };
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0], part(1, 400, 4));
  EXPECT_EQ(parts[1], part(0, 0, 40));
  EXPECT_EQ(parts[2], part(1, 11996, 4));
  EXPECT_EQ(parts[3], part(0, 1000, 333));
}

TEST_F(LaunchedDeviceTest, GuardsOnBothSidesAreWatched) {
  ASSERT_FALSE(load(kernel("if (i == 0) y[n] = 1.0f;")));
  launch(plan("small", task::FillKind::normal, 100));
  EXPECT_THAT(collect({}).violation, HasSubstr("past the end of parameter 1"));
  ASSERT_FALSE(load(kernel("if (i == 0) y[-1] = 1.0f;")));
  launch(plan("small"));
  EXPECT_THAT(collect({}).violation, HasSubstr("before the start of parameter 1"));
}

TEST_F(LaunchedDeviceTest, AChangedInputIsSeen) {
  ASSERT_FALSE(load(kernel("if (i == 2999) x[i] = 5.0f;")));
  launch(plan("inputs"));
  const Collected collected = collect({});
  EXPECT_TRUE(collected.guards_intact);
  EXPECT_FALSE(collected.inputs_intact);
  EXPECT_THAT(collected.violation, HasSubstr("parameter 0"));
}

TEST_F(LaunchedDeviceTest, SetsAreSeparate) {
  ASSERT_FALSE(load(k_saxpy));
  ASSERT_TRUE(arm_->stage(0, plan("a")));
  ASSERT_TRUE(arm_->stage(1, plan("b")));
  const int order[] = {1, 0};
  const auto outcome = arm_->launch(order, std::chrono::seconds(20));
  ASSERT_TRUE(outcome && outcome->nanoseconds);
  EXPECT_NE(floats(0, 0), floats(0, 1));
  EXPECT_EQ(floats(1, 1)[5], k_factor * floats(0, 1)[5] + 1.0f);
  EXPECT_EQ(floats(1, 0)[5], k_factor * floats(0, 0)[5] + 1.0f);
}

TEST_F(LaunchedDeviceTest, AnEndlessKernelCostsItsLauncherAlone) {
  ASSERT_FALSE(load(kernel("while (n > 0) ((volatile __global float*)y)[0] = 1.0f;")));
  const LaunchOutcome outcome = launch(plan("one"), std::chrono::milliseconds(300));
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::timed_out);
  const int sets[] = {0};
  EXPECT_EQ(arm_->launch(sets, std::chrono::seconds(1))->fault->kind, FaultKind::timed_out) << "it stays";
  ASSERT_FALSE(load(k_saxpy)) << "the next load has another";
  EXPECT_FALSE(launch(plan("two")).fault);
}

TEST_F(LaunchedDeviceTest, ALauncherThatDiesIsTheKernelsFault) {
  ASSERT_FALSE(load(kernel("if (i == 0) *(volatile __global int*)8 = 1;")));
  const LaunchOutcome outcome = launch(plan("one"));
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::crashed);
}

TEST_F(LaunchedDeviceTest, AKernelThatIsNotThereIsSaid) {
  const auto fault = load(k_saxpy, "other");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::load_failed);
  EXPECT_THAT(fault->message, HasSubstr("other"));
}

TEST_F(LaunchedDeviceTest, WhatDoesNotCompileIsTheCandidates) {
  CompileRequest request;
  request.files = {{"k.cl", false, "__kernel void k(__global float* x) { x[0] = nothing; }"}};
  request.sources = {"k.cl"};
  const auto compiled = device_->compile(request);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->fault, CompileFault::compile_error);
  EXPECT_THAT(compiled->messages, HasSubstr("nothing"));
}

TEST_F(LaunchedDeviceTest, TwoArmsOfAContextDoNotMeet) {
  ASSERT_FALSE(load(k_saxpy));
  std::unique_ptr<Arm> first = std::move(arm_);
  ASSERT_FALSE(load(kernel("if (i < n) y[i] = 7.0f;")));
  std::swap(first, arm_);
  launch(plan("a"));
  std::swap(first, arm_);
  launch(plan("a"));
  EXPECT_EQ(floats(1)[3], 7.0f);
  std::swap(first, arm_);
  EXPECT_EQ(floats(1)[3], k_factor * floats(0)[3] + 1.0f);
}

// ---- what is prepared
// ----------------------------------------------------------------------------------------------------------------------

const std::string k_doubles =
    "__kernel void p(__global float* x, __global float* y, int n, float a) { "
    "const int i = get_global_id(0); if (i < n) y[i] = 2.0f * x[i]; }\n";

class PreparedHere : public LaunchedDeviceTest {
 protected:
  // `p` doubles the weights x into y; then `body` works from y into x.
  void prepare_and_run(const std::string& body, std::string_view key = "a") {
    ASSERT_FALSE(load(k_doubles + kernel(body), "k", "p"));
    StagePlan weights = plan(key);
    weights.roles[1] = task::Role::derived;
    weights.plans[1].dtype = task::DType::u8;
    weights.plans[1].count = k_count * 4;
    auto made = prepare(*arm_, 0, preparing(weights, {step_of("p")}), std::chrono::seconds(20));
    ASSERT_TRUE(made) << to_text(made.error());
    ASSERT_FALSE(made->outcome.fault);
    EXPECT_EQ(made->collected.violation, "");
    StagePlan run = weights;
    run.roles[0] = task::Role::out;
    hand_over(made->derived, run);
    launch(run);
    derived_.resize(k_count);
    std::memcpy(derived_.data(), made->derived.at(1)->data(), k_count * 4);
    out_ = floats(0);
  }

  std::vector<float> derived_;
  std::vector<float> out_;
};

TEST_F(PreparedHere, IsHandedToALaunchAsItWasMade) {
  prepare_and_run("if (i < n) x[i] = y[i] + a;");
  EXPECT_EQ(violation_, "");
  EXPECT_NE(derived_[7], 0.0f);
  for (int i = 0; i < k_count; ++i) ASSERT_EQ(out_[i], derived_[i] + k_factor) << i;
}

TEST_F(PreparedHere, MayNotBeWrittenByWhatRuns) {
  prepare_and_run("if (i < n) x[i] = y[i]; if (i == 5) y[5] = 1.0f;");
  EXPECT_EQ(violation_, "wrote into parameter 1, which it may only read");
}

// Inputs that no preparing step takes are poison, and what it takes is the content.
TEST_F(LaunchedDeviceTest, APlanThatPreparesHoldsNothingElse) {
  StagePlan plan = this->plan("a");
  plan.tensor_maps.resize(1);
  LaunchStep step = step_of("p");
  step.arguments = {1};
  const StagePlan only_y = preparing(plan, {step});
  EXPECT_EQ(only_y.roles[0], task::Role::scratch);
  EXPECT_EQ(only_y.roles[1], task::Role::out);
  EXPECT_EQ(only_y.steps.at(0).entry, "p");
  EXPECT_TRUE(only_y.tensor_maps.empty());
  EXPECT_EQ(only_y.cache, CacheState::warm);
  step.arguments = {0, 1};
  EXPECT_EQ(preparing(plan, {step}).roles[0], task::Role::in);
}

}  // namespace
}  // namespace hone::device::launcher
