// Launches below a checker. The checkers here are scripts: they start the launcher as the real one does, in its
// profile, on this machine's processor, and print what a real one printed.
#include "device/launcher/sanitize.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "base/disk.h"
#include "device/launcher/duties.h"
#include "device/launcher/launched_arm.h"
#include "device/launcher/loading.h"
#include "device/launcher/toolchain.h"
#include "device/opencl/testing/processor.h"
#include "device/workshop.h"
#include "sandbox/testing/shell.h"
#include "sandbox/testing/traces.h"

namespace hone::device::launcher {
namespace {

using sandbox::Layer;
using sandbox::machine_has;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int k_count = 1000;

// Skips the options, a name and a value each; what is left is the program to watch.
constexpr const char* k_options = "while case $1 in --*) true;; *) false;; esac; do shift 2; done\n";
constexpr const char* k_clean = "\"$@\"\necho '========= ERROR SUMMARY: 0 errors'\n";

std::string finding_in(const std::string& kernel) {
  return fmt::format(
      "========= Invalid __global__ write of size 4 bytes\n=========     at {}+0x80 in kernel.cu:25\n========= \n",
      kernel);
}

class SanitizeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto name = opencl::processor_here();
    if (!name) return;
    auto made = TemporaryFolder::make("/tmp", "hone-sanitize-test-");
    ASSERT_TRUE(made);
    folder_ = std::make_unique<TemporaryFolder>(std::move(*made));
    fs::permissions(folder_->path(), fs::perms(0755));
    setup_.launcher = {"opencl", *name, {}};
    const auto launcher = Launcher::start(setup_.launcher);
    ASSERT_TRUE(launcher) << to_text(launcher.error());
    const auto toolchain = find_toolchain("opencl", (*launcher)->facts());
    ASSERT_TRUE(toolchain);
    toolchain_ = *toolchain;
    const auto duties = built("hone_duties", duties_text("opencl"));
    setup_.duties = *read_built(duties.folder / duties.objects[0]);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  void SetUp() override {
    HONE_NEEDS_PROCESSOR();
    NEEDS(Layer::network_namespace);
    NEEDS(Layer::pid_namespace);
    NEEDS(Layer::mount_namespace);
    setup_.program.reset();
  }
  void TearDown() override { traces_.expect_none(); }

  static Artefact built(const std::string& name, const std::string& source) {
    CompileRequest request;
    request.files = {{name, false, source}};
    request.sources = {name};
    const auto compiled = compile(toolchain_, folder_->path() / "cache", request);
    EXPECT_TRUE(compiled && compiled->artefact);
    return compiled && compiled->artefact ? *compiled->artefact : Artefact{};
  }

  // A launch of `k`, which adds one to each of so many numbers.
  WatchedLaunch watched(const std::string& body = "y[i] = x[i] + 1.0f;") const {
    WatchedLaunch one;
    one.load.artefact =
        built("k.cl",
              "__kernel void k(__global float* x, __global float* y) { const int i = get_global_id(0); " + body + " }");
    LaunchStep step;
    step.entry = "k";
    step.grid = {k_count, 1, 1};
    step.arguments = {0, 1};
    one.load.steps = {step};
    one.load.parameters = {{ParameterKind::buffer, task::DType::f32, k_count * 4, 256, false},
                           {ParameterKind::buffer, task::DType::f32, k_count * 4, 256, true}};
    one.load.sets = 1;
    FillPlan floats;
    floats.count = k_count;
    one.plan.sub_key = sha256("one");
    one.plan.plans = {floats, floats};
    one.plan.roles = {task::Role::in, task::Role::out};
    one.plan.scalars = {int64_t{0}, int64_t{0}};
    one.plan.steps = {step};
    one.plan.cache = CacheState::warm;
    return one;
  }

