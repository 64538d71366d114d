// Drafts of device kernels: signatures, indices, launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/device_fold.h"
#include "task/draft.h"
#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view k_add = R"(
extern "C" __global__ void add(const float* __restrict__ a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
)";

// One block a row; its loops are the threads'.
constexpr std::string_view k_softmax_block = R"(
#define THREADS 128
extern "C" __global__ void __launch_bounds__(THREADS) softmax(const float* x, float* y, int rows, int cols) {
  __shared__ float part[THREADS];
  const int row = blockIdx.x, lane = threadIdx.x;
  const float* in = x + (size_t)row * cols;
  float* out = &y[static_cast<size_t>(row) * cols];
  float top = -INFINITY;
  for (int c = lane; c < cols; c += blockDim.x) top = fmaxf(top, in[c]);
  part[lane] = top;
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    __syncthreads();
    if (lane < s) part[lane] = fmaxf(part[lane], part[lane + s]);
  }
  for (int c = lane; c < cols; c += blockDim.x) out[c] = expf(in[c] - part[0]);
}
)";

constexpr std::string_view k_softmax_thread = R"(
extern "C" {
__global__ void softmax(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(x[row * cols + c]);
  for (int c = 0; c < cols; ++c) y[row * cols + c] = expf(x[row * cols + c]) / sum;
}
}
)";

constexpr std::string_view k_transpose = R"(
constexpr int TILE = 32;
extern "C" __global__ void transpose(const __nv_bfloat16* in, __nv_bfloat16* out, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
)";

constexpr std::string_view k_matmul = R"(
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = (blockDim.x * blockIdx.x) + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}
)";

constexpr std::string_view k_matmul_reference = R"(
extern "C" void matmul_reference(const double* x, const double* w, double* y, int m, int n, int k, double* y_magnitude) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      y[i * n + j] = 0;
      for (int p = 0; p < k; ++p) y[i * n + j] += x[i * k + p] * w[p * n + j];
    }
}
)";

constexpr std::string_view k_row_sum = R"(
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void row_sum(__global const float* in, __global float* out, const uint cols, __local float* scratch) {
  const uint row = get_group_id(0);
  const uint lane = get_local_id(0);
  float sum = 0.0f;
  for (uint c = lane; c < cols; c += get_local_size(0)) sum += in[row * cols + c];
  scratch[lane] = sum;
  for (uint step = 32; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) scratch[lane] += scratch[lane + step];
  }
  if (lane == 0) out[row] = scratch[0];
}
)";

constexpr std::string_view k_row_sum_reference = R"(
extern "C" void row_sum_reference(const double* in, double* out, unsigned cols, double* out_magnitude) {}
)";

struct Drafted {
  explicit Drafted(std::string_view kernel, std::string name = "kernel.cu",
                   std::map<std::string, BoundValue> dimensions = {}, std::string_view reference = {})
      : folder(std::map<std::string, std::string>{{name, std::string(kernel)}}) {
    DraftRequest request{folder.path() / name, {}, std::move(dimensions), {}};
    if (!reference.empty()) {
      folder.write("reference.cpp", std::string(reference));
      request.reference = folder.path() / "reference.cpp";
    }
    draft = draft_task(request);
    if (!draft) return;
    folder.write("task.toml", draft->toml);
    read = folder.read();
    EXPECT_THAT(read.diagnostics.errors, IsEmpty()) << draft->toml;
    EXPECT_EQ(read.diagnostics.open_questions.size(), draft->open_questions.size());
  }
  std::string toml() const { return draft ? draft->toml : to_text(draft.error()); }
  std::string line(std::string_view key, size_t skip = 0) const {
    size_t at = 0;
    const std::string start = "\n" + std::string(key) + " = ";
    for (size_t i = 0; i <= skip && at != std::string::npos; ++i) at = toml().find(start, at + 1);
    if (at == std::string::npos) return "none";
    const std::string rest = toml().substr(at + start.size());
    return rest.substr(0, rest.find_first_of("#\n") - (rest.find('#') < rest.find('\n') ? 2 : 0));
  }

  TaskFolder folder;
  Result<Draft> draft = Draft{};
  ReadTask read;
};

TEST(DeviceDraft, VectorAddAsksOnlyForItsSize) {
  const Drafted drafted(k_add);
  EXPECT_EQ(drafted.line("grid"), "[\"ceildiv(n, 256)\", 1, 1]") << drafted.toml();
  EXPECT_EQ(drafted.line("block"), "[256, 1, 1]");
  EXPECT_EQ(drafted.line("shape"), "[\"n\"]");
  EXPECT_EQ(drafted.line("language"), "\"cuda\"");
  EXPECT_EQ(drafted.line("call"), "\"launch\"");
  EXPECT_THAT(drafted.draft->open_questions, SizeIs(1));
  EXPECT_THAT(drafted.toml(), HasSubstr("# guessed: 256 threads"));
  const Drafted answered(k_add, "kernel.cu", {{"n", 1 << 20}});
  EXPECT_THAT(answered.draft->open_questions, IsEmpty());
  ASSERT_TRUE(answered.read.task);
  EXPECT_EQ(answered.read.task->arguments[2].role, Role::out);
}

