// The CUDA kernels of tests/cheats, through the confined build as a judge asks for it, where this machine has a
// compiler of CUDA; no device is needed. Every file must be refused there exactly when its `expect` says COMPILE_ERROR.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "device/launcher/toolchain.h"
#include "task/candidate.h"
#include "task/launch.h"
#include "task/read.h"
#include "task/read_launch.h"

namespace hone::device::cuda {
namespace {

using testing::HasSubstr;

fs::path corpus() { return fs::path(HONE_SOURCE_DIR) / "tests/cheats"; }

// "cuda/cheats/allocates.cu"
std::vector<std::string> specimens() {
  std::vector<std::string> names;
  for (const fs::path folder : {"cuda/cheats", "cuda/honest", "linear/cheats", "linear/honest"}) {
    for (const fs::directory_entry& file : fs::directory_iterator(corpus() / folder))
      names.push_back(folder / file.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

// The values of a key in the file's opening comment, a line each.
std::string said_of(std::string_view key, const std::string& text) {
  std::string lines;
  for (const std::string& line : split_lines(text)) {
    const std::string front = "// " + std::string(key) + ": ";
    if (line.starts_with(front)) lines += line.substr(front.size()) + "\n";
  }
  return lines;
}

Result<task::Candidate> candidate_of(const task::Task& task, const std::string& text) {
  const std::string variant = "schema = \"variant/1\"\n" + said_of("variant", text);
  HONE_TRY(task::Variant chosen, task::read_variant(task, variant, "variant.toml"));
  return task::make_candidate({{"kernel.cu", false, text}}, std::move(chosen));
}

Result<CompileRequest> request_for(const task::Task& task, const std::string& text) {
  HONE_TRY(const task::Candidate candidate, candidate_of(task, text));
  CompileRequest request;
  request.files = candidate.files;
  request.sources = task.kernel.sources;
  request.entry = task.kernel.entry;
  request.options = task::option_ids(task, candidate.variant);
  HONE_TRY(const auto launches, task::launches_of(task, candidate.variant));
  for (const task::Launch& launch : launches)
    request.launches.push_back(
        {launch.entry.empty() ? task.kernel.entry : launch.entry, task::handed(task, task::handed_over(task, launch))});
  return request;
}

// Specimens share a task, a compiler and a cache.
class CudaCorpus : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    cache() = std::make_unique<TemporaryFolder>(*TemporaryFolder::make(fs::temp_directory_path(), "hone-corpus-"));
  }
  static void TearDownTestSuite() { cache().reset(); }
  static std::unique_ptr<TemporaryFolder>& cache() {
    static std::unique_ptr<TemporaryFolder> folder;
    return folder;
  }
  static Result<launcher::Toolchain> toolchain() {
    launcher::DeviceFacts facts;
    facts.arch = "sm_90";
    return launcher::find_toolchain("cuda", facts);
  }
};

TEST_P(CudaCorpus, IsRefusedByTheBuildWhereItSaysSoAndNowhereElse) {
  const auto compiler = toolchain();
  if (!compiler) GTEST_SKIP() << to_text(compiler.error());
  const auto text = read_file(corpus() / GetParam());
  ASSERT_TRUE(text) << to_text(text.error());
  const auto task = task::require_task((corpus() / GetParam()).parent_path().parent_path());
  ASSERT_TRUE(task) << to_text(task.error());
  const auto request = request_for(*task, *text);
  ASSERT_TRUE(request) << to_text(request.error());
  const auto built = launcher::compile(*compiler, cache()->path(), *request);
  ASSERT_TRUE(built) << to_text(built.error());
  const std::string expected = said_of("expect", *text);
  if (built->fault) {
    EXPECT_EQ(expected, fmt::format("COMPILE_ERROR ({})\n", name_of(*built->fault))) << built->explanation << "\n"
                                                                                     << built->messages;
  } else {
    EXPECT_THAT(expected, testing::Not(HasSubstr("COMPILE_ERROR")));
  }
}

std::string name_of_specimen(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).replace_extension();
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, CudaCorpus, testing::ValuesIn(specimens()), name_of_specimen);

}  // namespace
}  // namespace hone::device::cuda
