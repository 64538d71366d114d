#include "task/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <string>

#include "task/bind.h"
#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string texts(const std::vector<Error>& errors) {
  std::string out;
  for (const Error& error : errors) out += to_text(error);
  return out;
}

std::string all_texts(const ReadTask& read) {
  return texts(read.diagnostics.errors) + texts(read.diagnostics.open_questions);
}

TEST(ReadTask, ReadsEveryPart) {
  const TaskFolder folder(scale_files());
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  EXPECT_THAT(read.diagnostics.warnings, IsEmpty()) << texts(read.diagnostics.warnings);
  const Task& task = *read.task;
  EXPECT_EQ(task.name, "scale");
  ASSERT_EQ(task.arguments.size(), 4u);
  EXPECT_EQ(task.arguments[1].fill.kind, FillKind::normal);
  EXPECT_EQ(task.arguments[2].role, Role::out);
  EXPECT_EQ(task.arguments[3].value->canonical(), "n");
  EXPECT_THAT(task.kernel.editable, ElementsAre("kernel.cpp"));
  ASSERT_EQ(task.parameters.size(), 2u);
  EXPECT_THAT(task.parameters[0].values, ElementsAre("64", "128", "256"));
  EXPECT_EQ(task.parameters[0].tier, 1);
  EXPECT_EQ(task.parameters[1].tier, 2);
  EXPECT_EQ(task.cases_for(Purpose::verify).size(), 2u);
  EXPECT_EQ(task.cases_for(Purpose::time).size(), 1u);
  EXPECT_EQ(std::get<double>(task.cases[0].bind.at("a")), -0.5);
  EXPECT_EQ(std::get<int64_t>(task.cases[1].bind.at("n")), 1'000'000);
  EXPECT_TRUE(supported_here(task));
}

TEST(ReadTask, TakesTheFileAsWellAsTheFolder) {
  const TaskFolder folder(scale_files());
  EXPECT_EQ(read_task(folder.path() / "task.toml").task->digest, folder.read().task->digest);
}

// ---- what stands in the place of a task.toml

class NoTask : public testing::Test {
 protected:
  void expect(std::string_view words) const {
    const auto task = require_task(folder_.path());
    ASSERT_FALSE(task);
    EXPECT_EQ(exit_code(task.error().code), 2);
    EXPECT_THAT(to_text(task.error()), testing::AllOf(HasSubstr(words), HasSubstr("why: "), HasSubstr("do: ")));
    EXPECT_THAT(to_text(task.error()), HasSubstr(": 1 error, 0 open questions"));
  }
  fs::path file() const { return folder_.path() / "task.toml"; }
  TaskFolder folder_{{}};
};

TEST_F(NoTask, NothingAtAll) { expect("does not exist"); }

TEST_F(NoTask, AFolder) {
  fs::create_directory(file());
  expect("is a folder");
  EXPECT_THAT(to_text(require_task(file()).error()), HasSubstr("task.toml' is a folder"));
}

TEST_F(NoTask, ALinkToItself) {
  fs::create_symlink("task.toml", file());
  expect("leads back to itself");
}

TEST_F(NoTask, ALinkToNothing) {
  fs::create_symlink("elsewhere", file());
  expect("is a symbolic link to nothing");
}

TEST_F(NoTask, MoreThanAMebibyte) {
  folder_.write("task.toml", std::string((1 << 20) + 1, '#'));
  expect("is 1048577 bytes, more than the limit of 1.00 MiB");
}

// ---- how much a contract may hold

std::string with_axes(int count) {
  std::string axes = "min = 1 }\n";
  for (int i = count - 1; i > 0; --i)
    axes += "a" + std::to_string(i) + " = { kind = \"derived\", value = \"" +
            (i == 1 ? "n" : "a" + std::to_string(i - 1) + " + 0 * " + (i == 2 ? "n" : "a" + std::to_string(i - 2))) +
            "\" }\n";
  return replaced(replaced(std::string(k_scale_toml), "min = 1 }\n", axes),
                  "role = \"out\"\ndtype = \"f32\"\nshape = [\"n\"]",
                  "role = \"out\"\ndtype = \"f32\"\nshape = [\"a" + std::to_string(count - 1) + "\"]");
}

// Each axis uses the two behind it in the file: whoever looks through them again for each use never ends.
TEST(ReadTask, ReadsAsManyAxesAsAContractMayHave) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", with_axes(1000));
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  EXPECT_EQ(read.task->axes.front().name, "n");
  EXPECT_EQ(read.task->axes.back().name, "a999");
  EXPECT_EQ(bind_case(*read.task, read.task->cases[0])->axes.at("a999"), 1023);
}

TEST(ReadTask, TooManyOfAKindIsOneErrorWithTheLimit) {
  const TaskFolder folder(scale_files());
  const auto expect_one = [&folder](const std::string& text, std::string_view words) {
    folder.write("task.toml", text);
    const ReadTask read = folder.read();
    ASSERT_EQ(read.diagnostics.errors.size(), 1u) << texts(read.diagnostics.errors);
    EXPECT_THAT(texts(read.diagnostics.errors), HasSubstr(words));
  };
  const auto repeated = [](int count, std::string_view before, std::string_view after) {
    std::string text;
    for (int i = 0; i < count; ++i) text += std::string(before) + std::to_string(i) + std::string(after);
    return text;
  };
  const std::string plain(k_scale_toml);
  expect_one(with_axes(10'000), "has 10000 axes, the limit is 1000");
  expect_one(plain + repeated(1000, "[[cases]]\nid = \"c", "\"\n"), "has 1002 cases, the limit is 1000");
  expect_one(plain + repeated(256, "[[args]]\nname = \"b", "\"\n"), "has 260 arguments, the limit is 256");
  expect_one(replaced(plain, "[tune.parameters]\n", "[tune.parameters]\n" + repeated(300, "P", " = 1\n")),
             "has 302 parameters, the limit is 256");
  expect_one(replaced(plain, "\"BLOCK * ITEMS <= 1024\"", repeated(1001, "\"BLOCK > ", "\",")),
             "has 1001 constraints, the limit is 1000");
  expect_one(replaced(plain, "[1, 2, 8]", "[" + repeated(4097, "", ",") + "]"),
             "has 4097 values of parameter 'ITEMS', the limit is 4096");
}

TEST(ReadTask, ACommitmentToHiddenCasesIsPartOfTheContract) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", std::string(k_scale_toml) + "[hidden]\nsha256 = \"" + std::string(64, '0') + "\"\n");
  const auto task = require_task(folder.path());
  ASSERT_TRUE(task) << to_text(task.error());
  EXPECT_TRUE(task->warnings.empty());
  EXPECT_EQ(task->hidden_commitment, Digest{});
  EXPECT_NE(task->digest, TaskFolder(scale_files()).read().task->digest);
}