TEST(DeviceDraft, ABlockForEachRow) {
  const Drafted drafted(k_softmax_block, "kernel.cu", {{"rows", 100}, {"cols", 1000}});
  EXPECT_THAT(drafted.draft->open_questions, IsEmpty()) << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"rows\", 1, 1]");
  EXPECT_EQ(drafted.line("block"), "[128, 1, 1]");
  EXPECT_EQ(drafted.line("shape"), "[\"rows\", \"cols\"]");
  EXPECT_EQ(drafted.line("shape", 1), "[\"rows\", \"cols\"]");
  EXPECT_THAT(drafted.toml(), testing::Not(HasSubstr("tune")));
}

TEST(DeviceDraft, AThreadForEachRow) {
  const Drafted drafted(k_softmax_thread, "kernel.hip", {{"rows", 100}, {"cols", 1000}});
  EXPECT_THAT(drafted.draft->open_questions, IsEmpty()) << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"ceildiv(rows, 256)\", 1, 1]");
  EXPECT_EQ(drafted.line("language"), "\"hip\"");
  EXPECT_EQ(drafted.line("dtype"), "\"f16\"");
}

TEST(DeviceDraft, ATileIsAsLargeAsItsIndicesSay) {
  const Drafted drafted(k_transpose, "kernel.cu", {{"width", 100}, {"height", 1000}});
  EXPECT_THAT(drafted.draft->open_questions, IsEmpty()) << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"ceildiv(width, 32)\", \"ceildiv(height, 32)\", 1]");
  EXPECT_EQ(drafted.line("block"), "[32, 32, 1]");
  EXPECT_EQ(drafted.line("shape"), "[\"height\", \"width\"]");
  EXPECT_EQ(drafted.line("shape", 1), "[\"width\", \"height\"]");
  EXPECT_EQ(drafted.line("dtype"), "\"bf16\"");
}

TEST(DeviceDraft, KernelReferenceAndDimensionsLeaveNothingOpen) {
  const Drafted drafted(k_matmul, "kernel.cu", {{"m", 64}, {"n", 48}, {"k", 200}}, k_matmul_reference);
  ASSERT_TRUE(drafted.draft) << drafted.toml();
  EXPECT_THAT(drafted.draft->open_questions, IsEmpty()) << drafted.toml();
  ASSERT_TRUE(drafted.read.task);
  EXPECT_THAT(drafted.read.diagnostics.warnings, IsEmpty());
  const Task& task = *drafted.read.task;
  EXPECT_EQ(task.oracle.entry, "matmul_reference");
  EXPECT_EQ(task.arguments[2].compare.terms->canonical(), "k");
  EXPECT_EQ(task.launches[0].grid[1].canonical(), "ceildiv(m, 16)");
  EXPECT_THAT(task.cases, SizeIs(3));
}

TEST(DeviceDraft, OpenClHasLocalMemoryAndRowsThatNoArgumentNames) {
  const Drafted drafted(k_row_sum, "kernel.cl", {{"rows", 100}, {"cols", 1000}}, k_row_sum_reference);
  ASSERT_TRUE(drafted.draft) << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"rows\", 1, 1]");
  EXPECT_EQ(drafted.line("block"), "[64, 1, 1]");
  EXPECT_EQ(drafted.line("bytes"), "\"4 * 64\"");
  const Drafted alone(k_row_sum, "kernel.cl", {{"rows", 100}, {"cols", 1000}});
  EXPECT_THAT(alone.draft->open_questions, IsEmpty()) << alone.toml();
  EXPECT_EQ(alone.line("shape", 1), "[\"rows\"]");
  ASSERT_TRUE(alone.read.task);
  EXPECT_EQ(alone.read.task->arguments[3].role, Role::local);
}

TEST(DeviceDraft, WithoutABoundOnlyWholeBlocksAreRight) {
  const std::string kernel = "kernel void scale(global float* x) { x[get_global_id(0)] *= 2; }";
  const Drafted drafted(kernel, "kernel.cl", {{"n", 1024}});
  EXPECT_THAT(drafted.draft->open_questions, IsEmpty()) << drafted.toml();
  EXPECT_EQ(drafted.line("n"), "{ kind = \"case\", min = 256, multiple_of = 256 }");
  ASSERT_TRUE(drafted.read.task);
  for (const Case& one : drafted.read.task->cases) EXPECT_EQ(std::get<int64_t>(one.bind.at("n")) % 256, 0);
  EXPECT_THAT(Drafted(kernel, "kernel.cl", {{"n", 1000}}).toml(), HasSubstr("'n' is 1000, no multiple of the 256"));
}

