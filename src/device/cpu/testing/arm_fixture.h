// Test support: a CPU device over a cache folder of its own, and planted kernels from C++ text with the signature
//   int k(const float* x, float* y, int n, float a)
// A whole launch is stage, launch, collect; every test ends with no process, mount, control group or folder of its own
// left.
#pragma once

#include <gmock/gmock.h>
#include <sched.h>

#include <cmath>
#include <cstring>

#include "base/disk.h"
#include "device/cpu/cpu_arm.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/pin.h"
#include "sandbox/testing/traces.h"

namespace hone::device::cpu {

inline std::vector<int> test_cores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

#ifdef __SANITIZE_THREAD__
inline constexpr bool k_counts_threads = false;  // the sanitizer's own thread counts as one of the kernel's
#else
inline constexpr bool k_counts_threads = true;
#endif

struct Planted {
  std::string body;         // the kernel's statements
  std::string before = {};  // text in front of it
  int threads = 1;
  std::map<std::string, std::string> macros = {};
  uint64_t memory_limit_bytes = 2ull << 30;
  Nanoseconds start_deadline = std::chrono::seconds(20);
  int sets = 2;
  LibraryCalls library_calls = LibraryCalls::refused;
};

class ArmTest : public testing::Test {
 protected:
  static constexpr int k_count = 3000;  // more bytes than the period of the poison
  static constexpr float k_factor = 2.5f;

  static void SetUpTestSuite() {
    auto made = TemporaryFolder::make("/tmp", "hone-arm-test-");
    ASSERT_TRUE(made);
    cache() = std::make_unique<TemporaryFolder>(std::move(*made));
    Processes processes;
    Identity identity;
    identity.kind = "cpu";
    identity.name = "test";
    identity.cores = test_cores();
    auto opened = CpuDevice::open(identity, cache()->path(), processes);
    ASSERT_TRUE(opened) << to_text(opened.error());
    device() = std::move(*opened);
  }

  static void TearDownTestSuite() {
    device().reset();
    cache().reset();
  }

  void TearDown() override {
    arm_.reset();
    traces_.expect_none();
    const fs::path loads = cache()->path() / "loads";
    EXPECT_TRUE(!path_exists(loads) || fs::is_empty(loads)) << "a folder of a load is left";
  }

  static std::unique_ptr<TemporaryFolder>& cache() {
    static std::unique_ptr<TemporaryFolder> folder;
    return folder;
  }
  static std::unique_ptr<CpuDevice>& device() {
    static std::unique_ptr<CpuDevice> opened;
    return opened;
  }

  static std::string source_of(const Planted& planted) {
    return planted.before +
           "\nextern \"C\" int k(const float* x, float* y, int n, float a) {\n  (void)x; (void)y; (void)n; (void)a;\n" +
           planted.body + "\n  return 0;\n}\n";
  }

  static CompileRequest request_of(const Planted& planted) {
    CompileRequest request;
    request.files = {{"k.cpp", false, source_of(planted)}};
    request.sources = {"k.cpp"};
    request.entry = "k";
    request.macros = planted.macros;
    request.threads = planted.threads;
    return request;
  }

  // Loads a kernel that must compile; the fault of the load, if any.
  std::optional<Fault> load(const Planted& planted) {
    arm_.reset();
    auto compiled = device()->compile(request_of(planted));
    if (!compiled || !compiled->artefact) {
      ADD_FAILURE() << (compiled ? compiled->messages : to_text(compiled.error()));
      return Fault{};
    }
    LoadRequest request;
    request.artefact = *compiled->artefact;
    request.entry = "k";
    request.parameters = {{ParameterKind::buffer, task::DType::f32, k_count * 4, 256, false},
                          {ParameterKind::buffer, task::DType::f32, k_count * 4, 64, true},
                          {ParameterKind::value, task::DType::i32, 0, 1, false},
                          {ParameterKind::value, task::DType::f32, 0, 1, false}};
    request.sets = planted.sets;
    request.threads = planted.threads;
    request.memory_limit_bytes = planted.memory_limit_bytes;
    request.start_deadline = planted.start_deadline;
    request.library_calls = planted.library_calls;
    request.layout_seed = 42;
    auto loaded = device()->load(request);
    if (!loaded) {
      ADD_FAILURE() << to_text(loaded.error());
      return Fault{};
    }
    arm_ = std::move(loaded->arm);
    return loaded->fault;
  }

  static StagePlan plan(std::string_view key, int count = k_count) {
    StagePlan plan;
    plan.sub_key = sha256(key);
    FillPlan floats;
    floats.count = static_cast<uint64_t>(count);
    plan.plans = {floats, floats, {}, {}};
    plan.roles = {task::Role::in, task::Role::out, task::Role::size, task::Role::scalar};
    plan.scalars = {int64_t{0}, int64_t{0}, int64_t{count}, double{k_factor}};
    return plan;
  }

  LaunchOutcome launch(Nanoseconds deadline = std::chrono::seconds(20), int set = 0) {
    EXPECT_TRUE(arm_->stage(set, plan("one")));
    const int sets[] = {set};
    auto outcome = arm_->launch(sets, deadline);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : LaunchOutcome{};
  }

  // Loads and launches once; the fault of either.
  std::optional<Fault> fault_of(const Planted& planted, Nanoseconds deadline = std::chrono::seconds(20)) {
    if (auto fault = load(planted)) return fault;
    return launch(deadline).fault;
  }

  Collected collect(int set = 0) {
    const Range whole[] = {{0, 0, k_count * 4}, {1, 0, k_count * 4}};
    auto collected = arm_->collect(set, whole);
    EXPECT_TRUE(collected) << to_text(collected.error());
    return collected ? *collected : Collected{};
  }

  std::vector<float> floats_of(const Collected& collected, size_t range) {
    std::vector<float> values(k_count);
    std::memcpy(values.data(), collected.bytes.at(range).data(), k_count * 4);
    return values;
  }

  const Runner& runner() { return dynamic_cast<CpuArm&>(*arm_).runner(); }

  sandbox::Traces traces_;
  std::unique_ptr<Arm> arm_;
};

}  // namespace hone::device::cpu
