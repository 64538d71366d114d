// Confined CUDA builds of real sources: what is accepted, what is refused and in which words, with either compiler of
// this machine. Nothing here needs a device.
#include "device/launcher/toolchain.h"

#include <gmock/gmock.h>

#include "base/disk.h"
#include "device/launcher/calibrate.h"
#include "device/launcher/duties.h"
#include "task/ptx_signature.h"

namespace hone::device::launcher {
namespace {

using task::DType;
using task::Role;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* k_arch = "sm_90";

const char* const k_scale = R"(
extern "C" __global__ void scale(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
)";

LaunchedKernel scale_launch() {
  return {"scale",
          {{"x", Role::in, DType::f32},
           {"y", Role::out, DType::f32},
           {"a", Role::scalar, DType::f32},
           {"n", Role::size, DType::i32}}};
}

// A kernel of one parameter, float* y, whose body and what stands before it are given.
std::string kernel(const std::string& body, const std::string& before = "") {
  return before + "\nextern \"C\" __global__ void k(float* y) {\n" + body + "\n}\n";
}
LaunchedKernel k_launch() { return {"k", {{"y", Role::out, DType::f32}}}; }

CompileRequest request_of(const std::string& text, std::vector<LaunchedKernel> launches) {
  CompileRequest request;
  request.files = {{"kernel.cu", false, text}};
  request.sources = {"kernel.cu"};
  request.launches = std::move(launches);
  return request;
}

enum class With { nvrtc, nvcc };

CompilerPlaces places_of(With with) {
  CompilerPlaces places = compiler_places();
  if (with == With::nvcc) places.nvrtc = {"libhone-no-nvrtc.so"};
  return places;
}

Result<Toolchain> toolchain_of(With with) {
  DeviceFacts facts;
  facts.arch = k_arch;
  return find_toolchain("cuda", facts, places_of(with));
}

class CudaBuild : public testing::TestWithParam<With> {
 protected:
  void SetUp() override {
    auto found = toolchain_of(GetParam());
    if (!found || (GetParam() == With::nvrtc && found->role != "build-cuda"))
      GTEST_SKIP() << "this machine does not have that compiler";
    toolchain_ = *std::move(found);
  }

  CompileOutcome compile_request(const CompileRequest& request) const {
    auto outcome = compile(toolchain_, cache_.path(), request);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *std::move(outcome) : CompileOutcome{};
  }
  CompileOutcome compile_text(const std::string& text, std::vector<LaunchedKernel> launches = {k_launch()}) const {
    return compile_request(request_of(text, std::move(launches)));
  }
  void expect_good(const std::string& text, std::vector<LaunchedKernel> launches = {k_launch()}) const {
    const CompileOutcome outcome = compile_text(text, std::move(launches));
    EXPECT_TRUE(outcome.artefact) << outcome.explanation << "\n" << outcome.messages;
  }
  void expect_refused(const std::string& text, const std::vector<std::string_view>& words,
                      std::vector<LaunchedKernel> launches = {k_launch()}) const {
    const CompileOutcome outcome = compile_text(text, std::move(launches));
    EXPECT_FALSE(outcome.artefact) << text;
    EXPECT_EQ(outcome.fault, CompileFault::compile_error);
    for (const std::string_view word : words) EXPECT_THAT(outcome.explanation, HasSubstr(word));
  }