TEST(DeviceDraft, WhatIsNotUnderstoodIsAsked) {
  const Drafted stencil(
      "extern \"C\" __global__ void stencil(const float* in, float* out, int width) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i > 0 && i < width - 1) out[i] = in[i - 1] + in[i + 1];\n}\n",
      "kernel.cu", {{"width", 100}});
  EXPECT_EQ(stencil.line("grid"), "[\"ceildiv(width, 256)\", 1, 1]") << stencil.toml();
  EXPECT_THAT(stencil.draft->open_questions, SizeIs(2));  // the two shapes
  const Drafted tunable(
      "extern \"C\" __global__ void f(float* y, int n) {\n"
      "  const int first = blockIdx.x * BLOCK * ITEMS + threadIdx.x;\n"
      "  for (int k = 0; k < ITEMS; ++k) { const int i = first + k * BLOCK; if (i < n) y[i] = 1; }\n}\n",
      "kernel.cu", {{"n", 100}});
  EXPECT_EQ(tunable.line("shape"), "[\"n\"]") << tunable.toml();
  EXPECT_EQ(tunable.line("grid"), "[\"?\", 1, 1]");
  EXPECT_EQ(tunable.line("block"), "[\"?\", 1, 1]");
  EXPECT_EQ(tunable.line("ITEMS"), "{ values = \"?\", default = \"?\" }");
}

TEST(DeviceDraft, ATunableCanBeTheBlock) {
  const Drafted drafted(
      "extern \"C\" __global__ void f(float* y, int n) {\n"
      "  int i = blockIdx.x * BLOCK + threadIdx.x;\n  if (n > i) y[i] = 1;\n}\n",
      "kernel.cu", {{"n", 100}});
  EXPECT_EQ(drafted.line("block"), "[\"BLOCK\", 1, 1]") << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"ceildiv(n, BLOCK)\", 1, 1]");
}

TEST(DeviceDraft, SharedMemoryWithoutASize) {
  const std::string body =
      "\n  extern __shared__ float s[];\n  s[threadIdx.x] = y[blockIdx.x];\n  y[blockIdx.x] = s[OTHER];\n}\n";
  const std::string head = "extern \"C\" __global__ void f(float* y) {";
  EXPECT_EQ(Drafted(head + replaced(body, "OTHER", "0")).line("dynamic_shared_bytes"), "\"4 * 256\"");
  EXPECT_EQ(Drafted(head + replaced(body, "OTHER", "blockIdx.y")).line("dynamic_shared_bytes"), "\"?\"");
}

TEST(DeviceDraft, DescriptorsAreAskedFor) {
  const Drafted drafted(
      "extern \"C\" __global__ void f(const __grid_constant__ CUtensorMap map, float* y, int n) {\n"
      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 1;\n}\n");
  EXPECT_EQ(drafted.line("base"), "\"?\"") << drafted.toml();
  EXPECT_EQ(drafted.line("grid"), "[\"ceildiv(n, 256)\", 1, 1]");
}

struct BrokenRow {
  std::string_view file;
  std::string kernel;
  std::string_view words;
};

TEST(DeviceDraft, SaysWhatIsWrongWithAKernel) {
  const BrokenRow rows[] = {
      {"k.cu", "", "no kernel was found"},
      {"k.cl", "int x;", "__kernel void NAME(__global const float* in"},
      {"k.cu", "__device__ float twice(float x) { return x + x; }", "no kernel was found"},
      {"k.cu", "__global__ void\nadd(float* x,\n   int n) {}",
       "k.cu:2:1: 'add' is not declared extern \"C\", so it cannot be found by its name\n"
       "  do:  write: extern \"C\" __global__ void add(float* x, int n)"},
      {"k.cu", "template <class T>\n__global__ void add(T* x) {}", "k.cu:2:17: 'add' is a template"},
      {"k.cu", "extern \"C\" __global__ void a(float* x) {}\nextern \"C\" __global__ void b(float* x) {}",
       "k.cu:2:28: several kernels could be meant: a, b"},
      {"k.cu", "extern \"C\" __global__ void a(const float* x) {}", "'a' writes nothing"},
      {"k.cl", "kernel void a(local float* x) {}", "'a' writes nothing"},
      {"k.cu", "extern \"C\" __global__ void a(float* x", "the parameter list has no end"},
      {"k.cu", "extern \"C\" __global__ void a(float&x) {}", "a reference is no parameter"},
  };
  for (const BrokenRow& row : rows)
    EXPECT_THAT(Drafted(row.kernel, std::string(row.file)).toml(), HasSubstr(row.words)) << row.kernel;
}