TEST(ReadTask, EveryKeyOfAComparisonIsRead) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml",
               replaced(std::string(k_scale_toml), "role = \"out\"",
                        "role = \"out\"\ncompare = { rule = \"both\", atol = 1e-2, rtol = 1e-3, relative_to = "
                        "\"output\", relative_floor = 1e-8, matched_ratio = 0.95, ceiling = 10, error_cap = 5, "
                        "reject_all_zero = true, nonfinite = \"negative_infinity\", exact_sums = false }"));
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << to_text(read.diagnostics.errors.front());
  const Compare& compare = read.task->find_argument("y")->compare;
  EXPECT_EQ(compare.rule, CompareRule::both);
  EXPECT_EQ(compare.absolute_tolerance, 1e-2);
  EXPECT_EQ(compare.relative_tolerance, 1e-3);
  EXPECT_EQ(compare.relative_to, RelativeTo::output);
  EXPECT_EQ(compare.relative_floor, 1e-8);
  EXPECT_EQ(compare.matched_ratio, 0.95);
  EXPECT_EQ(compare.ceiling, 10.0);
  EXPECT_EQ(compare.error_cap, 5.0);
  EXPECT_TRUE(compare.reject_all_zero);
  EXPECT_EQ(compare.nonfinite, NonFinite::negative_infinity);
  EXPECT_FALSE(compare.exact_sums);
}

TEST(ReadTask, WhatARuleCannotUseIsRefused) {
  struct Row {
    const char* compare;
    const char* refused;
  };
  for (const Row& row : {Row{"matched_ratio = 0.9", "matched_ratio"}, Row{"ceiling = 2", "ceiling"},
                         Row{"rule = \"total\", atol = 1, matched_ratio = 0.9", "matched_ratio"},
                         Row{"rule = \"total\", atol = 1, rtol = 1", "rtol"},
                         Row{"rule = \"absolute\", atol = 1, relative_floor = 1", "relative_floor"}}) {
    const TaskFolder folder(scale_files());
    folder.write("task.toml", replaced(std::string(k_scale_toml), "role = \"out\"",
                                       "role = \"out\"\ncompare = { " + std::string(row.compare) + " }"));
    const ReadTask read = folder.read();
    ASSERT_EQ(read.diagnostics.errors.size(), 1u) << row.compare;
    EXPECT_THAT(read.diagnostics.errors[0].what, HasSubstr(row.refused)) << row.compare;
  }
}

TEST(ReadTask, AMissingTaskSaysHowToWriteOne) {
  const auto task = require_task("no/such/folder");
  ASSERT_FALSE(task);
  EXPECT_THAT(to_text(task.error()), HasSubstr("hone init"));
}

// The digest is part of every campaign: these bytes may only change together with the schema's name.
TEST(ReadTask, DigestIsStable) {
  const TaskFolder folder(scale_files());
  EXPECT_EQ(folder.read().task->digest.hex(), "073aaf04015ba23931f46fdd5b445808e739d05551a2edbe455c464f2ef6e074");
}

Digest digest_with(std::string_view from, std::string_view to) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", replaced(std::string(k_scale_toml), from, to));
  const ReadTask read = folder.read();
  EXPECT_TRUE(read.task) << all_texts(read);
  return read.task ? read.task->digest : Digest{};
}

TEST(ReadTask, DigestForgetsLayoutAndRemembersMeaning) {
  const Digest plain = digest_with("n = 1023", "n = 1023");
  EXPECT_EQ(plain, digest_with("n = 1023, a = -0.5", "a = -0.5,   n = 1_023"));
  EXPECT_EQ(plain, digest_with("[axes]", "# a comment\n[axes]"));
  EXPECT_NE(plain, digest_with("n = 1023", "n = 1024"));
}

TEST(ReadTask, DigestCoversTheOracleAndNotTheKernel) {
  const TaskFolder folder(scale_files());
  const Digest before = folder.read().task->digest;
  folder.write("kernel.cpp", "// faster\n");
  EXPECT_EQ(folder.read().task->digest, before);
  folder.write("reference.cpp", "// other truth\n");
  EXPECT_NE(folder.read().task->digest, before);
}

struct BrokenRow {
  std::string name;
  std::string from;
  std::string to;
  uint32_t line;
  uint32_t column;
  std::string words;
};

void PrintTo(const BrokenRow& row, std::ostream* out) { *out << row.name; }

class Broken : public testing::TestWithParam<BrokenRow> {};

TEST_P(Broken, GivesOneErrorWithItsPlace) {
  const BrokenRow& row = GetParam();
  const TaskFolder folder(scale_files());
  folder.write("task.toml", replaced(std::string(k_scale_toml), row.from, row.to));
  const ReadTask read = folder.read();
  EXPECT_FALSE(read.task);
  ASSERT_EQ(read.diagnostics.errors.size(), 1u) << texts(read.diagnostics.errors);
  const Error& error = read.diagnostics.errors.front();
  EXPECT_EQ(error.code, ErrorCode::contract);
  EXPECT_THAT(to_text(error), HasSubstr(row.words));
  EXPECT_THAT(to_text(error), testing::AllOf(HasSubstr("why: "), HasSubstr("do: ")));
  EXPECT_EQ(error.where.line, row.line) << to_text(error);
  EXPECT_EQ(error.where.column, row.column) << to_text(error);
}