  TemporaryFolder cache_ = *TemporaryFolder::make("/tmp", "hone-cuda-build-");
  Toolchain toolchain_;
};

std::string name_of_compiler(const testing::TestParamInfo<With>& info) {
  return info.param == With::nvrtc ? "Nvrtc" : "Nvcc";
}

// ---- what either compiler makes

class AnyCudaBuild : public CudaBuild {};
INSTANTIATE_TEST_SUITE_P(Compilers, AnyCudaBuild, testing::Values(With::nvrtc, With::nvcc), name_of_compiler);

TEST_P(AnyCudaBuild, AGoodKernelIsACubinWithItsPtxAndResources) {
  const CompileOutcome outcome = compile_text(k_scale, {scale_launch()});
  ASSERT_TRUE(outcome.artefact) << outcome.explanation << "\n" << outcome.messages;
  EXPECT_THAT(outcome.artefact->objects, testing::ElementsAre(k_cubin, k_ptx));
  ASSERT_EQ(outcome.artefact->resources.size(), 1u);
  EXPECT_EQ(outcome.artefact->resources[0].kernel, "scale");
  EXPECT_GT(outcome.artefact->resources[0].registers.value_or(0), 0u);
  EXPECT_EQ(outcome.artefact->resources[0].shared_bytes, 0u);
  const auto ptx = task::read_ptx(read_file(outcome.artefact->folder / k_ptx).value_or(""));
  ASSERT_TRUE(ptx) << to_text(ptx.error());
  EXPECT_EQ(ptx->target, k_arch);
  const auto kept = resources_from(read_file(outcome.artefact->folder / k_resources).value_or(""));
  ASSERT_TRUE(kept) << to_text(kept.error());
  EXPECT_EQ(*kept, outcome.artefact->resources);
}

TEST_P(AnyCudaBuild, ASyntaxErrorNamesFileAndLine) {
  const CompileOutcome outcome = compile_text("\nextern \"C\" __global__ void k(float* y) { y[0] = ; }\n");
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.messages, HasSubstr("kernel.cu(2)"));
  EXPECT_THAT(outcome.messages, Not(HasSubstr(cache_.path().string())));
}

TEST_P(AnyCudaBuild, WithoutExternCThereIsNoEntryAndAHint) {
  const CompileOutcome outcome = compile_text("__global__ void k(float* y) { y[0] = 1; }");
  EXPECT_EQ(outcome.fault, CompileFault::no_entry);
  EXPECT_THAT(outcome.explanation, HasSubstr("no kernel 'k'"));
  EXPECT_THAT(outcome.explanation, HasSubstr("declare it extern \"C\" __global__"));
}

TEST_P(AnyCudaBuild, WhatPrintsIsRefusedByName) {
  expect_refused(kernel("printf(\"%f\", y[0]);"), {"'vprintf'", "remove the printf"});
}

TEST_P(AnyCudaBuild, AFileOutsideTheFolderIsNotThere) {
  Disk disk;
  const fs::path secret = cache_.path() / "secret.h";
  ASSERT_TRUE(write_file(disk, secret, "#define SECRET 1\n"));
  const CompileOutcome outcome = compile_text(kernel("y[0] = SECRET;", "#include \"" + secret.string() + "\""));
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.messages, HasSubstr("secret.h"));
  EXPECT_EQ(compile_text(kernel("y[0] = SECRET;", "#include \"../../../secret.h\"")).fault,
            CompileFault::compile_error);
}

TEST_P(AnyCudaBuild, MacrosAndOptionsReachTheCompiler) {
  CompileRequest request = request_of(kernel("y[0] = VALUE;\n#if VALUE != 7\n#error not seven\n#endif"), {k_launch()});
  EXPECT_EQ(compile_request(request).fault, CompileFault::compile_error);
  request.macros = {{"VALUE", "7"}};
  EXPECT_TRUE(compile_request(request).artefact);
  // A division becomes one instruction where it need not be exact.
  request = request_of(kernel("y[0] = y[1] / y[2];"), {k_launch()});
  const CompileOutcome exact = compile_request(request);
  request.options = {"approximate-division"};
  const CompileOutcome approximate = compile_request(request);
  ASSERT_TRUE(exact.artefact && approximate.artefact);
  EXPECT_THAT(read_file(exact.artefact->folder / k_ptx).value_or(""), HasSubstr("div.rn.f32"));
  EXPECT_THAT(read_file(approximate.artefact->folder / k_ptx).value_or(""), HasSubstr("div.full.f32"));
}

