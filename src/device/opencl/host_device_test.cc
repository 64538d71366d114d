// OpenCL kernels on this machine's own cores, through compile, load, stage, launch, collect and scrub: as C++ kernels.
#include "device/opencl/host_device.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "base/disk.h"
#include "device/cpu/cpu_arm.h"
#include "device/cpu/pin.h"
#include "device/cpu/topology.h"
#include "device/launcher/launcher.h"
#include "device/opencl/testing/processor.h"
#include "sandbox/testing/traces.h"

namespace hone::device::opencl {
namespace {

using testing::HasSubstr;

constexpr int k_count = 3000;
constexpr float k_factor = 2.5f;
constexpr const char* k_saxpy = R"(#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const float* x, __global float* y, int n, float a, __local float* room) {
  const int i = get_global_id(0);
  room[get_local_id(0)] = a;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = room[get_local_id(0)] * x[i] + 1.0f;
})";

// A kernel with the statements of `body`, in the place of that one.
std::string kernel(const std::string& body, const std::string& before = "") {
  return before +
         "\n__kernel void k(__global const float* x, __global float* y, int n, float a, __local float* room) {\n" +
         body + "\n}\n";
}

class HostDeviceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto name = processor_here();
    if (!name) return;
    auto made = TemporaryFolder::make("/tmp", "hone-host-device-test-");
    ASSERT_TRUE(made);
    cache_ = std::make_unique<TemporaryFolder>(std::move(*made));
    const auto launcher = launcher::Launcher::start({"opencl", *name, {}});
    ASSERT_TRUE(launcher) << to_text(launcher.error());
    const auto topology = cpu::read_topology();
    ASSERT_TRUE(topology);
    const auto cores = cpu::choose_cores(*topology, {}, 1);
    ASSERT_TRUE(cores);
    auto device = HostDevice::open(cpu::identity_of(*topology, *cores, "", ""), (*launcher)->facts(), cache_->path());
    ASSERT_TRUE(device) << to_text(device.error());
    device_ = std::move(*device);
  }
  static void TearDownTestSuite() {
    device_.reset();
    cache_.reset();
  }

  void SetUp() override { HONE_NEEDS_PROCESSOR(); }
  void TearDown() override {
    arm_.reset();
    traces_.expect_none();
  }

  static Result<CompileOutcome> compile(const std::string& source, std::map<std::string, std::string> macros = {}) {
    CompileRequest request;
    request.files = {{"k.cl", false, source}};
    request.sources = {"k.cl"};
    request.entry = "k";
    request.macros = std::move(macros);
    return device_->compile(request);
  }

  static LaunchStep step(uint32_t block = 64, const std::string& entry = "k") {
    LaunchStep step;
    step.entry = entry;
    step.grid = {(k_count + block - 1) / block, 1, 1};
    step.block = {block, 1, 1};
    step.arguments = {0, 1, 2, 3, 4};
    return step;
  }

  std::optional<Fault> load(const std::string& source, std::vector<LaunchStep> steps = {step()}) {
    arm_.reset();
    steps_ = std::move(steps);
    const auto compiled = compile(source);
    if (!compiled || !compiled->artefact) {
      ADD_FAILURE() << (compiled ? compiled->messages : to_text(compiled.error()));
      return Fault{};
    }
    LoadRequest request;
    request.artefact = *compiled->artefact;
    request.steps = steps_;
    request.parameters = {{ParameterKind::buffer, task::DType::f32, k_count * 4, 256, false},
                          {ParameterKind::buffer, task::DType::f32, k_count * 4, 64, true},
                          {ParameterKind::value, task::DType::i32, 0, 1, false},
                          {ParameterKind::value, task::DType::f32, 0, 1, false},
                          {ParameterKind::local, task::DType::f32, 0, 1, false}};
    request.layout_seed = 42;
    auto loaded = device_->load(request);
    if (!loaded) {
      ADD_FAILURE() << to_text(loaded.error());
      return Fault{};
    }
    arm_ = std::move(loaded->arm);
    return loaded->fault;
  }

  LaunchOutcome launch(Nanoseconds deadline = std::chrono::seconds(20)) {
    StagePlan plan;
    plan.sub_key = sha256("one");
    FillPlan floats;
    floats.count = k_count;
    FillPlan local;
    local.count = 64 * sizeof(float);
    plan.plans = {floats, floats, {}, {}, local};
    plan.roles = {task::Role::in, task::Role::out, task::Role::size, task::Role::scalar, task::Role::local};
    plan.scalars = {int64_t{0}, int64_t{0}, int64_t{k_count}, double{k_factor}, int64_t{0}};
    plan.steps = steps_;
    const Status staged = arm_->stage(0, plan);
    EXPECT_TRUE(staged) << to_text(staged.error());
    const int sets[] = {0};
    auto outcome = arm_->launch(sets, deadline);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : LaunchOutcome{};
  }

  std::vector<float> floats(size_t parameter) {
    const Range whole[] = {{parameter, 0, k_count * 4}};
    const auto collected = arm_->collect(0, whole);
    std::vector<float> values(k_count);
    if (!collected) {
      ADD_FAILURE() << to_text(collected.error());
      return values;
    }
    violation_ = collected->violation;
    std::memcpy(values.data(), collected->bytes[0].data(), k_count * 4);
    return values;
  }

  static std::unique_ptr<TemporaryFolder> cache_;
  static std::unique_ptr<device::Device> device_;
  sandbox::Traces traces_;
  std::vector<LaunchStep> steps_;
  std::unique_ptr<Arm> arm_;
  std::string violation_;
};