const std::vector<BrokenRow> k_broken = {
    {"syntax", "name = \"scale\"", "name = scale", 2, 8, "not TOML"},
    {"twice", "summary =", "name = \"a\"\nsummary =", 3, 8, "the key 'name' stands twice (first at line 2)"},
    {"twice_inline", "bind = { n = 1023,", "bind = { n = 1023, n = 7,", 53, 24, "the key 'n' stands twice"},
    {"twice_table", "[oracle]", "[kernel]\n[oracle]", 45, 1, "the key 'kernel' stands twice (first at line 32)"},
    {"schema_missing", "schema = \"task/1\"\n", "", 1, 1, "has no 'schema'"},
    {"schema_other", "task/1", "task/9", 1, 10, "this hone reads 'task/1'"},
    {"name_type", "name = \"scale\"", "name = 7", 2, 8, "must be a string, found an integer"},
    {"name_form", "name = \"scale\"", "name = \"sc ale\"", 2, 8, "no identifier"},
    {"root_key", "summary =", "sumary =", 3, 1, "did you mean 'summary'"},
    {"axis_name", "n = { kind = \"case\", min = 1 }", "n = 1\n2d = 5", 7, 1, "no usable name for an axis"},
    {"axis_word", "n = { kind = \"case\", min = 1 }", "n = { kind = \"case\" }\nmax = 3", 7, 1,
     "no usable name for an axis"},
    {"axis_kind", "kind = \"case\"", "kind = \"cass\"", 6, 14, "did you mean 'case'"},
    {"axis_key", "min = 1", "mini = 1", 6, 22, "did you mean 'min'"},
    {"axis_range", "min = 1 }", "min = 5, max = 4 }", 6, 37, "below 'min'"},
    {"axis_type", "n = { kind = \"case\", min = 1 }", "n = \"big\"", 6, 5, "must be a table"},
    {"axis_negative", "n = { kind = \"case\", min = 1 }", "n = { kind = \"case\" }\nm = -1", 7, 5,
     "expected an integer from 0 to"},
    {"axis_empty", "min = 1 }", "min = 1, max = 2_000_000, multiple_of = 3_000_000 }", 6, 62,
     "no multiple of it lies from 1 to 2000000"},
    {"axis_cycle", "min = 1 }",
     "min = 1 }\np = { kind = \"derived\", value = \"q\" }\nq = { kind = \"derived\", value = \"p\" }", 7, 5,
     "axis 'p' depends on itself: p -> q -> p"},
    {"axis_inner_cycle", "min = 1 }",
     "min = 1 }\no = { kind = \"derived\", value = \"p + n\" }\np = { kind = \"derived\", value = \"p\" }", 8, 5,
     "axis 'p' depends on itself: p -> p"},
    {"axis_derived_name", "min = 1 }", "min = 1 }\np = { kind = \"derived\", value = \"nn * 2\" }", 7, 34,
     "unknown name 'nn'"},
    {"args_type", "[[args]]\nname = \"a\"\nrole = \"scalar\"\ndtype = \"f32\"\n",
     "[[args]]\nname = 3\nrole = \"size\"\nvalue = 1\ndtype = \"i32\"\n", 9, 8, "must be a string"},
    {"arg_name_missing", "name = \"x\"\n", "", 13, 1, "argument 2 has no 'name'"},
    {"arg_name_twice", "name = \"y\"", "name = \"x\"", 21, 8, "another one has already"},
    {"role_unknown", "role = \"in\"", "role = \"input\"", 15, 8, "which is unknown"},
    {"dtype_unknown", "dtype = \"f32\"\nshape = [\"n\"]\nfill", "dtype = \"f23\"\nshape = [\"n\"]\nfill", 16, 9,
     "which is unknown"},
    {"dtype_missing", "role = \"out\"\ndtype = \"f32\"\n", "role = \"out\"\n", 20, 1, "has no 'dtype'"},
    {"shape_missing", "shape = [\"n\"]\nfill", "fill", 13, 1, "has no 'shape'"},
    {"shape_type", "shape = [\"n\"]\nfill", "shape = \"n\"\nfill", 17, 9, "must be an array"},
    {"shape_name", "shape = [\"n\"]\nfill", "shape = [\"2 * m\"]\nfill", 17, 15, "unknown name 'm'"},
    {"shape_syntax", "shape = [\"n\"]\nfill", "shape = [\"n +* 2\"]\nfill", 17, 14, "unexpected '*'"},
    {"shape_bool", "shape = [\"n\"]\nfill", "shape = [true]\nfill", 17, 10, "must be an expression"},
    {"shape_not_integer", "shape = [\"n\"]\nfill", "shape = [\"n / 2\"]\nfill", 50, 1,
     "task.toml:17:11: the value is not an integer in 'n / 2'"},
    {"shape_zero_division", "shape = [\"n\"]\nfill", "shape = [\"n // (n - 1023)\"]\nfill", 50, 1,
     "task.toml:17:13: division by zero"},
    {"shape_negative", "shape = [\"n\"]\nfill", "shape = [\"n - 2000\"]\nfill", 50, 1,
     "task.toml:17:11: an extent is -977, below 0"},
    {"derived_zero_division", "min = 1 }", "min = 1 }\np = { kind = \"derived\", value = \"1 // (n - 1023)\" }", 51, 1,
     "task.toml:7:36: division by zero"},
    {"strides_count", "shape = [\"n\"]\nfill", "shape = [\"n\"]\nstrides = [1, 1]\nfill", 18, 11,
     "2 entries for 1 dimensions"},
    {"fill_key", "mean = 0.0", "meen = 0.0", 18, 27, "did you mean 'mean'"},
    {"fill_kind", "kind = \"normal\"", "kind = \"gauss\"", 18, 17, "which is unknown"},
    {"fill_negative_std", "std = 1.0", "std = -1.0", 18, 45, "is -1, expected a number of at least 0"},
    {"fill_on_output", "role = \"out\"", "fill = { kind = \"normal\" }\nrole = \"out\"", 22, 8, "has no meaning here"},
    {"compare_on_input", "role = \"in\"", "compare = { rule = \"exact\" }\nrole = \"in\"", 15, 11,
     "only outputs are compared"},
    {"compare_rule", "role = \"out\"", "compare = { rule = \"close\" }\nrole = \"out\"", 22, 20,
     "one of: bound, allclose"},
    {"compare_atol_missing", "role = \"out\"", "compare = { rule = \"allclose\", rtol = 1e-3 }\nrole = \"out\"", 22, 11,
     "has no 'atol'"},
    {"compare_atol_useless", "role = \"out\"", "compare = { atol = 1e-3 }\nrole = \"out\"", 22, 20,
     "has no meaning here"},
    {"align_odd", "role = \"out\"", "align = 48\nrole = \"out\"", 22, 9, "no power of two"},
    {"constant_output", "role = \"out\"", "constant_across_calls = true\nrole = \"out\"", 22, 25,
     "only an input can be constant"},
    {"size_without_value", "value = \"n\"\n", "", 26, 1, "has no 'value'"},
    {"size_float", "dtype = \"i32\"", "dtype = \"f32\"", 29, 9, "must be an integer type"},
    {"size_too_big", "value = \"n\"", "value = \"n * 1000000\"", 55, 1, "cannot be bound"},
    {"language", "language = \"cpp\"", "language = \"c\"", 33, 12, "which is unknown"},
    {"source_missing", "sources = [\"kernel.cpp\"]", "sources = [\"kernel.cc\"]", 34, 11, "does not exist"},
    {"source_absolute", "sources = [\"kernel.cpp\"]", "sources = [\"/etc/passwd\"]", 34, 11, "is absolute"},
    {"source_leaves", "sources = [\"kernel.cpp\"]", "sources = [\"../kernel.cpp\"]", 34, 11, "leaves the folder"},
    {"source_form", "sources = [\"kernel.cpp\"]", "sources = [\"./kernel.cpp\"]", 34, 11, "shortest form"},
    {"source_twice", "sources = [\"kernel.cpp\"]", "sources = [\"kernel.cpp\", \"kernel.cpp\"]", 34, 11, "twice"},
    {"source_empty", "sources = [\"kernel.cpp\"]", "sources = []", 34, 11, "is empty"},
    {"entry_form", "entry = \"scale\"", "entry = \"ns::scale\"", 35, 9, "no function name"},
    {"editable_oracle", "call = \"host", "editable = [\"kernel.cpp\", \"reference.cpp\"]\ncall = \"host", 46, 1,
     "both editable and part of the oracle"},
    {"editable_variant", "call = \"host", "editable = [\"task.toml\"]\ncall = \"host", 36, 12, "names task.toml"},
    {"flag_unknown", "call = \"host", "flags = [\"o3\"]\ncall = \"host", 36, 9, "unknown compile option 'o3'"},
    {"flag_group", "call = \"host", "flags = [\"O2\", \"O3\"]\ncall = \"host", 36, 9, "of the group 'optimisation'"},
    {"flag_text", "call = \"host", "flags = [\"-fplugin=x\"]\ncall = \"host", 36, 9, "unknown compile option"},
    {"include_form", "call = \"host", "include = [\"../etc\"]\ncall = \"host", 36, 11, "names '../etc'"},
    {"include_case", "call = \"host", "include = [\"Cutlass\"]\ncall = \"host", 36, 11, "names 'Cutlass'"},
    {"include_twice", "call = \"host", "include = [\"a\", \"a\"]\ncall = \"host", 36, 11, "names 'a' twice"},
    {"launch_useless", "[tune]", "[launch]\ngrid = [1]\nblock = [1]\n[tune]", 38, 1, "nothing is launched"},
    {"tune_key", "constraints =", "constraint =", 39, 1, "did you mean 'constraints'"},
    {"constraint_name", "BLOCK * ITEMS <= 1024", "BLOCK * n <= 1024", 39, 25, "unknown name 'n'"},
    {"constraint_type", "BLOCK * ITEMS <= 1024", "BLOCK * 's' > 0", 39, 23, "'*' takes numbers"},
    {"constraint_value", "BLOCK * ITEMS <= 1024", "BLOCK + 1", 39, 17, "'BLOCK + 1' is no condition"},
    {"constraint_half", "BLOCK * ITEMS <= 1024", "BLOCK and ITEMS > 0", 39, 17, "is no condition"},
    {"constraint_nameless", "BLOCK * ITEMS <= 1024", "1 < 2", 39, 17, "names no parameter"},
    {"constraint_default", "BLOCK * ITEMS <= 1024", "BLOCK < 128", 39, 17, "defaults break the constraint"},
    {"parameter_keyword", "ITEMS = {", "int = { values = [1], default = 1 }\nITEMS = {", 43, 1, "named like a word"},
    {"parameter_std", "ITEMS = {", "std = { values = [1], default = 1 }\nITEMS = {", 43, 1, "named like a word"},
    {"parameter_reserved", "ITEMS = {", "__x = { values = [1], default = 1 }\nITEMS = {", 43, 1, "named like a word"},
    {"parameter_argument", "ITEMS = {", "x = { values = [1], default = 1 }\nITEMS = {", 43, 1,
     "the kernel or one of its arguments"},
    {"parameter_entry", "ITEMS = {", "scale = { values = [1], default = 1 }\nITEMS = {", 43, 1,
     "the kernel or one of its arguments"},
    {"parameter_nan", "[64, 128, 256]", "[64, 128, nan]", 42, 30, "no usable value"},
    {"parameter_tokens", "[64, 128, 256]", "[64, 128, \"a-b\"]", 42, 30, "no usable value"},
    {"parameter_sign", "[64, 128, 256]", "[64, 128, \"-\"]", 42, 30, "no usable value"},
    {"parameter_no_value", "[64, 128, 256]", "\"range(1, 1)\"", 42, 20, "is no list of 1 to 4096 values"},
    {"parameter_zero_division", "[64, 128, 256]", "\"[1 // 0]\"", 42, 24, "division by zero"},
    {"argument_keyword", "name = \"y\"", "name = \"int\"", 20, 1, "keyword of C++"},
    {"entry_keyword", "entry = \"scale\"", "entry = \"delete\"", 35, 9, "a keyword of C++"},
    {"oracle_entry_keyword", "entry = \"scale_reference\"", "entry = \"int\"", 48, 9, "a keyword of C++"},
    {"entry_empty", "entry = \"scale\"", "entry = \"\"", 35, 9, "no function name"},
    {"scalar_axis", "role = \"size\"\ndtype = \"i32\"\nvalue = \"n\"\n", "role = \"scalar\"\ndtype = \"i32\"\n", 26, 1,
     "the name of an axis that the cases bind"},
    {"terms_none", "role = \"out\"", "compare = { terms = 0 }\nrole = \"out\"", 22, 21, "is 0"},
    {"terms_worked_out", "role = \"out\"", "compare = { terms = \"2 - 2\" }\nrole = \"out\"", 22, 21, "is 0"},
    {"terms_absurd", "role = \"out\"", "compare = { terms = 9223372036854775807 }\nrole = \"out\"", 22, 21,
     "1 to 1099511627776 (2**40)"},
    {"terms_absurd_bound", "role = \"out\"", "compare = { terms = \"2**41 + 0 * n\" }\nrole = \"out\"", 51, 1,
     "task.toml:22:22: argument 'y' has"},
    {"formula_zero", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"1 // (i - 7)\" }", 18, 41,
     "division by zero in '1 // (i - 7)', for element 7 of argument 'x' in case 'odd'"},
    {"formula_last", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"1 // (n - 1 - i)\" }", 18, 41, "for element 1022 of argument"},
    {"formula_between", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"1 // (i - 500)\" }", 18, 41, "for element 500 of argument"},
    {"formula_dear", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"len(range(0, 100000))\" }", 18, 43, "takes more than 1000 steps"},
    {"formula_dear_in_all", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"len(range(0, 900))\" }\nstrides = [300]", 18, 39,
     "takes 904 steps for each"},
    {"formula_text", "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
     "fill = { kind = \"formula\", formula = \"[i]\" }", 18, 39, "not a number"},
    {"parameter_axis", "ITEMS = {", "n = { values = [1], default = 1 }\nITEMS = {", 43, 1, "name of an axis"},
    {"parameter_default", "default = 128", "default = 100", 42, 46, "none of its values"},
    {"parameter_no_default", ", default = 128", "", 42, 9, "has no 'default'"},
    {"parameter_value", "[64, 128, 256]", "[64, 128, \"a b\"]", 42, 30, "no usable value"},
    {"parameter_twice", "[64, 128, 256]", "[64, 128, 64]", 42, 30, "twice"},
    {"parameter_tier", "tier = 2", "tier = 6", 43, 51, "expected an integer from 1 to 5"},
    {"parameter_type", "ITEMS = { values = [1, 2, 8], default = 1, tier = 2 }", "ITEMS = 3", 43, 9, "must be a table"},
    {"oracle_missing", "[oracle]\nkind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"\n",
     "", 1, 1, "has no 'oracle'"},
    {"oracle_kind", "kind = \"c_function\"", "kind = \"cfunction\"", 46, 8, "did you mean 'c_function'"},
    {"oracle_baseline", "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
     "kind = \"baseline\"", 20, 1, "argument 'y' needs a compare rule"},
    {"oracle_baseline_sources", "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
     "kind = \"baseline\"\nsources = [\"reference.cpp\"]", 47, 11, "no meaning"},
    {"oracle_golden", "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
     "kind = \"golden\"", 45, 1, "has no 'golden'"},
    {"case_id_twice", "id = \"large\"", "id = \"odd\"", 56, 6, "another case has already"},
    {"case_id_form", "id = \"large\"", "id = \"../large\"", 56, 6, "no usable id"},
    {"case_use", "use = [\"verify\", \"time\"]", "use = [\"verify\", \"tyme\"]", 57, 18, "did you mean 'time'"},
    {"case_untimed", "use = [\"verify\", \"time\"]", "use = [\"verify\"]", 50, 1, "no case has the use \"time\""},
    {"case_bind_missing", "n = 1023, a = -0.5", "n = 1023", 53, 8, "has no 'a'"},
    {"case_bind_extra", "n = 1023, a = -0.5", "n = 1023, a = -0.5, m = 1", 53, 30, "has no key 'm'"},
    {"case_bind_type", "n = 1023", "n = 1023.5", 53, 14, "must be an integer"},
    {"case_bind_range", "n = 1023", "n = 0", 53, 14, "is 0, expected an integer from 1 to"},
    {"case_bind_inf", "a = -0.5", "a = inf", 53, 24, "is inf, expected a number from"},
    {"case_bind_f32", "a = -0.5", "a = 1e39", 53, 24, "is 1e+39, expected a number from -3.4"},
    {"case_weight", "id = \"large\"", "weight = 0\nid = \"large\"", 56, 10,
     "is 0, expected a positive number up to 1e+09"},
    {"target_zero", "[oracle]", "[target]\nvalue = 0\n[oracle]", 46, 9, "is 0, expected a positive number"},
    {"case_hidden", "id = \"large\"", "visibility = \"hidden\"\nid = \"large\"", 56, 14, "'visibility'"},
    {"limits_key", "[oracle]", "[limits]\nbuild_second = 3\n[oracle]", 46, 1, "did you mean 'build_seconds'"},
    {"limits_range", "[oracle]", "[limits]\nthreads = 0\n[oracle]", 46, 11, "is 0, expected an integer from 1 to 4096"},
    {"limits_bytes", "[oracle]", "[limits]\ndevice_bytes = 10000\n[oracle]", 57, 1, "cannot be bound"},
    {"policy_accumulate", "[oracle]", "[policy]\naccumulate = \"i32\"\n[oracle]", 46, 14, "floating type"},
    {"target_percent", "[oracle]", "[target]\nmetric = \"pct_of_peak\"\nvalue = 120\n[oracle]", 47, 9,
     "is 120, expected a positive number up to 100"},
    {"hidden_digest", "[oracle]", "[hidden]\nsha256 = \"abc\"\n[oracle]", 46, 10, "64 lower-case hex digits"},
    {"work_name", "[oracle]", "[work]\nflops = \"2 * BLOCK\"\n[oracle]", 46, 14, "unknown name 'BLOCK'"},
    {"work_negative", "[oracle]", "[work]\nflops = \"n - 2000\"\n[oracle]", 52, 1, "cannot be bound"},
    {"work_dtype", "[oracle]", "[work]\nflops = { f31 = \"n\" }\n[oracle]", 46, 11, "did you mean 'f"},
    {"overflow", "shape = [\"n\"]\nfill", "shape = [\"n\", 10_000_000_000, 10_000_000_000]\nfill", 50, 1,
     "cannot be bound"},
};

