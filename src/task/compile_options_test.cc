#include "task/compile_options.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/disk.h"
#include "base/process.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Ids = std::vector<std::string>;

TEST(CompileOptions, RowsAreSound) {
  std::set<std::string_view> ids;
  for (const CompileOption& option : compile_options()) {
    EXPECT_TRUE(ids.insert(option.id).second) << option.id;
    EXPECT_GE(option.tier, 1);
    EXPECT_LE(option.tier, 5);
    EXPECT_FALSE(option.group.empty());
    EXPECT_FALSE(option.summary.empty());
    EXPECT_TRUE(std::ranges::any_of(EnumNames<Compiler>::table, [&](const auto& row) {
      return available(option, row.value);
    })) << option.id;
    EXPECT_EQ(find_compile_option(option.id), &option);
  }
  EXPECT_EQ(find_compile_option("Ofast"), nullptr);
}

TEST(CompileOptions, TheDefaultComesFirstUnlessItIsReplaced) {
  EXPECT_THAT(flags_for(Ids{}, Compiler::gcc), ElementsAre("-O2"));
  EXPECT_THAT(flags_for(Ids{"unroll-loops"}, Compiler::gcc), ElementsAre("-O2", "-funroll-loops"));
  EXPECT_THAT(flags_for(Ids{"unroll-loops", "O3"}, Compiler::gcc), ElementsAre("-funroll-loops", "-O3"));
  EXPECT_THAT(flags_for(Ids{"no-vectorize"}, Compiler::clang),
              ElementsAre("-O2", "-fno-vectorize", "-fno-slp-vectorize"));
}

TEST(CompileOptions, WhatACompilerLacksAddsNothing) {
  EXPECT_THAT(flags_for(Ids{"prefetch-loop-arrays"}, Compiler::clang), ElementsAre("-O2"));
}

TEST(CompileOptions, GroupsAndNamesAreChecked) {
  EXPECT_TRUE(check_compile_options(Ids{"O3", "march-native"}));
  EXPECT_TRUE(check_compile_options(Ids{}));
  EXPECT_THAT(check_compile_options(Ids{"march-native", "march-x86-64-v3"}).error().what, HasSubstr("group 'march'"));
  EXPECT_THAT(check_compile_options(Ids{"march-natve"}).error().what, HasSubstr("did you mean 'march-native'"));
}

// docs/variant.md shows the same rows, in the same order.
TEST(CompileOptions, TheManualHasEveryRow) {
  const auto code = [](std::string_view flags) {
    return flags == "-" ? std::string("-") : flags.empty() ? std::string("by itself") : fmt::format("`{}`", flags);
  };
  std::string table;
  for (const CompileOption& o : compile_options())
    table += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", o.id, o.group, o.tier,
                         name_of(o.caution), code(o.gcc), code(o.clang), code(o.cuda), code(o.opencl), code(o.hip),
                         o.summary);
  EXPECT_THAT(*read_file(fs::path(HONE_SOURCE_DIR) / "docs" / "variant.md"), HasSubstr(table));
}

// hiprtc is that compiler as a library.
constexpr const char* k_as_hip[] = {"-x",        "hip",       "--cuda-device-only",
                                    "-nogpulib", "-nogpuinc", "--offload-arch=gfx90a"};

class Accepts : public testing::TestWithParam<Compiler> {};

// Every row, one compiler run each, with warnings about unknown or unused flags as errors.
TEST_P(Accepts, EveryFlag) {
  const auto program = find_program(GetParam() == Compiler::gcc ? "g++" : "clang++");
  if (!program) GTEST_SKIP() << "not installed";
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-flags-");
  Disk disk;
  ASSERT_TRUE(write_file(disk, folder->path() / "a.cpp", "int f(const int* a) { return a[0]; }\n"));
  Processes processes;
  for (const CompileOption& option : compile_options()) {
    if (!available(option, GetParam())) continue;
    std::vector<std::string> argv = {program->string(), "-Werror", "-c", "-o", "/dev/null"};
    if (GetParam() == Compiler::hip) argv.insert(argv.end(), std::begin(k_as_hip), std::end(k_as_hip));
    argv.emplace_back("a.cpp");
    for (const std::string& flag : flags_for(Ids{std::string(option.id)}, GetParam())) argv.push_back(flag);
    const auto finished = processes.run({.argv = argv, .folder = folder->path()});
    ASSERT_TRUE(finished) << to_text(finished.error());
    EXPECT_TRUE(finished->succeeded()) << option.id << ": " << finished->errors;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Accepts, testing::Values(Compiler::gcc, Compiler::clang, Compiler::hip),
                         [](const auto& row) { return std::string(name_of(row.param)); });

// What a compiler does by itself takes no flag, and an empty argument is none.
TEST(CompileOptions, NoFlagIsEmpty) {
  for (const auto& row : EnumNames<Compiler>::table) {
    EXPECT_THAT(flags_for({}, row.value), testing::Not(testing::Contains(""))) << row.name;
    for (const CompileOption& option : compile_options())
      EXPECT_THAT(flags_for(std::vector<std::string>{std::string(option.id)}, row.value),
                  testing::Not(testing::Contains("")))
          << option.id;
  }
}

}  // namespace
}  // namespace hone::task