TEST_P(AnyCudaBuild, HeadersOfItsOwnAreRead) {
  CompileRequest request = request_of(kernel("y[0] = VALUE;", "#include \"part/value.h\""), {k_launch()});
  request.files.push_back({"part/value.h", false, "#define VALUE 7\n"});
  const CompileOutcome outcome = compile_request(request);
  EXPECT_TRUE(outcome.artefact) << outcome.messages;
}

TEST_P(AnyCudaBuild, HeaderRootsAreReadAndHeldToTheSameRules) {
  Disk disk;
  const TemporaryFolder library = *TemporaryFolder::make(fs::canonical("/tmp"), "hone-library-");
  const fs::path root = library.path() / "include";
  fs::create_directory(root);
  ASSERT_TRUE(write_file(disk, root / "tile.h", R"(#pragma once
template <class T> __device__ T twice(T x) { return 2 * x; }
__device__ int kept;
__device__ inline int count() { return ++kept; }
)"));
  const auto request_for = [&root](const std::string& body) {
    CompileRequest request = request_of(kernel(body, "#include <tile.h>"), {k_launch()});
    request.header_roots = {{"lib", root.string(), read_header_tree(root)->digest}};
    return request;
  };
  const CompileOutcome outcome = compile_request(request_for("y[0] = twice(y[1]);"));
  EXPECT_TRUE(outcome.artefact) << outcome.explanation << "\n" << outcome.messages;
  CompileRequest without = request_for("y[0] = twice(y[1]);");
  without.header_roots.clear();
  EXPECT_EQ(compile_request(without).fault, CompileFault::compile_error) << "nobody lent it";
  const CompileOutcome keeping = compile_request(request_for("y[0] = count();"));
  EXPECT_EQ(keeping.fault, CompileFault::compile_error);
  EXPECT_THAT(keeping.explanation, HasSubstr("'kept' of 4 bytes"));
}

TEST_P(AnyCudaBuild, OtherHeadersAreAnotherBuild) {
  Disk disk;
  const TemporaryFolder library = *TemporaryFolder::make(fs::canonical("/tmp"), "hone-library-");
  const fs::path root = library.path() / "include";
  fs::create_directory(root);
  CompileRequest request = request_of(kernel("y[0] = VALUE;", "#include <value.h>"), {k_launch()});
  std::vector<Digest> digests;
  for (const char* text : {"#define VALUE 7\n", "#define VALUE 8\n"}) {
    ASSERT_TRUE(write_file(disk, root / "value.h", text));
    request.header_roots = {{"lib", root.string(), read_header_tree(root)->digest}};
    const CompileOutcome outcome = compile_request(request);
    ASSERT_TRUE(outcome.artefact) << outcome.messages;
    digests.push_back(outcome.artefact->digest);
  }
  EXPECT_NE(digests[0], digests[1]);
  request.header_roots[0].digest = std::string(64, '0');
  EXPECT_FALSE(compile(toolchain_, cache_.path(), request)) << "not what its key would say";
}

TEST_P(AnyCudaBuild, MathematicsMayBringItsTables) {
  expect_good(kernel("y[0] = sinf(y[1]) + tanf(y[2]); y[1] = cos((double)y[3]) + sin((double)y[4]);"));
}

// They declare objects by the dozen that take a byte each and that nobody writes.
TEST_P(AnyCudaBuild, LibrariesMayBringTheirObjects) {
  expect_good(
      kernel(R"(
    auto grid = cooperative_groups::this_grid();
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    y[0] = cooperative_groups::reduce(warp, y[threadIdx.x], cooperative_groups::plus<float>());
    grid.sync();
    y[1] = y[0];)",
             "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cuda_fp16.h>"));
}

// ---- what is held against a build, whichever compiler made it

INSTANTIATE_TEST_SUITE_P(Compilers, CudaBuild, testing::Values(With::nvrtc), name_of_compiler);

TEST_P(CudaBuild, AnotherNameIsSuggested) {
  const CompileOutcome outcome = compile_text(k_scale, {{"scal", {}}});
  EXPECT_EQ(outcome.fault, CompileFault::no_entry);
  EXPECT_THAT(outcome.explanation, HasSubstr("did you mean 'scale'"));
}