INSTANTIATE_TEST_SUITE_P(Table, Broken, testing::ValuesIn(k_broken), [](const auto& row) { return row.param.name; });

TEST(ReadTask, ASymbolicLinkIsNoSource) {
  const TaskFolder folder(scale_files());
  fs::rename(folder.path() / "kernel.cpp", folder.path() / "real.cpp");
  fs::create_symlink("real.cpp", folder.path() / "kernel.cpp");
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("goes through the symbolic link 'kernel.cpp'"));
}

TEST(ReadTask, ASymbolicLinkInAParentIsFoundToo) {
  const TaskFolder folder(scale_files());
  folder.write("real/kernel.cpp", "int x;\n");
  fs::create_directory_symlink("real", folder.path() / "linked");
  folder.write("task.toml", replaced(std::string(k_scale_toml), "\"kernel.cpp\"", "\"linked/kernel.cpp\""));
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("goes through the symbolic link 'linked'"));
  folder.write("task.toml", replaced(std::string(k_scale_toml), "\"kernel.cpp\"", "\"real/kernel.cpp\""));
  EXPECT_TRUE(folder.read().task);
}

TEST(ReadTask, AFolderIsNoSource) {
  const TaskFolder folder(scale_files());
  fs::remove(folder.path() / "kernel.cpp");
  fs::create_directory(folder.path() / "kernel.cpp");
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("not a regular file"));
}

