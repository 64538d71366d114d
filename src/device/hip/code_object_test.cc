// Code objects that this machine's clang makes, and files that no compiler makes.
#include "device/hip/code_object.h"

#include <gmock/gmock.h>

#include "device/elf_file.h"
#include "device/hip/testing/compile_hip.h"

namespace hone::device::hip {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::string_view k_kernels = R"(
__device__ int counter;
__device__ int started = 5;
__constant__ const float table[4] = {1, 2, 3, 4};
__device__ const float* const places[2] = {table, table + 2};
extern "C" __global__ void fixed(const float* x, float* y, short h, int n, double d) {
  __shared__ float part[37];
  static int kept;
  part[threadIdx.x % 37] = x[threadIdx.x] + d;
  __builtin_amdgcn_s_barrier();
  y[0] = part[n] * table[n & 3] * *places[n & 1] + h + ++kept;
}
extern "C" __global__ void local(float* x, int n) {
  float a[200];
  for (int i = 0; i < 200; ++i) a[i] = x[i * n];
  for (int i = 0; i < 200; ++i) x[i] = a[(int)a[i]];
}
extern "C" __global__ void dynamic(float* x, int n) {
  extern __shared__ float more[];
  more[n] = x[n];
  __builtin_amdgcn_s_barrier();
  x[0] = more[3] + ++counter + started;
}
)";

auto variable(const std::string& name, uint64_t bytes) {
  return AllOf(Field(&CodeVariable::name, name), Field(&CodeVariable::size_bytes, bytes));
}
auto argument(const std::string& kind, uint64_t bytes) {
  return AllOf(Field(&CodeArgument::kind, kind), Field(&CodeArgument::size_bytes, bytes));
}

class CodeObjects : public testing::Test {
 protected:
  // Compiled once for all, since a compiler takes its time.
  static void SetUpTestSuite() { compiled_ = compile_hip(k_kernels); }
  void SetUp() override {
    if (!compiled_) GTEST_SKIP() << "no clang here that makes code for AMD";
  }
  static const std::string& bytes() { return *compiled_; }

  static inline std::optional<std::string> compiled_;
};

TEST_F(CodeObjects, SayWhatTheirKernelsTake) {
  const auto object = read_code_object(bytes_of(bytes()));
  ASSERT_TRUE(object) << to_text(object.error());
  ASSERT_EQ(object->kernels.size(), 3u);
  const CodeKernel& fixed = object->kernels[0];
  EXPECT_EQ(fixed.resources.kernel, "fixed");
  EXPECT_EQ(fixed.resources.shared_bytes, 148u);
  EXPECT_EQ(fixed.resources.local_bytes, 0u);
  EXPECT_GT(fixed.resources.registers.value_or(0), 0u);
  EXPECT_THAT(fixed.arguments, ElementsAre(argument("global_buffer", 8), argument("global_buffer", 8),
                                           argument("by_value", 2), argument("by_value", 4), argument("by_value", 8)));
  EXPECT_GE(object->kernels[1].resources.local_bytes.value_or(0), 800u);
  EXPECT_EQ(object->kernels[2].resources.shared_bytes, 0u) << "what the launch asks for is not in it";
}

TEST_F(CodeObjects, NameWhatCanBeWritten) {
  const auto object = read_code_object(bytes_of(bytes()));
  ASSERT_TRUE(object);
  EXPECT_THAT(object->globals,
              UnorderedElementsAre(variable("counter", 4), variable("started", 4), variable("_ZZ5fixedE4kept", 4)))
      << "constants are not among them, nor the addresses of constants";
}

TEST_F(CodeObjects, AnyBytesAreReadOrRefused) {
  const std::string& sound = bytes();
  for (size_t cut = 0; cut < sound.size(); cut += 7) std::ignore = read_code_object(bytes_of(sound).first(cut));
  for (size_t at = 0; at < sound.size(); at += 3) {
    std::string changed = sound;
    changed[at] = static_cast<char>(~changed[at]);
    const auto object = read_code_object(bytes_of(changed));
    EXPECT_LE(object ? object->kernels.size() : 0, sound.size());
  }
}

TEST(CodeObjectFiles, OtherFilesAreRefused) {
  EXPECT_THAT(to_text(read_code_object({}).error()), HasSubstr("is no code object"));
  Elf64_Ehdr header{};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_X86_64;
  const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
  EXPECT_EQ(read_code_object(bytes_of(bytes)).error().code, ErrorCode::refused);
}

class MarkedObjects : public testing::Test {
 protected:
  static std::vector<CodeVariable> globals_of(const std::string& text) {
    const auto compiled = compile_hip(text);
    if (!compiled) return {{"no clang here", 0}};
    const auto object = read_code_object(bytes_of(*compiled));
    EXPECT_TRUE(object);
    return object ? object->globals : std::vector<CodeVariable>();
  }
  void SetUp() override {
    if (!compile_hip("")) GTEST_SKIP() << "no clang here that makes code for AMD";
  }
};

// Newer compilers than this machine's leave one in every file.
TEST_F(MarkedObjects, TheMarkOfACompilationIsNoVariable) {
  EXPECT_THAT(globals_of("extern \"C\" __device__ __attribute__((used)) char __hip_cuid_12ab = 0;"), IsEmpty());
}

TEST_F(MarkedObjects, ItsNameHidesNothing) {
  EXPECT_THAT(globals_of("extern \"C\" __device__ __attribute__((used)) int __hip_cuid_12ab = 0;"),
              ElementsAre(variable("__hip_cuid_12ab", 4)));
  EXPECT_EQ(globals_of("extern \"C\" __device__ __attribute__((used)) char __hip_cuid_1 = 0, __hip_cuid_2 = 0;").size(),
            1u);
}

}  // namespace
}  // namespace hone::device::hip
