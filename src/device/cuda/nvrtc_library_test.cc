#include "device/cuda/nvrtc_library.h"

#include <gmock/gmock.h>

#include "base/disk.h"
#include "device/cuda/testing/fake_nvrtc.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NvrtcLibrary, SaysItsVersionAndArchitectures) {
  const FakeLibrary fake(k_fake_nvrtc);
  const auto nvrtc = NvrtcLibrary::open({fake.path()});
  ASSERT_TRUE(nvrtc) << to_text(nvrtc.error());
  EXPECT_EQ(nvrtc->version_text().value_or(""), "12.2");
  EXPECT_THAT(nvrtc->architectures().value_or(std::vector<int>{}), ElementsAre(75, 90));
}

TEST(NvrtcLibrary, AStatusIsNamed) {
  const FakeLibrary fake(k_fake_nvrtc);
  const auto nvrtc = NvrtcLibrary::open({fake.path()});
  ASSERT_TRUE(nvrtc);
  const Status status = nvrtc->check(NvrtcStatus::compilation, "compile kernel.cu");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "NVRTC cannot compile kernel.cu: NVRTC_ERROR_COMPILATION (6)");
}

TEST(NvrtcLibrary, WithoutItSaysWhatToType) {
  const auto nvrtc = NvrtcLibrary::open({"libhone-no-nvrtc.so"});
  ASSERT_FALSE(nvrtc);
  EXPECT_THAT(nvrtc.error().help, HasSubstr("CUDA_HOME"));
}

TEST(NvrtcFiles, NewestFirstAndForEachTheLoaderBeforeFolders) {
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-nvrtc-");
  ASSERT_TRUE(folder);
  Disk disk;
  ASSERT_TRUE(write_file(disk, folder->path() / "libnvrtc.so.12", ""));
  const std::string there = (folder->path() / "libnvrtc.so.12").string();
  EXPECT_THAT(nvrtc_files({folder->path()}), ElementsAre("libnvrtc.so.13", "libnvrtc.so.12", there, "libnvrtc.so"));
  EXPECT_THAT(nvrtc_files({folder->path()}, 12), ElementsAre("libnvrtc.so.12", there))
      << "a file of any version may be too new for the driver";
}

}  // namespace
}  // namespace hone::device::cuda
