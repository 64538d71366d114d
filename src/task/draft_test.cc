#include "task/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "task/cpp_signature.h"
#include "task/cpp_usage.h"
#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view k_matmul = R"(#include <cmath>
// extern "C" int comment(int x);
namespace { template <class T> T twice(T x) { return x + x; } }
extern "C" int matmul(const float* __restrict__ a, const float *b, float* const c, int m, int n, const int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  return 0;
}
)";

constexpr std::string_view k_matmul_reference = R"(
extern "C" void matmul_reference(const double* a, const double* b, double* c, int m, int n, int k, double* c_magnitude) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      c[i * n + j] = 0;
      for (int p = 0; p < k; ++p) c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
}
)";

Result<Draft> draft(const TaskFolder& folder, std::map<std::string, BoundValue> dimensions = {},
                    std::string entry = {}) {
  DraftRequest request{folder.path() / "kernel.cpp", {}, std::move(dimensions), std::move(entry)};
  if (path_exists(folder.path() / "reference.cpp")) request.reference = folder.path() / "reference.cpp";
  return draft_task(request);
}

// The draft, written beside its kernel, asks what the Draft says it asks and nothing else is wrong with it.
ReadTask written(const TaskFolder& folder, const Draft& draft) {
  folder.write("task.toml", draft.toml);
  ReadTask read = folder.read();
  EXPECT_THAT(read.diagnostics.errors, IsEmpty()) << draft.toml;
  EXPECT_EQ(read.diagnostics.open_questions.size(), draft.open_questions.size()) << draft.toml;
  return read;
}

TEST(Draft, KernelReferenceAndDimensionsLeaveNothingOpen) {
  const TaskFolder folder({{"kernel.cpp", std::string(k_matmul)}, {"reference.cpp", std::string(k_matmul_reference)}});
  const auto drafted = draft(folder, {{"m", 64}, {"n", 48}, {"k", 200}});
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  EXPECT_THAT(drafted->open_questions, IsEmpty()) << drafted->toml;
  const ReadTask read = written(folder, *drafted);
  ASSERT_TRUE(read.task);
  EXPECT_THAT(read.diagnostics.warnings, IsEmpty());
  EXPECT_EQ(read.task->oracle.entry, "matmul_reference");
  EXPECT_EQ(read.task->arguments[2].role, Role::out);
  EXPECT_EQ(read.task->arguments[2].compare.terms->canonical(), "k");
  EXPECT_EQ(read.task->arguments[0].shape[1].canonical(), "k");
  EXPECT_THAT(read.task->cases, SizeIs(3));
  EXPECT_EQ(std::get<int64_t>(read.task->cases[1].bind.at("m")) % 2, 1);
}

TEST(Draft, WithoutAReferenceTheKernelIsItsOwnOracle) {
  const TaskFolder folder({{"kernel.cpp", std::string(k_matmul)}});
  const auto drafted = draft(folder, {{"m", 64}, {"n", 48}, {"k", 200}});
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  const ReadTask read = written(folder, *drafted);
  ASSERT_TRUE(read.task) << drafted->toml;
  EXPECT_EQ(read.task->oracle.kind, OracleKind::baseline);
  EXPECT_EQ(read.task->arguments[2].compare.rule, CompareRule::allclose);
  EXPECT_THAT(drafted->toml, HasSubstr("its bugs become the specification"));
}

TEST(Draft, UnknownsAreAskedFor) {
  const TaskFolder folder({{"kernel.cpp", std::string("struct Pair;\nextern \"C\" void walk(const Pair* in, float* "
                                                      "out, float scale, long n) { while (n--) *out++ = scale; }\n")}});
  const auto drafted = draft(folder);
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  written(folder, *drafted);
  std::string all;
  for (const std::string& question : drafted->open_questions) all += question + "\n";
  EXPECT_THAT(drafted->open_questions, SizeIs(6)) << all << drafted->toml;  // dtype, two shapes, a role, two bindings
  EXPECT_THAT(all, HasSubstr("'dtype' of argument 'in'"));
  EXPECT_THAT(all, HasSubstr("'role' of argument 'out'"));
  EXPECT_THAT(all, HasSubstr("'scale' of bind"));
}

