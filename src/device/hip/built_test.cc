// What is accepted of a HIP build, what is refused and in which words, by code objects of this machine's clang.
#include "device/hip/built.h"

#include <gmock/gmock.h>

#include "device/hip/testing/compile_hip.h"
#include "device/launcher/calibrate.h"
#include "device/launcher/duties.h"

namespace hone::device::hip {
namespace {

using task::DType;
using task::Role;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const char* const k_scale = R"(
extern "C" __global__ void scale(const float* x, float* y, float a, int n, char flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag) y[i] = a * x[i];
}
)";

LaunchedKernel scale_launch() {
  return {"scale",
          {{"x", Role::in, DType::f32},
           {"y", Role::out, DType::f32},
           {"a", Role::scalar, DType::f32},
           {"n", Role::size, DType::i32},
           {"flag", Role::scalar, DType::i8}}};
}

std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "\nextern \"C\" __global__ void k(float* y) {\n" + body + "\n}\n";
}
LaunchedKernel k_launch() { return {"k", {{"y", Role::out, DType::f32}}}; }

class HipBuilt : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile_hip("")) GTEST_SKIP() << "no clang here that makes code for AMD";
  }
  static std::optional<BuildFault> fault_of(const std::string& text, std::vector<LaunchedKernel> launches) {
    const auto compiled = compile_hip(text);
    EXPECT_TRUE(compiled) << text;
    return compiled ? fault_in(*compiled, launches) : std::nullopt;
  }
  static void expect_good(const std::string& text, std::vector<LaunchedKernel> launches) {
    const auto fault = fault_of(text, std::move(launches));
    EXPECT_FALSE(fault) << fault->explanation;
  }
  static void expect_refused(const std::string& text, const std::vector<std::string_view>& words,
                             std::vector<LaunchedKernel> launches = {k_launch()}) {
    const auto fault = fault_of(text, std::move(launches));
    ASSERT_TRUE(fault) << text;
    EXPECT_EQ(fault->fault, CompileFault::compile_error);
    for (const std::string_view word : words) EXPECT_THAT(fault->explanation, HasSubstr(word));
  }
};

TEST_F(HipBuilt, AGoodKernelIsAccepted) {
  expect_good(k_scale, {scale_launch()});
  const auto resources = resources_in(*compile_hip(k_scale));
  ASSERT_EQ(resources.size(), 1u);
  EXPECT_EQ(resources[0].kernel, "scale");
  EXPECT_GT(resources[0].registers.value_or(0), 0u);
}

TEST_F(HipBuilt, AMissingKernelIsExplained) {
  const auto other = fault_of(k_scale, {{"scal", {}}});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->fault, CompileFault::no_entry);
  EXPECT_THAT(other->explanation, HasSubstr("did you mean 'scale'"));
  const auto mangled = fault_of("__global__ void k(float* y) { y[0] = 1; }", {k_launch()});
  ASSERT_TRUE(mangled);
  EXPECT_THAT(mangled->explanation, HasSubstr("it is there as a C++ function: declare it extern \"C\" __global__"));
}

TEST_F(HipBuilt, WhatIsWrittenAndKeptIsRefused) {
  expect_refused(kernel("y[0] = counter++;", "__device__ int counter;"),
                 {"'counter' of 4 bytes", "`__constant__ const`", "`scratch` argument"});
  expect_refused(kernel("static int n; y[0] = n++;"), {"of 4 bytes"});
  expect_refused(kernel("y[0] = table[(int)y[1] & 3];", "__constant__ float table[4] = {1, 2, 3, 4};"),
                 {"'table' of 16 bytes", "`__constant__ const`"});
}