TEST(DeviceDraft, OneOfSeveralIsNamed) {
  const TaskFolder folder(std::map<std::string, std::string>{
      {"k.cu",
       "namespace x { extern \"C\" { __global__ void one(float* x); } }\n"
       "extern \"C\" __global__ __launch_bounds__(64) void two(float* x) { x[threadIdx.x] = 1; }\n"
       "template <class T> __global__ void three(T* x) {}\n"}});
  const auto drafted = draft_task({folder.path() / "k.cu", {}, {}, "two"});
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  EXPECT_THAT(drafted->toml, HasSubstr("block = [64, 1, 1]"));
  EXPECT_THAT(to_text(draft_task({folder.path() / "k.cu", {}, {}, "twoo"}).error()),
              HasSubstr("no kernel is called 'twoo', did you mean 'two'"));
}

TEST(DeviceDraft, TheLanguageIsTheFiles) {
  const TaskFolder folder(
      {{"k.cu", std::string(k_add)}, {"k.cpp", std::string(k_add)}, {"k.hip.cpp", std::string(k_add)}});
  const auto language = [&](const char* file, std::optional<Language> wanted) -> std::string {
    DraftRequest request{folder.path() / file, {}, {}, {}, wanted};
    const auto drafted = draft_task(request);
    if (!drafted) return to_text(drafted.error());
    const size_t at = drafted->toml.find("language = ") + 12;
    return drafted->toml.substr(at, drafted->toml.find('"', at) - at);
  };
  EXPECT_EQ(language("k.cu", {}), "cuda");
  EXPECT_EQ(language("k.cu", Language::cuda), "cuda");
  EXPECT_EQ(language("k.cu", Language::hip), "hip");
  EXPECT_EQ(language("k.cpp", Language::hip), "hip");
  EXPECT_EQ(language("k.hip.cpp", {}), "hip");
  EXPECT_THAT(language("k.cu", Language::opencl), HasSubstr("k.cu' is cuda, not opencl"));
  EXPECT_THAT(language("k.cpp", Language::cuda), HasSubstr("k.cpp' is cpp, not cuda"));
}

// ---- folding

std::string folded(std::string_view body) {
  static std::string text;
  text = "extern \"C\" __global__ void f(float* x, int n) {" + std::string(body) + "}";
  const auto kernels = device_kernels("f.cu", text, Dialect::cuda);
  const FoldedBody out = fold_body(kernels->front().function, named_words(text).constants);
  std::string words;
  for (const CppToken& token : out.function.body) words += std::string(token.text) + " ";
  return words;
}

TEST(Fold, ThreadsOfTheWholeGridBecomeOneWord) {
  for (const char* index : {"blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x * blockIdx.x",
                            "(int)blockIdx.x * 64 + threadIdx.x", "(blockIdx.x * blockDim.x) + threadIdx.x",
                            "threadIdx.x + (size_t)(blockIdx.x * blockDim.x)"})
    EXPECT_EQ(folded("g(" + std::string(index) + ");"), "{ g ( global.x ) ; } ") << index;
  EXPECT_EQ(folded("g(blockIdx.x * blockDim.x + threadIdx.x * 4);"), "{ g ( block.x * width.x + thread.x * 4 ) ; } ");
  EXPECT_EQ(folded("g(2 * blockIdx.x * blockDim.x + threadIdx.x);"), "{ g ( 2 * block.x * width.x + thread.x ) ; } ");
  EXPECT_EQ(folded("g(blockIdx.x * blockDim.x + threadIdx.y);"), "{ g ( block.x * width.x + thread.y ) ; } ");
  EXPECT_EQ(folded("g(blockIdx.x * n + threadIdx.x);"), "{ g ( block.x * n + thread.x ) ; } ");
}

TEST(Fold, VariablesAndPointersAreReplaced) {
  EXPECT_EQ(folded("int r = blockIdx.x; x[r] = r;"), "{ int r = block.x ; x [ block.x ] = block.x ; } ");
  EXPECT_EQ(folded("float* p = x + blockIdx.x * n; p[3] = p[i];"),
            "{ x [ block.x * n + 3 ] = x [ block.x * n + i ] ; } ");
  EXPECT_EQ(folded("x += blockIdx.x * n; x[i] = 1;"), "{ x [ block.x * n + i ] = 1 ; } ");
  EXPECT_EQ(folded("int i = threadIdx.x; i += 3; x[i] = 1;"), "{ int i = thread.x ; i += 3 ; x [ i ] = 1 ; } ");
}

}  // namespace
}  // namespace hone::task