  // `script` comes behind its options, with the program to watch as its arguments.
  void checker_is(const std::string& script, const std::string& before = k_options) {
    const fs::path file = folder_->path() / "tool" / "compute-sanitizer";
    fs::create_directories(file.parent_path());
    Disk disk;
    ASSERT_TRUE(write_file(disk, file, "#!/bin/sh\n" + before + script));
    fs::permissions(file, fs::perms(0755));
    setup_.program = file;
  }

  SanitizerRun run(size_t launches = 1, Nanoseconds limit = std::chrono::seconds(60)) {
    return run_sanitizer(setup_, SanitizerTool::memcheck, std::vector<WatchedLaunch>(launches, watched()), limit);
  }

  sandbox::Traces traces_;
  static std::unique_ptr<TemporaryFolder> folder_;
  static Toolchain toolchain_;
  static SanitizerSetup setup_;
};

std::unique_ptr<TemporaryFolder> SanitizeTest::folder_;
Toolchain SanitizeTest::toolchain_;
SanitizerSetup SanitizeTest::setup_;

TEST_F(SanitizeTest, ACleanCandidateIsWatchedToItsEnd) {
  checker_is(k_clean);
  const SanitizerRun seen = run(3);
  EXPECT_EQ(seen.state, SanitizerState::finished) << seen.note;
  EXPECT_EQ(seen.launches, 3u);
  EXPECT_EQ(seen.asked, 3u);
  EXPECT_GT(seen.seconds, 0.0);
  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_EQ(seen.note, "");
}

TEST_F(SanitizeTest, WhatIsFoundInItsKernelCounts) {
  checker_is(fmt::format("\"$@\"\ncat << END\n{}END\n{}", finding_in("k(float *, float *)"),
                         "echo '========= ERROR SUMMARY: 1 error'\n"));
  const SanitizerRun seen = run();
  ASSERT_THAT(seen.findings, SizeIs(1));
  EXPECT_EQ(seen.findings[0].file, "kernel.cu");
  EXPECT_EQ(seen.findings[0].line, 25u);
}

TEST_F(SanitizeTest, WhatIsFoundInHonesOwnKernelsDoesNot) {
  checker_is(fmt::format("\"$@\"\ncat << END\n{}END\n{}", finding_in("hone_stage"),
                         "echo '========= ERROR SUMMARY: 1 error'\n"));
  const SanitizerRun seen = run();
  EXPECT_THAT(seen.findings, IsEmpty());
  EXPECT_EQ(seen.state, SanitizerState::finished);
}

TEST_F(SanitizeTest, OneThatFindsSomethingIsTheLast) {
  checker_is(fmt::format("\"$@\"\ncat << END\n{}END\n", finding_in("k")));
  EXPECT_THAT(run_sanitizers(setup_, std::vector{watched()}, std::chrono::seconds(180)), SizeIs(1));
  checker_is(k_clean);
  std::vector<SanitizerTool> tools;
  for (const SanitizerRun& seen : run_sanitizers(setup_, std::vector{watched()}, std::chrono::seconds(180)))
    tools.push_back(seen.tool);
  EXPECT_THAT(tools, ElementsAre(SanitizerTool::memcheck, SanitizerTool::racecheck, SanitizerTool::initcheck));
}

TEST_F(SanitizeTest, ItIsGivenItsToolAndItsOptions) {
  checker_is("echo \"$@\"\n", "");
  const SanitizerRun seen = run();
  EXPECT_EQ(seen.state, SanitizerState::failed);
  EXPECT_THAT(seen.note, HasSubstr("--tool memcheck --print-limit 256 --show-backtrace device "));
  EXPECT_THAT(seen.note, HasSubstr(" --report-api-errors no"));
  EXPECT_THAT(seen.note, HasSubstr(" launcher"));
}

TEST_F(SanitizeTest, OneThatIsAbsentIsSaidToBe) {
  const SanitizerRun seen = run();
  EXPECT_EQ(seen.state, SanitizerState::absent);
  EXPECT_THAT(seen.note, HasSubstr("not on this machine"));
  EXPECT_EQ(seen.launches, 0u);
}

TEST_F(SanitizeTest, WithoutAnyTimeNoneIsStarted) {
  checker_is(k_clean);
  const auto runs = run_sanitizers(setup_, std::vector{watched()}, Nanoseconds(0));
  ASSERT_THAT(runs, SizeIs(3));
  for (const SanitizerRun& seen : runs) EXPECT_EQ(seen.state, SanitizerState::disabled);
}

TEST_F(SanitizeTest, OneThatDoesNotStartIsANote) {
  checker_is("echo '========= Error: cannot do anything here'\nexit 1\n");
  const SanitizerRun seen = run();
  EXPECT_EQ(seen.state, SanitizerState::failed);
  EXPECT_THAT(seen.note, HasSubstr("cannot do anything here"));
  EXPECT_THAT(seen.findings, IsEmpty());
}

TEST_F(SanitizeTest, OneThatSaysNothingAtItsEndProvesNothing) {
  checker_is("\"$@\"\n");
  const SanitizerRun seen = run();
  EXPECT_EQ(seen.state, SanitizerState::failed);
  EXPECT_THAT(seen.note, HasSubstr("without a summary"));
  EXPECT_EQ(seen.launches, 1u);
}

TEST_F(SanitizeTest, WhatDoesNotFitIntoItsTimeIsLeftOut) {
  checker_is(k_clean);
  const SanitizerRun seen = run(3, Nanoseconds(0));
  EXPECT_EQ(seen.state, SanitizerState::timed_out);
  EXPECT_EQ(seen.launches, 0u);
  EXPECT_EQ(seen.asked, 3u);
  EXPECT_NE(seen.note, "");
}

// Each begins where its allocation does, which is aligned to far more than a drawn place is.
TEST_F(SanitizeTest, BuffersAreTheirContentAndNothingElse) {
  LauncherRequest request = setup_.launcher;
  request.placing = Placing::exact;
  auto started = Launcher::start(request);
  ASSERT_TRUE(started) << to_text(started.error());
  const std::shared_ptr<Launcher> launcher = std::move(*started);
  ASSERT_TRUE(load_duties(*launcher, setup_.duties));
  const WatchedLaunch one = watched("if (i == 0) { y[0] = (float)((ulong)y % 128); y[1] = (float)((ulong)x % 128); }");
  const auto loaded =
      load_into(*launcher, *read_built(one.load.artefact.folder / one.load.artefact.objects[0]), one.load);
  ASSERT_TRUE(loaded && !loaded->fault);
  LaunchedArm arm(launcher, loaded->arm, one.load, Trust::host_code, nullptr);
  ASSERT_TRUE(arm.stage(0, one.plan));
  const int sets[] = {0};
  const auto outcome = arm.launch(sets, std::chrono::seconds(20));
  ASSERT_TRUE(outcome && !outcome->fault);
  const Range places[] = {{1, 0, 8}, {0, 0, k_count * 4}, {1, 8, k_count * 4 - 8}};
  const auto collected = arm.collect(0, places);
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->violation, "");
  std::array<float, 2> beyond{};
  std::memcpy(beyond.data(), collected->bytes[0].data(), sizeof beyond);
  EXPECT_THAT(beyond, ElementsAre(0.0f, 0.0f));
  std::vector<std::byte> expected(k_count * 4);
  fill(expected, one.plan.plans[0], one.plan.sub_key, 0);
  EXPECT_EQ(collected->bytes[1], expected) << "contents are the fills' own";
  std::vector<std::byte> poisoned(k_count * 4);
  poison(poisoned, task::DType::f32, one.plan.sub_key, 1);
  EXPECT_NE(collected->bytes[2], std::vector(poisoned.begin() + 8, poisoned.end()))
      << "whoever reads it unwritten is seen";
}

}  // namespace
}  // namespace hone::device::launcher