std::unique_ptr<TemporaryFolder> HostDeviceTest::cache_;
std::unique_ptr<device::Device> HostDeviceTest::device_;

TEST_F(HostDeviceTest, AnHonestKernelIsRight) {
  ASSERT_FALSE(load(k_saxpy));
  for (int again = 0; again < 3; ++again) {
    const LaunchOutcome outcome = launch();
    ASSERT_FALSE(outcome.fault) << outcome.fault->message << outcome.fault->output;
    EXPECT_GT(*outcome.nanoseconds, 0.0);
    const auto x = floats(0);
    const auto y = floats(1);
    EXPECT_EQ(violation_, "");
    for (int i = 0; i < k_count; ++i) ASSERT_EQ(y[i], k_factor * x[i] + 1.0f) << i;
  }
}

TEST_F(HostDeviceTest, ItIsHostCodeOnPinnedCores) {
  EXPECT_EQ(device_->identity().kind, "opencl");
  ASSERT_TRUE(device_->identity().launch_limits);
  EXPECT_GE(device_->identity().launch_limits->threads, 1u);
  EXPECT_LE(device_->identity().launch_limits->threads, task::widest_limits(task::Language::opencl).threads);
  EXPECT_EQ(device_->identity().trust, Trust::host_code);
  EXPECT_TRUE(device_->identity().is_of_cores());
  EXPECT_THAT(device_->active_layers(), testing::Contains("seccomp"));
}

TEST_F(HostDeviceTest, StepsFollowOneAnother) {
  const std::string source = std::string(k_saxpy) + R"(
__kernel void half_of_it(__global const float* x, __global float* y, int n, float a, __local float* room) {
  const int i = get_global_id(0);
  if (i < n) y[i] = y[i] / 2;
})";
  ASSERT_FALSE(load(source, {step(64), step(32, "half_of_it")}));
  ASSERT_FALSE(launch().fault);
  const auto x = floats(0);
  const auto y = floats(1);
  for (int i = 0; i < k_count; ++i) ASSERT_EQ(y[i], (k_factor * x[i] + 1.0f) / 2) << i;
}

TEST_F(HostDeviceTest, WhatItIsCompiledForDoesNotCountAsItsTime) {
  ASSERT_FALSE(load(k_saxpy));
  const LaunchOutcome first = launch();
  ASSERT_TRUE(first.nanoseconds);
  EXPECT_LT(*first.nanoseconds, 50e6) << "a runtime compiles for longer than that";
}

TEST_F(HostDeviceTest, MacrosReachTheKernel) {
  const auto with = compile(kernel("y[get_global_id(0)] = VALUE;"), {{"VALUE", "3.0f"}});
  ASSERT_TRUE(with);
  EXPECT_TRUE(with->artefact) << with->messages;
  const auto without = compile(kernel("y[get_global_id(0)] = VALUE;"));
  ASSERT_TRUE(without);
  EXPECT_EQ(without->fault, CompileFault::compile_error);
  EXPECT_THAT(without->messages, HasSubstr("k.cl:3"));
  EXPECT_THAT(without->messages, HasSubstr("VALUE"));
}

TEST_F(HostDeviceTest, OutputsArePoisonedBeforeAndScrubbedAfter) {
  ASSERT_FALSE(load(kernel("if (get_global_id(0) == 7) y[7] = 1.0f;")));
  ASSERT_FALSE(launch().fault);
  const auto y = floats(1);
  EXPECT_EQ(y[7], 1.0f);
  EXPECT_EQ(std::count_if(y.begin(), y.end(), [](float value) { return std::isnan(value); }), k_count - 1);
  ASSERT_TRUE(arm_->scrub(0));
  EXPECT_TRUE(std::isnan(floats(1)[7]));
}