TEST(Draft, ReadsBlocksOfExternC) {
  const TaskFolder folder(
      {{"kernel.cpp", std::string("extern \"C\" {\nint helper(int x);\nint scale(float* y, unsigned long n) { for (int "
                                  "i = 0; i < n; ++i) y[i] = 2 * y[i]; return 0; }\n}\n")}});
  EXPECT_THAT(to_text(draft(folder).error()),
              HasSubstr("kernel.cpp:3:5: several extern \"C\" functions could be meant: helper, scale"));
  const auto drafted = draft(folder, {{"n", 100}}, "scale");
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  const ReadTask read = written(folder, *drafted);
  ASSERT_TRUE(read.task) << drafted->toml;
  EXPECT_EQ(read.task->arguments[0].role, Role::inout);
  EXPECT_EQ(read.task->arguments[1].dtype, DType::u64);
}

struct BrokenRow {
  std::string kernel;
  std::string words;
};

TEST(Draft, SaysWhatIsWrongWithAKernel) {
  const BrokenRow rows[] = {
      {"", "no function was found"},
      {"int x = 1;", "no function was found"},
      {"template <class T>\nvoid scale(T* y, int n) { }", "kernel.cpp:2:6: 'scale' is a template"},
      {"void scale(float* y, int n) { }", "kernel.cpp:1:6: 'scale' is not declared extern \"C\""},
      {"void f(float* y) {}\nvoid f(double* y) {}", "kernel.cpp:2:6: 'f' is overloaded"},
      {"extern \"C\" int f(float& y) { return 0; }", "kernel.cpp:1:23: a reference is no parameter"},
      {"extern \"C\" int f(float* y, int n = 3) { return 0; }", "kernel.cpp:1:34: a default argument"},
      {"extern \"C\" int f(float*) { return 0; }", "kernel.cpp:1:18: the parameter has no name"},
      {"extern \"C\" int f(float** y) { return 0; }", "kernel.cpp:1:18: a pointer to a pointer"},
      {"extern \"C\" float f(float* y) { return 0; }", "kernel.cpp:1:18: 'f' returns float"},
      {"extern \"C\" int f(const float* y) { return 0; }", "kernel.cpp:1:16: 'f' writes nothing"},
      {"extern \"C\" int f(float* y", "kernel.cpp:1:17: the parameter list has no end"},
      {"extern \"C\" int f(float* y,\n int n, int n) { return 0; }", "kernel.cpp:2:9: two parameters are called 'n'"},
      {"extern \"C\" int f(float* y, int\n" + std::string(129, 'n') + ") { return 0; }", "is no name for an argument"},
      {"extern \"C\" int\n" + std::string(129, 'f') + "(float* y) { return 0; }", "kernel.cpp:2:1: 'ffffff"},
      {"extern \"C\" int f(float* y, int len) { return 0; }", "kernel.cpp:1:28: the size 'len' is named like a word"},
  };
  for (const BrokenRow& row : rows) {
    const TaskFolder folder({{"kernel.cpp", row.kernel}});
    const auto drafted = draft(folder);
    ASSERT_FALSE(drafted) << row.kernel;
    EXPECT_THAT(to_text(drafted.error()), HasSubstr(row.words));
  }
}

TEST(Draft, SaysWhereAReferenceDiffers) {
  const std::string kernel = "extern \"C\" int f(const float* x, float* y, int n) { return 0; }";
  const BrokenRow rows[] = {
      {"extern \"C\" void f_reference(const double* x, double* y, int n) {}",
       "has 3 parameters, the contract asks for 4"},
      {"extern \"C\" void f_reference(const float* x, double* y, int n, double* m) {}",
       "reference.cpp:1:29: parameter 'x' of the reference: expected const double*, found const float*"},
      {"extern \"C\" void f_reference(const double* x, double* y, long n, double* m) {}",
       "parameter 'n' of the reference: expected int, found long"},
      {"extern \"C\" void f_reference(const double* x, const double* y, int n, double* m) {}",
       "parameter 'y' of the reference: expected double*, found const double*"},
      {"extern \"C\" void f_reference(const double* x, double* y, int n, float* m) {}",
       "'m' should be double* y_magnitude"},
      {"void f_reference();", "no function was found"},
  };
  for (const BrokenRow& row : rows) {
    const TaskFolder folder({{"kernel.cpp", kernel}, {"reference.cpp", row.kernel}});
    const auto drafted = draft(folder);
    ASSERT_FALSE(drafted) << row.kernel;
    EXPECT_THAT(to_text(drafted.error()), HasSubstr(row.words));
  }
}