TEST(ReadTask, EveryQuestionMarkIsAnOpenQuestion) {
  const TaskFolder folder(scale_files());
  std::string text = replaced(std::string(k_scale_toml), "summary = \"y = a * x\"", "summary = \"?\"");
  text = replaced(text, "role = \"out\"", "role = \"?\"");
  text = replaced(text, "n = 1023", "n = \"?\"");
  text = replaced(text, "shape = [\"n\"]\nfill", "shape = [\"?\"]\nfill");
  folder.write("task.toml", text);
  const ReadTask read = folder.read();
  EXPECT_FALSE(read.task);
  EXPECT_THAT(read.diagnostics.errors, IsEmpty()) << texts(read.diagnostics.errors);
  std::vector<std::string> places;
  for (const Error& question : read.diagnostics.open_questions)
    places.push_back(std::to_string(question.where.line) + ":" + std::to_string(question.where.column));
  EXPECT_THAT(places, ElementsAre("3:11", "17:10", "22:8", "53:14"));
  EXPECT_THAT(texts(read.diagnostics.open_questions), HasSubstr("\"inout\" when it reads it first"));
}

TEST(ReadTask, WarnsOfAReductionWithoutTerms) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", replaced(std::string(k_scale_toml), "shape = [\"n\"]\nfill", "shape = [\"n\", 7]\nfill"));
  EXPECT_THAT(folder.read().diagnostics.warnings, IsEmpty());
  const std::string reduced = replaced(std::string(k_scale_toml), "role = \"out\"\ndtype = \"f32\"\nshape = [\"n\"]",
                                       "role = \"out\"\ndtype = \"f32\"\nshape = [1]");
  folder.write("task.toml", reduced);
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task);
  EXPECT_THAT(texts(read.diagnostics.warnings), HasSubstr("seems to be reduced over 'n'"));
  folder.write("task.toml", replaced(reduced, "shape = [1]", "shape = [1]\ncompare = { terms = \"n\" }"));
  EXPECT_THAT(folder.read().diagnostics.warnings, IsEmpty());
}