TEST_F(HostDeviceTest, WritingPastTheEndIsSeen) {
  ASSERT_FALSE(load(kernel("if (get_global_id(0) == 0) y[n] = 1.0f;")));
  ASSERT_FALSE(launch().fault);
  floats(1);
  EXPECT_THAT(violation_, HasSubstr("past the end of parameter 1"));
}

TEST_F(HostDeviceTest, WritingAnInputEndsIt) {
  ASSERT_FALSE(load(kernel("((__global float*)x)[get_global_id(0)] = 1.0f;")));
  const LaunchOutcome outcome = launch();
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::crashed);
}

TEST_F(HostDeviceTest, AnEndlessKernelMeetsItsDeadline) {
  ASSERT_FALSE(load(kernel("while (n > 0) ((volatile __global float*)y)[0] = 1.0f;")));
  const LaunchOutcome outcome = launch(std::chrono::milliseconds(300));
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::timed_out);
}

TEST_F(HostDeviceTest, AMissingKernelIsSaid) {
  const auto fault = load(k_saxpy, {step(64, "other")});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kind, FaultKind::load_failed);
  EXPECT_THAT(fault->message, HasSubstr("other"));
}

TEST_F(HostDeviceTest, AWorkGroupThatNoDeviceTakesIsRefused) {
  const auto fault = load(k_saxpy, {step(1 << 20)});
  const auto refused = fault ? fault : launch().fault;
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->kind, testing::AnyOf(FaultKind::launch_refused, FaultKind::load_failed));
}

TEST_F(HostDeviceTest, AKernelWithOtherParametersIsRefused) {
  ASSERT_FALSE(load("__kernel void k(__global const float* x, __global float* y, int n) { y[0] = n; }"));
  const LaunchOutcome outcome = launch();
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, FaultKind::launch_refused);
  EXPECT_THAT(outcome.fault->message, HasSubstr("fewer parameters"));
}

// Kernels are native code, and may make any system call that the filter lets through.
constexpr const char* k_system_call = R"(
long ask(long number, long a, long b, long c) {
  long answer;
  __asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return answer;
})";

// PoCL 5 with LLVM 16 ends over inline assembly.
#define HONE_NEEDS_ASSEMBLY()                                                               \
  if (const auto built = compile(kernel("y[0] = (float)ask(39, 0, 0, 0);", k_system_call)); \
      !built || !built->artefact)                                                           \
  GTEST_SKIP() << "the OpenCL compiler here takes no inline assembly"

TEST_F(HostDeviceTest, AKernelStartsNeitherProcessNorThread) {
  HONE_NEEDS_ASSEMBLY();
  constexpr const char* k_thread = "0x3d0f00";  // CLONE_VM … CLONE_THREAD, as pthread_create asks
  for (const std::string& call : {std::string("ask(57, 0, 0, 0)"), fmt::format("ask(56, {}, 0, 0)", k_thread)}) {
    ASSERT_FALSE(load(kernel("if (get_global_id(0) == 0) y[0] = (float)" + call + ";", k_system_call)));
    const LaunchOutcome outcome = launch();
    ASSERT_FALSE(outcome.fault) << outcome.fault->message;
    EXPECT_EQ(floats(1)[0], -1.0f) << call << ": EPERM";
  }
}

TEST_F(HostDeviceTest, AKernelOpensNoFileToWrite) {
  HONE_NEEDS_ASSEMBLY();
  ASSERT_FALSE(
      load(kernel("char path[10] = {'/', 't', 'm', 'p', '/', 'l', 'e', 'f', 't', 0};\n"
                  "if (get_global_id(0) == 0) y[0] = (float)ask(2, (long)path, 65, 420);",
                  k_system_call)));
  ASSERT_FALSE(launch().fault);
  EXPECT_EQ(floats(1)[0], -1.0f);
}

TEST_F(HostDeviceTest, AKernelThatCallsALibraryDoesNotCompile) {
  const auto compiled = compile(kernel("if (get_global_id(0) == 0) y[0] = (float)fork();", "int fork(void);"));
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->fault, CompileFault::compile_error);
  EXPECT_THAT(compiled->messages, HasSubstr("fork"));
}

TEST_F(HostDeviceTest, ItStandsStillOutsideItsLaunches) {
  ASSERT_FALSE(load(k_saxpy));
  ASSERT_FALSE(launch().fault);
  const pid_t pid = dynamic_cast<cpu::CpuArm&>(*arm_).runner().pid();
  for (const pid_t thread : cpu::threads_of(pid)) {
    const auto status = read_file(fmt::format("/proc/{}/task/{}/stat", pid, thread));
    ASSERT_TRUE(status);
    EXPECT_EQ((*status)[status->rfind(')') + 2], 'T') << *status;
  }
}

}  // namespace
}  // namespace hone::device::opencl
