#include "device/cuda/sanitizer.h"

#include <gmock/gmock.h>

#include "base/disk.h"

namespace hone::device::cuda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(Sanitizer, EveryOptionIsANameAndAValue) {
  for (const auto& tool : EnumNames<SanitizerTool>::table) {
    const std::vector<std::string> command = sanitizer_command("/opt/cuda/bin/compute-sanitizer", tool.value);
    ASSERT_EQ(command.size() % 2, 1u) << tool.name;
    EXPECT_EQ(command[0], "/opt/cuda/bin/compute-sanitizer");
    EXPECT_EQ(command[1], "--tool");
    EXPECT_EQ(command[2], tool.name);
    for (size_t i = 1; i < command.size(); i += 2) EXPECT_TRUE(command[i].starts_with("--")) << command[i];
  }
}

TEST(Sanitizer, AToolGetsNoOptionOfAnother) {
  EXPECT_THAT(sanitizer_command("x", SanitizerTool::memcheck), Not(Contains("--racecheck-report")));
  EXPECT_THAT(sanitizer_command("x", SanitizerTool::memcheck), Contains("--padding"));
  EXPECT_THAT(sanitizer_command("x", SanitizerTool::racecheck), Contains("--racecheck-report"));
  EXPECT_THAT(sanitizer_command("x", SanitizerTool::racecheck), Not(Contains("--report-api-errors")));
}

TEST(Sanitizer, IsFoundInTheToolkitThatTheEnvironmentNames) {
  const auto root = TemporaryFolder::make("/tmp", "hone-sanitizer-test-");
  ASSERT_TRUE(root);
  const fs::path program = root->path() / "toolkit/bin" / k_sanitizer;
  fs::create_directories(program.parent_path());
  Disk disk;
  ASSERT_TRUE(write_file(disk, program, "#!/bin/sh\n"));
  fs::permissions(program, fs::perms(0755));
  const Variables variables{{"CUDA_HOME", (root->path() / "toolkit").string()}};
  const auto found = find_sanitizer(variables, root->path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->filename(), k_sanitizer);
}

TEST(Sanitizer, ItsToolkitIsLentUnlessTheSystemHasIt) {
  EXPECT_THAT(sanitizer_mounts("/usr/local/cuda/bin/compute-sanitizer"), IsEmpty());
  const auto root = TemporaryFolder::make("/tmp", "hone-sanitizer-test-");
  ASSERT_TRUE(root);
  const fs::path real = root->path() / "compute-sanitizer/compute-sanitizer";
  const fs::path link = root->path() / "bin/compute-sanitizer";
  fs::create_directories(real.parent_path());
  fs::create_directories(link.parent_path());
  Disk disk;
  ASSERT_TRUE(write_file(disk, real, "#!/bin/sh\n"));
  fs::create_symlink(real, link);
  std::vector<fs::path> lent;
  for (const sandbox::Mount& mount : sanitizer_mounts(link)) {
    EXPECT_EQ(mount.access, sandbox::Access::read_only);
    lent.push_back(mount.path);
  }
  EXPECT_THAT(lent, ElementsAre(root->path(), real.parent_path()));
}

SanitizerFinding found(SanitizerTool tool, const std::string& kernel, const std::string& space) {
  SanitizerFinding finding;
  finding.tool = tool;
  finding.kernel = kernel;
  finding.space = space;
  return finding;
}

TEST(Sanitizer, FindingsInHonesOwnKernelsAreNotTheCandidates) {
  const std::vector<std::string> kernels{"scale"};
  EXPECT_TRUE(counts_against(found(SanitizerTool::memcheck, "scale(float *, int)", "global"), kernels));
  EXPECT_TRUE(counts_against(found(SanitizerTool::memcheck, "helper(int)", "global"), kernels));
  EXPECT_FALSE(counts_against(found(SanitizerTool::memcheck, "hone_stage", "global"), kernels));
  EXPECT_FALSE(counts_against(found(SanitizerTool::racecheck, "hone_scrub_shared", ""), kernels));
}

TEST(Sanitizer, ACandidatesKernelGainsNothingByAnOwnKernelsName) {
  const std::vector<std::string> kernels{"hone_stage"};
  EXPECT_TRUE(counts_against(found(SanitizerTool::memcheck, "hone_stage", "global"), kernels));
  EXPECT_TRUE(counts_against(found(SanitizerTool::memcheck, "hone_other", "global"), kernels));
}

TEST(Sanitizer, OfUnwrittenMemoryGlobalAloneCounts) {
  const std::vector<std::string> kernels{"scale"};
  EXPECT_TRUE(counts_against(found(SanitizerTool::initcheck, "scale", "global"), kernels));
  EXPECT_FALSE(counts_against(found(SanitizerTool::initcheck, "scale", "shared"), kernels));
  EXPECT_TRUE(counts_against(found(SanitizerTool::memcheck, "scale", "shared"), kernels));
}

}  // namespace
}  // namespace hone::device::cuda
