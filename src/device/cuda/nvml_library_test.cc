#include "device/cuda/nvml_library.h"

#include <gmock/gmock.h>

#include "device/cuda/testing/fake_nvml.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using ::testing::HasSubstr;

static_assert(sizeof(NvmlProcess) == 24);

TEST(NvmlLibrary, SaysTheDriversVersion) {
  const FakeLibrary fake(k_fake_nvml);
  const auto nvml = NvmlLibrary::open({fake.path()});
  ASSERT_TRUE(nvml) << to_text(nvml.error());
  EXPECT_EQ(nvml->driver_version().value_or(""), "570.124.06");
}

TEST(NvmlLibrary, ListsOtherProcessesAlone) {
  const FakeLibrary fake(k_fake_nvml, {"BUSY=3"});
  const auto nvml = NvmlLibrary::open({fake.path()});
  ASSERT_TRUE(nvml);
  const auto processes = nvml->compute_processes(nullptr, 1001);
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 2u);
  EXPECT_EQ((*processes)[0].pid, 1000u);
  EXPECT_EQ((*processes)[1].pid, 1002u);
  EXPECT_EQ((*processes)[1].used_bytes, 1u << 20);
}

TEST(NvmlLibrary, TooManyProcessesAreAnErrorNotAShortList) {
  const FakeLibrary fake(k_fake_nvml, {"BUSY=5000"});
  const auto nvml = NvmlLibrary::open({fake.path()});
  ASSERT_TRUE(nvml);
  EXPECT_FALSE(nvml->compute_processes(nullptr, 1));
}

TEST(NvmlLibrary, ReasonsAreFoundUnderEitherName) {
  for (const auto& macros : {std::vector<std::string>{}, std::vector<std::string>{"ONLY_NEW_NAMES"}}) {
    const FakeLibrary fake(k_fake_nvml, macros);
    const auto nvml = NvmlLibrary::open({fake.path()});
    ASSERT_TRUE(nvml);
    EXPECT_NE(nvml->device_get_throttle_reasons, nullptr);
    EXPECT_EQ(nvml->device_set_gpu_locked_clocks, nullptr) << "optional";
  }
}

TEST(NvmlLibrary, AStatusIsNamed) {
  const FakeLibrary fake(k_fake_nvml);
  const auto nvml = NvmlLibrary::open({fake.path()});
  ASSERT_TRUE(nvml);
  const Status status = nvml->check(NvmlStatus::not_supported, "lock the clocks");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "cannot lock the clocks: Not Supported (3)");
}

TEST(NvmlLibrary, WithoutItSaysWhatToType) {
  const auto nvml = NvmlLibrary::open({"libhone-no-nvml.so.1"});
  ASSERT_FALSE(nvml);
  EXPECT_THAT(nvml.error().help, HasSubstr("libnvidia-ml1"));
}

}  // namespace
}  // namespace hone::device::cuda