TEST_P(CudaBuild, ATemplateIsNoEntry) {
  const std::string text = "template <class T> __global__ void k(T* y) { y[0] = 1; }\n";
  EXPECT_EQ(compile_text(text).fault, CompileFault::no_entry) << "nobody asked for one of it";
  const CompileOutcome outcome = compile_text(text + "template __global__ void k<float>(float*);");
  EXPECT_EQ(outcome.fault, CompileFault::no_entry);
  EXPECT_THAT(outcome.explanation, HasSubstr("it is there as a template: make that __device__"));
  expect_good("template <class T> __device__ void f(T* y) { y[0] = 1; }" + kernel("f(y);"));
}

TEST_P(CudaBuild, WhatAllocatesIsRefusedByName) {
  expect_refused(kernel("int* p = (int*)malloc(64); p[threadIdx.x] = 1; y[0] = p[3]; free(p);"),
                 {"'free' and 'malloc'", "`scratch` argument"});
}

TEST_P(CudaBuild, WhatIsOnlyDeclaredIsRefusedByName) {
  // Without a definition a whole program does not compile at all.
  const CompileOutcome outcome = compile_text(kernel("y[0] = elsewhere();", "__device__ float elsewhere();"));
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.messages + outcome.explanation, HasSubstr("elsewhere"));
}

TEST_P(CudaBuild, WhatIsWrittenAndKeptIsRefused) {
  const std::vector<std::string_view> words{"'counter' of 4 bytes", "__constant__", "`scratch` argument"};
  expect_refused(kernel("y[0] = counter++;", "__device__ int counter;"), words);
  expect_refused(kernel("y[0] = atomicAdd(&counter, 1);", "__device__ int counter = 5;"), words);
  expect_refused(kernel("int* p = &counter; if (y[1] > 0) p += 1; *p = 4;", "__device__ int counter;"), words);
}

TEST_P(CudaBuild, WhatAFunctionKeepsIsRefused) { expect_refused(kernel("static int n; y[0] = n++;"), {"of 4 bytes"}); }

// A name that hone knows to be a library's does not make it one.
TEST_P(CudaBuild, ATablesNameHidesNothing) {
  expect_refused(kernel("y[0] = sinf(y[1]) + atomicAdd(&__cudart_i2opi, 1u);", "__device__ unsigned __cudart_i2opi;"),
                 {"'__cudart_i2opi' of 4 bytes"});
  expect_refused(kernel("asm volatile(\"st.global.u32 [counter], 5;\");", "__device__ int counter = 4;") +
                     "extern \"C\" __global__ void other(float* y) { y[0] = counter; }",
                 {"'counter' of 4 bytes"});
}

TEST_P(CudaBuild, WhatNobodyWritesIsAllowed) {
  expect_good(kernel("y[0] = table[(int)y[1] & 3];", "__constant__ float table[4] = {1, 2, 3, 4};"));
  expect_good(kernel("static const float table[4] = {1, 2, 3, 4}; y[0] = table[(int)y[1] & 3];"));
  expect_good(kernel("y[0] = table[(int)y[1] & 3];", "__device__ const float table[4] = {1, 2, 3, 4};"));
}

TEST_P(CudaBuild, SharedMemoryIsCounted) {
  const CompileOutcome outcome =
      compile_text(kernel("__shared__ float part[100]; part[threadIdx.x] = y[threadIdx.x]; __syncthreads(); "
                          "y[threadIdx.x] = part[99 - threadIdx.x];"));
  ASSERT_TRUE(outcome.artefact) << outcome.explanation;
  EXPECT_EQ(outcome.artefact->resources.at(0).shared_bytes, 400u);
}