TEST(Draft, IntegerOutputsHaveNoMagnitude) {
  const TaskFolder folder(
      {{"kernel.cpp",
        "#include <cstdint>\nextern \"C\" int f(const std::uint8_t* x, std::uint32_t* y, int n) { return 0; }"},
       {"reference.cpp", "extern \"C\" void f_reference(const uint8_t* x, uint32_t* y, int n) {}"}});
  EXPECT_TRUE(draft(folder)) << to_text(draft(folder).error());
}

TEST(Draft, DimensionsMustBeSizesOfTheKernel) {
  const TaskFolder folder({{"kernel.cpp", std::string(k_matmul)}});
  EXPECT_THAT(to_text(draft(folder, {{"mm", 4}}).error()), HasSubstr("no size 'mm', did you mean 'm'"));
  EXPECT_THAT(to_text(draft(folder, {{"m", 0}}).error()), HasSubstr("sizes start at 1"));
  EXPECT_EQ(draft(folder, {{"mm", 4}}).error().code, ErrorCode::usage);
}

TEST(Draft, ScalarsTakeDecimalsAndSizesDoNot) {
  const TaskFolder folder(
      {{"kernel.cpp", std::string("extern \"C\" int scale(float a, float* y, int n) {\n"
                                  "  for (int i = 0; i < n; ++i) y[i] = a * y[i];\n  return 0;\n}\n")}});
  const auto drafted = draft(folder, {{"a", -2.0}, {"n", 64}});
  ASSERT_TRUE(drafted) << to_text(drafted.error());
  const ReadTask read = written(folder, *drafted);
  ASSERT_TRUE(read.task) << drafted->toml;
  EXPECT_EQ(std::get<double>(read.task->cases[0].bind.at("a")), -2.0);
  EXPECT_TRUE(draft(folder, {{"a", 0}, {"n", 64}}));
  EXPECT_THAT(to_text(draft(folder, {{"n", 2.5}}).error()), HasSubstr("sizes are whole numbers"));
  EXPECT_THAT(to_text(draft(folder, {{"a", 1e39}}).error()), HasSubstr("does not fit into float"));
}

TEST(Draft, AFileThatIsNotThereIsAUsageErrorWithARemedy) {
  const TaskFolder folder({});
  const auto drafted = draft(folder);
  ASSERT_FALSE(drafted);
  EXPECT_EQ(drafted.error().code, ErrorCode::usage);
  EXPECT_THAT(to_text(drafted.error()), HasSubstr("does not exist"));
  EXPECT_NE(drafted.error().help, "");
}

// The drafted text stands in no file, so no place in it may be told.
TEST(Draft, AFaultOfTheDraftIsTheKernels) {
  std::string kernel = "extern \"C\" int f(float* y";
  for (int i = 0; i < 300; ++i) kernel += ", const float* x" + std::to_string(i);
  const TaskFolder folder({{"kernel.cpp", kernel + ") { y[0] = 1; return 0; }"}});
  const auto drafted = draft(folder);
  ASSERT_FALSE(drafted);
  EXPECT_THAT(to_text(drafted.error()), HasSubstr("kernel.cpp:1:16"));
  EXPECT_THAT(to_text(drafted.error()), HasSubstr("the limit is 256"));
  EXPECT_THAT(to_text(drafted.error()), testing::Not(HasSubstr("task.toml:")));
}

TEST(Draft, RefusesOtherLanguagesAndFilesElsewhere) {
  const TaskFolder folder({{"kernel.cpp", std::string(k_matmul)}, {"kernel.py", std::string(k_matmul)}});
  const TaskFolder elsewhere({{"reference.cpp", std::string(k_matmul_reference)}});
  EXPECT_THAT(to_text(draft_task({folder.path() / "kernel.py", {}, {}, {}}).error()),
              HasSubstr("no file that a draft can be made from"));
  EXPECT_THAT(to_text(draft_task({folder.path() / "kernel.cpp", elsewhere.path() / "reference.cpp", {}, {}}).error()),
              HasSubstr("not in the kernel's folder"));
}

TEST(Draft, TheShippedExamplesAreDrafted) {
  for (const auto& entry : fs::directory_iterator(fs::path(HONE_SOURCE_DIR) / "examples")) {
    if (!path_exists(entry.path() / "kernel.cpp")) continue;
    const auto drafted = draft_task({entry.path() / "kernel.cpp", entry.path() / "reference.cpp", {}, {}});
    EXPECT_TRUE(drafted) << to_text(drafted.error());
  }
}

CppFunction function(std::string_view text) { return extern_c_functions("f.cpp", text)->front(); }