TEST(ReadTask, WarnsWhereNoInputEverChanges) {
  const std::string normal = "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }";
  for (const char* fill :
       {"fill = { kind = \"constant\", value = 1.0 }", "fill = { kind = \"formula\", formula = \"i\" }"}) {
    const TaskFolder folder(scale_files());
    folder.write("task.toml", replaced(std::string(k_scale_toml), normal, fill));
    EXPECT_THAT(texts(folder.read().diagnostics.warnings), HasSubstr("no input ever changes")) << fill;
  }
}

TEST(ReadTask, WarnsThatConstantContentsAreNoneYet) {
  const TaskFolder folder(scale_files());
  for (const std::string value : {"true", "false"}) {
    folder.write("task.toml",
                 replaced(std::string(k_scale_toml), "fill =", "constant_across_calls = " + value + "\nfill ="));
    const ReadTask read = folder.read();
    ASSERT_TRUE(read.task) << all_texts(read);
    EXPECT_EQ(read.diagnostics.warnings.size(), value == "true" ? 1u : 0u) << texts(read.diagnostics.warnings);
    if (value == "false") continue;
    const Error& warning = read.diagnostics.warnings[0];
    EXPECT_EQ(warning.what, "'constant_across_calls' of argument 'x' has no effect");
    EXPECT_THAT(warning.why, HasSubstr("contents are new in every call"));
    EXPECT_EQ(warning.where.line, 13u);
    EXPECT_EQ(warning.where.column, 1u);
  }
}