TEST_F(HipBuilt, WhatNobodyWritesIsAllowed) {
  expect_good(kernel("y[0] = table[(int)y[1] & 3];", "__constant__ const float table[4] = {1, 2, 3, 4};"),
              {k_launch()});
  expect_good(kernel("static const float table[4] = {1, 2, 3, 4}; y[0] = table[(int)y[1] & 3];"), {k_launch()});
  expect_good(kernel("y[0] = table[(int)y[1] & 3];", "__device__ const float table[4] = {1, 2, 3, 4};"), {k_launch()});
}

TEST_F(HipBuilt, ParametersFitTheContract) {
  LaunchedKernel launch = scale_launch();
  launch.parameters.pop_back();
  expect_refused(k_scale, {"'scale' takes 5 parameters, the contract hands over 4"}, {launch});
  launch = scale_launch();
  launch.parameters[3].dtype = DType::i64;
  expect_refused(k_scale, {"parameter 4 of 'scale' is .b32 (4 bytes)", "hands over 'n', i64 (8 bytes)"}, {launch});
  launch = scale_launch();
  std::swap(launch.parameters[1], launch.parameters[2]);
  expect_refused(k_scale, {"parameter 2 of 'scale' is a pointer", "hands over 'a', f32"}, {launch});
}

TEST_F(HipBuilt, OtherFilesAreRefused) {
  const auto fault = fault_in("not an ELF file", std::vector<LaunchedKernel>{});
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->explanation, HasSubstr("no code object"));
  EXPECT_TRUE(resources_in("not an ELF file").empty());
}

std::string packed(const std::string& text) { return static_cast<char>(0xa0 + text.size()) + text; }

// A compiler that is newer than this machine's says so of its own accord. Here the first argument of a pointer, a map
// of four fields, is written anew as one of the same length.
std::string with_first_argument(std::string code, const std::string& kind) {
  const std::string numbers = packed(".offset") + '\0' + packed(".size") + '\x08' + packed(".value_kind");
  const std::string old = packed(".address_space") + packed("global") + numbers + packed("global_buffer");
  const std::string rest = packed("a") + '\xa0' + numbers + packed(kind);
  const std::string filler(old.size() - rest.size(), '.');
  const size_t at = code.find(old);
  EXPECT_NE(at, std::string::npos);
  return code.replace(at, old.size(), packed("a") + packed(filler) + numbers + packed(kind));
}

TEST_F(HipBuilt, WhatReachesBeyondItsArgumentsIsRefused) {
  const std::string code = *compile_hip(k_scale);
  const auto fault_with = [&](const std::string& kind) {
    const auto fault = fault_in(with_first_argument(code, kind), std::vector<LaunchedKernel>{});
    return fault ? fault->explanation : "";
  };
  EXPECT_EQ(fault_with("hidden_block_count_x"), "");
  EXPECT_THAT(fault_with("hidden_hostcall_buffer"), HasSubstr("'scale' can call the host"));
  EXPECT_THAT(fault_with("hidden_hostcall_buffer"), HasSubstr("remove printf"));
  EXPECT_THAT(fault_with("hidden_heap_v1"), HasSubstr("`scratch` argument"));
}

// ---- hone's own kernels

TEST_F(HipBuilt, HonesOwnKernelsNeedNoContract) {
  expect_good(launcher::duties_text("hip"), {});
  expect_good(launcher::calibrate_text("hip"), {});
}

// Fills give the same bytes on every backend, so nothing may be fused that the others round twice.
TEST_F(HipBuilt, FillsAreNotContracted) {
  constexpr const char* k_fused = "v_(fma|fmac)_f64";
  const auto hip = compile_hip(launcher::duties_text("hip"), HipOutput::assembly);
  const auto cuda = compile_hip(launcher::duties_text("cuda"), HipOutput::assembly);
  ASSERT_TRUE(hip && cuda);
  EXPECT_THAT(*cuda, ContainsRegex(k_fused)) << "as it stands for CUDA, this compiler fuses";
  EXPECT_THAT(*hip, Not(ContainsRegex(k_fused)));
}

}  // namespace
}  // namespace hone::device::hip
