#include "device/cuda/places.h"

#include <gmock/gmock.h>

#include "base/disk.h"

namespace hone::device::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Places : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryFolder::make(fs::temp_directory_path(), "hone-places-");
    ASSERT_TRUE(made);
    folder_.emplace(std::move(*made));
  }
  fs::path make(const fs::path& name) {
    Disk disk;
    EXPECT_TRUE(disk.make_directories(root() / name));
    return root() / name;
  }
  const fs::path& root() const { return folder_->path(); }

 private:
  std::optional<TemporaryFolder> folder_;
};

TEST_F(Places, AMachineWithoutCudaHasNone) {
  EXPECT_THAT(toolkit_folders({}, root()), IsEmpty());
  EXPECT_THAT(library_folders({{"CUDA_HOME", "/nowhere/at/all"}}, root()), IsEmpty());
  EXPECT_THAT(program_folders({}, root()), IsEmpty());
}

TEST_F(Places, TheEnvironmentGoesFirstThenTheDefaultThenNewerVersions) {
  const auto old = make("usr/local/cuda-11.8");
  const auto newer = make("usr/local/cuda-12.4");
  const auto chosen = make("usr/local/cuda");
  const auto mine = make("home/cuda");
  EXPECT_THAT(toolkit_folders({{"CUDA_HOME", mine.string()}, {"CUDA_PATH", newer.string()}}, root()),
              ElementsAre(mine, newer, chosen, old));
}

TEST_F(Places, LibrariesAndProgramsLieBelowAToolkit) {
  const auto lib = make("usr/local/cuda/lib64");
  const auto bin = make("usr/local/cuda/bin");
  EXPECT_THAT(library_folders({}, root()), ElementsAre(lib));
  const auto old = make("opt/nvidia/nsight-compute/2024.3.2");
  const auto newer = make("opt/nvidia/nsight-compute/2025.1.0");
  EXPECT_THAT(program_folders({}, root()), ElementsAre(bin, newer, old));
}

TEST_F(Places, PythonPackagesCarryLibrariesToo) {
  const auto wheel = make("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib");
  const auto system = make("usr/local/lib/python3.12/dist-packages/nvidia/cu13/lib");
  const auto user = make("me/.local/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib");
  const Variables variables{{"VIRTUAL_ENV", (root() / "venv").string()}, {"HOME", (root() / "me").string()}};
  EXPECT_THAT(library_folders(variables, root()), ElementsAre(wheel, user, system));
  EXPECT_THAT(program_folders(variables, root()), IsEmpty());
}

}  // namespace
}  // namespace hone::device::cuda