TEST(ReadTask, ABaselineOracleWarnsThatItsBugsAreTheSpecification) {
  const TaskFolder folder(scale_files());
  std::string text = replaced(std::string(k_scale_toml),
                              "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
                              "kind = \"baseline\"");
  text =
      replaced(text, "role = \"out\"",
               "compare = { rule = \"allclose\", atol = 1e-6, rtol = 1e-5, relative_to = \"output\" }\nrole = \"out\"");
  folder.write("task.toml", text);
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  EXPECT_THAT(texts(read.diagnostics.warnings), HasSubstr("its bugs become the specification"));
  EXPECT_EQ(read.task->find_argument("y")->compare.relative_to, RelativeTo::output);
}

TEST(ReadTask, ReadsTheOptionalSections) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", std::string(k_scale_toml) + R"(weight = 2
[work]
kind = "scale"
bound = "memory"
flops = { f32 = "n", f64 = 3 }
bytes_read = "4 * n"
bytes_written = "4 * n"
[limits]
build_seconds = 1.5
sanitizer_seconds = 0
threads = 4
device_bytes = 2_000_000_000
[policy]
cache = "warm"
accumulate = "f64"
library_calls = true
[target]
objective = "total_time"
metric = "gbps"
value = 12.5
[hidden]
sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
[[baselines]]
name = "vendor"
kind = "library"
entry = "vendor_scale"
)");
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  const Task& task = *read.task;
  EXPECT_EQ(task.cases[1].weight, 2.0);
  EXPECT_EQ(task.work.bound, Bound::memory);
  EXPECT_EQ(task.work.flops.at(DType::f64).canonical(), "3");
  EXPECT_EQ(task.limits.threads, 4);
  EXPECT_EQ(task.limits.sanitizer_seconds, 0.0);
  EXPECT_EQ(task.limits.device_bytes, 2'000'000'000u);
  EXPECT_EQ(task.policy.cache, CacheState::warm);
  EXPECT_EQ(task.policy.accumulate, DType::f64);
  EXPECT_EQ(task.target.value, 12.5);
  EXPECT_EQ(task.hidden_commitment->bytes[1], 0x23);
  EXPECT_EQ(task.baselines.at(0).kind, BaselineKind::library);
}

TEST(ReadTask, PlainFlopsCountAsTheOutputsType) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", std::string(k_scale_toml) + "[work]\nflops = \"2 * n\"\n");
  EXPECT_EQ(folder.read().task->work.flops.begin()->first, DType::f32);
}

TEST(ReadTask, ValuesMayBeWorkedOut) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", replaced(std::string(k_scale_toml), "[1, 2, 8]", "\"range(1, 9, 3)\""));
  EXPECT_THAT(folder.read().task->parameters[1].values, ElementsAre("1", "4", "7"));
}

// ---- golden files
// -----------------------------------------------------------------------------------------------------

std::map<std::string, std::string> golden_task() {
  auto files = scale_files();
  std::string text =
      replaced(files["task.toml"], "kind = \"c_function\"\nsources = [\"reference.cpp\"]\nentry = \"scale_reference\"",
               "kind = \"golden\"\ngolden = \"truth\"");
  text =
      replaced(text, "role = \"out\"", "compare = { rule = \"allclose\", atol = 1e-6, rtol = 1e-5 }\nrole = \"out\"");
  files["task.toml"] =
      replaced(replaced(text, "use = [\"verify\", \"time\"]", "use = [\"time\"]"), "n = 1023", "n = 3");
  files["truth/odd/x.bin"] = std::string(12, '\0');
  files["truth/odd/y.bin"] = std::string(12, '\1');
  return files;
}

TEST(GoldenOracle, FilesBelongToTheDigest) {
  const TaskFolder folder(golden_task());
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  folder.write("truth/odd/y.bin", std::string(12, '\2'));
  EXPECT_NE(folder.read().task->digest, read.task->digest);
}

TEST(GoldenOracle, SizesAreChecked) {
  const TaskFolder folder(golden_task());
  folder.write("truth/odd/x.bin", std::string(8, '\0'));
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("'truth/odd/x.bin' has 8 bytes, argument 'x' of case 'odd' has 12"));
  fs::remove(folder.path() / "truth/odd/x.bin");
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("'truth/odd/x.bin' does not exist"));
}

TEST(GoldenOracle, AnInoutArgumentHasTwoFiles) {
  auto files = golden_task();
  files["task.toml"] = replaced(files["task.toml"], "role = \"out\"", "role = \"inout\"");
  const TaskFolder folder(files);
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("'truth/odd/y.expected.bin' does not exist"));
  folder.write("truth/odd/y.expected.bin", std::string(12, '\1'));
  EXPECT_TRUE(folder.read().task);
}

TEST(FileFill, SizesAreChecked) {
  auto files = scale_files();
  files["task.toml"] = replaced(files["task.toml"], "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }",
                                "fill = { kind = \"file\", file = \"x.bin\" }");
  files["task.toml"] = replaced(files["task.toml"], "n = 1_000_000", "n = 1023");
  files["x.bin"] = std::string(4 * 1023, '\0');
  const TaskFolder folder(files);
  EXPECT_TRUE(folder.read().task) << all_texts(folder.read());
  folder.write("x.bin", "short");
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("has 5 bytes"));
}

// ---- other languages are read, not run
// --------------------------------------------------------------------------------

constexpr std::string_view k_axpy_cuda = R"toml(schema = "task/1"
name = "axpy"
[axes]
n = { kind = "case" }
[[args]]
name = "x"
role = "in"
dtype = "f32"
shape = ["n"]
[[args]]
name = "y"
role = "inout"
dtype = "f32"
shape = ["n"]
compare = { rule = "allclose", atol = 1e-6, rtol = 1e-5 }
[kernel]
language = "cuda"
sources = ["kernel.cu"]
entry = "axpy"
flags = ["use_fast_math"]
alternatives = ["opencl"]
[launch]
block = ["BLOCK", 1, 1]
grid = ["ceildiv(n, BLOCK)", 1, 1]
dynamic_shared_bytes = 0
cooperative = false
args = ["x", "y"]
[tune.parameters]
BLOCK = { values = [64, 128], default = 64 }
[oracle]
kind = "baseline"
[[cases]]
id = "one"
use = ["verify", "time"]
bind = { n = 1 }
)toml";