TEST_P(CudaBuild, ParametersFitTheContract) {
  LaunchedKernel launch = scale_launch();
  launch.parameters.pop_back();
  expect_refused(k_scale, {"'scale' takes 4 parameters, the contract hands over 3", "add what parameter 4 is, .u32"},
                 {launch});
  launch = scale_launch();
  launch.parameters[3].dtype = DType::i64;
  expect_refused(k_scale, {"parameter 4 of 'scale' is .u32 (4 bytes)", "hands over 'n', i64 (8 bytes)"}, {launch});
  launch = scale_launch();
  std::swap(launch.parameters[1], launch.parameters[2]);
  expect_refused(k_scale, {"parameter 2 of 'scale' is ", "hands over 'a', f32"}, {launch});
}

TEST_P(CudaBuild, EveryLaunchIsLookedAt) {
  const std::string two = std::string(k_scale) + kernel("y[0] = 1;");
  expect_good(two, {scale_launch(), k_launch()});
  expect_refused(two, {"'k' takes 1 parameter"}, {scale_launch(), {"k", {}}});
}

// One build is kept and serves contracts that ask different things of it.
TEST_P(CudaBuild, AKeptBuildIsHeldAgainstEachContract) {
  const CompileOutcome first = compile_text(k_scale, {scale_launch()});
  const CompileOutcome again = compile_text(k_scale, {scale_launch()});
  ASSERT_TRUE(first.artefact && again.artefact);
  EXPECT_EQ(again.took, Nanoseconds(0)) << "it was kept";
  EXPECT_EQ(first.artefact->digest, again.artefact->digest);
  EXPECT_EQ(first.artefact->resources, again.artefact->resources);
  const CompileOutcome other = compile_text(k_scale, {k_launch()});
  EXPECT_EQ(other.took, Nanoseconds(0));
  EXPECT_EQ(other.fault, CompileFault::no_entry);
}

TEST_P(CudaBuild, AKeptBuildWithoutItsResourcesIsBuiltAnew) {
  const CompileOutcome first = compile_text(k_scale, {scale_launch()});
  ASSERT_TRUE(first.artefact);
  fs::remove_all(first.artefact->folder / k_resources);
  const CompileOutcome again = compile_text(k_scale, {scale_launch()});
  ASSERT_TRUE(again.artefact);
  EXPECT_EQ(again.artefact->resources, first.artefact->resources);
}

TEST_P(CudaBuild, HonesOwnKernelsNeedNoContract) {
  expect_good(duties_text("cuda"), {});
  expect_good(calibrate_text("cuda"), {});
}

// ---- which compiler

TEST(CudaToolchain, NvccStandsInWhereNvrtcIsAbsent) {
  const auto found = toolchain_of(With::nvcc);
  if (!found) GTEST_SKIP() << "no nvcc here";
  EXPECT_EQ(found->role, "build-nvcc");
  EXPECT_THAT(found->version, StartsWith("nvcc 1"));
}

TEST(CudaToolchain, WithoutEitherSaysSo) {
  const auto found = find_toolchain("cuda", {}, {{"libhone-no-nvrtc.so"}, {}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::environment);
  EXPECT_THAT(to_text(found.error()), HasSubstr("there is no nvcc either"));
}

// Outside the system's folders a compiler sees nothing of the machine but itself.
TEST(CudaToolchain, AToolkitElsewhereIsLent) {
  auto found = toolchain_of(With::nvcc);
  if (!found) GTEST_SKIP() << "no nvcc here";
  const auto cache = TemporaryFolder::make("/tmp", "hone-cuda-build-");
  const auto elsewhere = TemporaryFolder::make("/tmp", "hone-cuda-elsewhere-");
  ASSERT_TRUE(cache && elsewhere);
  fs::create_directory_symlink(fs::canonical(found->path).parent_path().parent_path(), elsewhere->path() / "cuda");
  found->path = elsewhere->path() / "cuda" / "bin" / "nvcc";
  const auto outcome = compile(*found, cache->path(), request_of(k_scale, {scale_launch()}));
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  EXPECT_TRUE(outcome->artefact) << outcome->explanation << outcome->messages;
}

}  // namespace
}  // namespace hone::device::launcher