TEST(GuessRole, LooksAtTheFirstUse) {
  const auto role = [](std::string_view body) {
    static std::string text;
    text = "extern \"C\" void f(float* y, float* x, int n) {" + std::string(body) + "}";
    return guess_role(function(text), "y");
  };
  EXPECT_EQ(role("y[i] = x[i];"), Role::out);
  EXPECT_EQ(role("y[g(i)[2]] = 1; z = y[0];"), Role::out);
  EXPECT_EQ(role("y[i] = x[i] + y[i];"), Role::inout);
  EXPECT_EQ(role("y[i] += x[i];"), Role::inout);
  EXPECT_EQ(role("x[i] = y[i]; y[i] = 0;"), Role::inout);
  EXPECT_EQ(role("if (y[0] == 1) y[0] = 2;"), Role::inout);
  EXPECT_EQ(role("g(y); y[0] = 1;"), std::nullopt);
  EXPECT_EQ(role("s.y[0] = 1;"), std::nullopt);
  EXPECT_EQ(role(""), std::nullopt);
}

TEST(GuessShape, ReadsPlainLoopsAlone) {
  const auto shape = [](std::string_view body) {
    static std::string text;
    text = "extern \"C\" void f(float* y, int n, int m, int k) {" + std::string(body) + "}";
    return guess_shape(function(text), "y").value_or(std::vector<std::string>{"?"});
  };
  const std::string loops = "for (int i = 0; i < n; ++i) for (int j = 0; j < m; j++) for (int p = 0; p < 4; ++p) ";
  EXPECT_THAT(shape(loops + "y[i] = 0;"), ElementsAre("n"));
  EXPECT_THAT(shape(loops + "y[i * m + j] = 0;"), ElementsAre("n", "m"));
  EXPECT_THAT(shape(loops + "y[(i * m + j) * 4 + p] = 0;"), ElementsAre("n", "m", "4"));
  EXPECT_THAT(shape(loops + "y[i * k + j] = 0;"), ElementsAre("?"));
  EXPECT_THAT(shape(loops + "y[i] = y[i + 1];"), ElementsAre("?"));
  EXPECT_THAT(shape(loops + "y[q] = 0;"), ElementsAre("?"));
  EXPECT_THAT(shape("for (int i = 0; i < n; ++i) y[i] = 0; for (int i = 0; i < m; ++i) y[i] = 0;"), ElementsAre("?"));
  EXPECT_THAT(shape("for (int i = 1; i < n; ++i) y[i] = 0;"), ElementsAre("?"));
}

TEST(CppTokens, SkipCommentsStringsAndDirectives) {
  std::vector<std::string> words;
  for (const CppToken& token : cpp_tokens("#define A \\\n  b\nx /* y\n */ += \"z \\\" }\"; // w\n1.5f"))
    words.emplace_back(token.text);
  EXPECT_THAT(words, ElementsAre("x", "+=", "\"z \\\" }\"", ";", "1", ".", "5f"));
}

TEST(CppTokens, ArePartedAsACompilerPartsThem) {
  const auto texts = [](std::string_view text, CppText kind = CppText::written) {
    std::vector<std::string> words;
    for (const CppToken& token : cpp_tokens(text, kind)) words.emplace_back(token.text);
    return words;
  };
  EXPECT_THAT(texts("R\"x(a \")\" b)x\" c"), ElementsAre("R\"x(a \")\" b)x\"", "c"));
  EXPECT_THAT(texts("OR\"(\""), ElementsAre("OR", "\"(\""));
  EXPECT_THAT(texts("R\"("), ElementsAre("R\"("));
  EXPECT_THAT(texts("1'000'0 a 'b'"), ElementsAre("1'000'0", "a", "'b'"));
  EXPECT_THAT(texts("<% a<:0:> %> v<::b>"), ElementsAre("{", "a", "[", "0", "]", "}", "v", "<", "::", "b", ">"));
  EXPECT_THAT(texts("#pragma x \\\ny", CppText::preprocessed), ElementsAre("#pragma x \\", "y"));
}

TEST(Draft, AnyBytesAreReadOrRefused) {
  const TaskFolder folder({});
  rc::check([&folder] {
    std::string text(k_matmul);
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
      text[at] = *rc::gen::element('(', ')', '{', '}', '[', ']', '"', '*', ',', ';', '<', '/', '\n', '\0');
    }
    folder.write("kernel.cpp", text);
    std::ignore = draft(folder, {{"m", 7}});
  });
}

}  // namespace
}  // namespace hone::task