TEST(ReadTask, ReadsACudaTask) {
  const TaskFolder folder({{"task.toml", std::string(k_axpy_cuda)}, {"kernel.cu", ""}});
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  ASSERT_EQ(read.task->launches.size(), 1u);
  EXPECT_EQ(read.task->launches[0].grid[0].canonical(), "ceildiv(n, BLOCK)");
  EXPECT_THAT(read.task->launches[0].arguments, ElementsAre("x", "y"));
  EXPECT_TRUE(supported_here(*read.task));
}

TEST(ReadTask, ReadsAHipTask) {
  const std::string text = replaced(std::string(k_axpy_cuda), "\"cuda\"", "\"hip\"");
  const TaskFolder folder({{"task.toml", text}, {"kernel.cu", ""}});
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  EXPECT_EQ(read.task->kernel.call, Call::launch);
  EXPECT_TRUE(supported_here(*read.task));
  Task task = *read.task;
  task.arguments.back().role = Role::symbol;
  EXPECT_THAT(supported_here(task).error().what, HasSubstr("no HIP symbol backend yet (roles of arguments"));
}

TEST(ReadTask, ALaunchedKernelNeedsItsLaunch) {
  const std::string text(k_axpy_cuda);
  const TaskFolder folder(
      {{"task.toml", replaced(text, "[launch]\n",
                              "[[launch]]\nentry = \"first\"\ngrid = [1]\nblock = [1]\nargs = [\"x\"]\n[[launch]]\n")},
       {"kernel.cu", ""}});
  ASSERT_TRUE(folder.read().task) << all_texts(folder.read());
  EXPECT_EQ(folder.read().task->launches[0].entry, "first");
  const size_t start = text.find("[launch]"), end = text.find("[tune");
  folder.write("task.toml", text.substr(0, start) + text.substr(end));
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("has no 'launch'"));
  folder.write("task.toml", replaced(text, "grid = [\"ceildiv(n, BLOCK)\", 1, 1]", "grid = [1, 1, 1, 1]"));
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("4 dimensions"));
  folder.write("task.toml", replaced(text, "args = [\"x\", \"y\"]", "args = [\"x\", \"z\"]"));
  EXPECT_THAT(all_texts(folder.read()), HasSubstr("unknown argument 'z'"));
}

TEST(ReadTask, ReadsAnOpenClTaskWithLocalMemoryAndAPythonOracle) {
  std::string text = replaced(std::string(k_axpy_cuda), "\"cuda\"", "\"opencl\"");
  text = replaced(text, "flags = [\"use_fast_math\"]\nalternatives = [\"opencl\"]\n", "");
  text = replaced(text, "args = [\"x\", \"y\"]\n", "");
  text = replaced(text, "dynamic_shared_bytes = 0\ncooperative = false\n", "");
  text = replaced(text, "[kernel]", "[[args]]\nname = \"scratch\"\nrole = \"local\"\nbytes = \"4 * BLOCK\"\n[kernel]");
  text = replaced(text, "kind = \"baseline\"",
                  "kind = \"python\"\nsources = [\"reference.py\"]\nentry = \"axpy\"\nneeds = [\"numpy\"]");
  const TaskFolder folder({{"task.toml", text}, {"kernel.cu", ""}, {"reference.py", ""}});
  const ReadTask read = folder.read();
  ASSERT_TRUE(read.task) << all_texts(read);
  EXPECT_EQ(bind_case(*read.task, read.task->cases[0])->arguments[2].bytes, 256u);
}

TEST(SupportedHere, NamesThePartThatIsMissing) {
  const TaskFolder folder(scale_files());
  Task task = *folder.read().task;
  task.oracle.kind = OracleKind::python;
  EXPECT_THAT(supported_here(task).error().what, HasSubstr("no python backend yet (oracle"));
  task.kernel.call = Call::destination;
  EXPECT_THAT(supported_here(task).error().what, HasSubstr("no destination backend yet (call"));
}

// ---- the shipped examples
// ---------------------------------------------------------------------------------------------

TEST(Examples, AreReadWithoutAWord) {
  int read_ones = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HONE_SOURCE_DIR) / "examples")) {
    if (!path_exists(entry.path() / "task.toml")) continue;
    const ReadTask read = read_task(entry.path());
    EXPECT_TRUE(read.task) << all_texts(read);
    EXPECT_THAT(read.diagnostics.warnings, IsEmpty()) << texts(read.diagnostics.warnings);
    ++read_ones;
  }
  EXPECT_GT(read_ones, 10);
}

// ---- any bytes
// --------------------------------------------------------------------------------------------------------

TEST(ReadTask, RandomEditsNeverCrash) {
  const TaskFolder folder(scale_files());
  rc::check([&folder] {
    std::string text(k_scale_toml);
    const int edits = *rc::gen::inRange(1, 6);
    for (int k = 0; k < edits; ++k) {
      const auto at = static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
      const char byte =
          *rc::gen::element('"', '[', ']', '{', '}', '=', '\n', '?', '9', '-', '\0', '\x80', ' ', 'e', '.', '#', '\\');
      switch (*rc::gen::inRange(0, 3)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 3);
          break;
      }
    }
    folder.write("task.toml", text);
    const ReadTask read = folder.read();
    RC_ASSERT(read.task.has_value() == (read.diagnostics.errors.empty() && read.diagnostics.open_questions.empty()));
  });
}

TEST(ReadTask, RefusesDeepNesting) {
  const TaskFolder folder(scale_files());
  folder.write("task.toml", "a = " + std::string(100'000, '['));
  EXPECT_FALSE(folder.read().task);
}

}  // namespace
}  // namespace hone::task
