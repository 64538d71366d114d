// [kernel] include, from the contract to the verdict: the real program, judge and compiler, with a library of our own.
#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/process.h"
#include "campaign/verdict.h"
#include "surface/cli/doctor_examine.h"
#include "task/task_folder_for_tests.h"

namespace hone::cli {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr std::string_view k_library =
    "#pragma once\n"
    "template <class T> void scaled(T a, const T* x, T* y, int n) { for (int i = 0; i < n; ++i) y[i] = a * x[i]; }\n";
constexpr std::string_view k_kernel =
    "#include <fast/scaled.h>\n"
    "extern \"C\" int scale(float a, const float* x, float* y, int n) { scaled(a, x, y, n); return 0; }\n";
constexpr std::string_view k_reference =
    "extern \"C\" void scale_reference(double a, const double* x, double* y, int n, double* m) {\n"
    "  for (int i = 0; i < n; ++i) { y[i] = a * x[i]; m[i] = y[i] < 0 ? -y[i] : y[i]; }\n"
    "}\n";

class Including : public ::testing::Test {
 protected:
  void SetUp() override {
    put("scale/task.toml", task::replaced(std::string(task::k_scale_toml), "entry = \"scale\"\n",
                                          "entry = \"scale\"\ninclude = [\"fast\"]\n"));
    put("scale/kernel.cpp", k_kernel);
    put("scale/reference.cpp", k_reference);
    put("library/fast/scaled.h", k_library);
    environment_["HONE_INCLUDE_FAST"] = (root_.path() / "library").string();
  }
  void put(const std::string& path, std::string_view text) const {
    Disk disk;
    fs::create_directories((root_.path() / path).parent_path());
    ASSERT_TRUE(write_file(disk, root_.path() / path, text));
  }
  Finished verify() {
    for (const char* folder : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
      environment_[folder] = (root_.path() / "home").string();
    Processes processes;
    hone::Command command{.argv = {HONE_BINARY, "verify", "--json"}, .folder = root_.path() / "scale"};
    command.environment = environment_;
    const auto done = processes.run(command);
    EXPECT_TRUE(done) << to_text(done.error());
    return done ? *done : Finished{};
  }
  void expect_refused(std::string_view words) {
    const Finished done = verify();
    EXPECT_EQ(done.exit_status, 2) << done.output << done.errors;
    EXPECT_THAT(done.output + done.errors, HasSubstr(words));
  }
  void name(const fs::path& folder) { environment_["HONE_INCLUDE_FAST"] = folder.string(); }

  TemporaryFolder root_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-including-");
  std::map<std::string, std::string> environment_;
};

TEST_F(Including, ABuildReadsTheRootAndTheVerdictNamesIt) {
  const Finished done = verify();
  ASSERT_EQ(done.exit_status, 0) << done.output << done.errors;
  const auto verdict = json::from_text<campaign::Verdict>(done.output);
  ASSERT_TRUE(verdict) << to_text(verdict.error());
  EXPECT_EQ(verdict->outcome, campaign::Outcome::correct);
  EXPECT_THAT(verdict->notes, Contains(HasSubstr("built with headers outside the task: fast ")));
  // What was built of other headers is not used again.
  put("library/fast/scaled.h", task::replaced(std::string(k_library), "a * x[i]", "a + x[i]"));
  EXPECT_EQ(verify().exit_status, 1);
}

TEST_F(Including, AnUnknownNameSaysWhatToSet) {
  environment_.erase("HONE_INCLUDE_FAST");
  expect_refused("HONE_INCLUDE_FAST=/path");
}

TEST_F(Including, WhatACandidateOrHoneMayChangeIsNoRoot) {
  put("scale/headers/fast/scaled.h", k_library);
  put("scale.hone/headers/fast/scaled.h", k_library);
  put("home/hone/headers/fast/scaled.h", k_library);
  for (const char* folder : {"scale/headers", "scale.hone/headers", "home/hone/headers", "scale", "."}) {
    name(root_.path() / folder);
    expect_refused("overlaps");
  }
}

TEST(DoctorHeaderRoots, AreListedWithWhatTheyHoldOrWhyTheyCannotServe) {
  const TemporaryFolder folder = *TemporaryFolder::make(fs::temp_directory_path(), "hone-including-");
  const fs::path good = folder.path() / "include";
  fs::create_directory(good);
  Disk disk;
  ASSERT_TRUE(write_file(disk, good / "a.h", "#define A\n"));
  setenv("HONE_INCLUDE_GOOD", good.c_str(), 1);
  setenv("HONE_INCLUDE_BAD", "nowhere", 1);
  DoctorDocument document;
  document.header_roots = examine_header_roots();
  unsetenv("HONE_INCLUDE_GOOD");
  unsetenv("HONE_INCLUDE_BAD");
  ASSERT_EQ(document.header_roots.size(), 2u);
  EXPECT_EQ(document.header_roots[0].name, "bad");
  EXPECT_THAT(document.header_roots[0].fault.value_or(""), HasSubstr("no absolute path"));
  EXPECT_EQ(document.header_roots[1].variable, "HONE_INCLUDE_GOOD");
  EXPECT_EQ(document.header_roots[1].files, 1u);
  EXPECT_EQ(document.header_roots[1].bytes, 10u);
  document.missing = lacks_of(document);
  const std::string text = to_text(document);
  EXPECT_THAT(text, HasSubstr("header roots\n  bad: cannot be used; see below\n  good: "));
  EXPECT_THAT(text, HasSubstr("HONE_INCLUDE_BAD (useful): "));
}

}  // namespace
}  // namespace hone::cli
