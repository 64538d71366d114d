// What the OpenCL driver asks of its library and makes of the answers, over a stand-in. How kernels run is tested with
// this machine's processor (device/launcher/launched_device_test.cc).
#include "device/opencl/opencl_driver.h"

#include <gmock/gmock.h>

#include "device/opencl/testing/fake_opencl.h"
#include "device/testing/fake_library.h"

namespace hone::device::opencl {
namespace {

using testing::ElementsAre;

task::LaunchLimits limits_with(const std::vector<std::string>& macros) {
  const FakeLibrary fake(k_fake_opencl, macros);
  const auto library = OpenclLibrary::open({fake.path()});
  EXPECT_TRUE(library) << to_text(library.error());
  const auto driver = open_driver(*library, "");
  EXPECT_TRUE(driver) << to_text(driver.error());
  return driver ? (*driver)->facts().limits : task::LaunchLimits{};
}

TEST(OpenclDriver, TellsWhatALaunchMayAskFor) {
  const task::LaunchLimits widest = task::widest_limits(task::Language::opencl);
  const task::LaunchLimits limits = limits_with({});
  EXPECT_EQ(limits.threads, 1024u);
  EXPECT_THAT(limits.block, ElementsAre(1024u, 512u, 256u));
  EXPECT_EQ(limits.grid, widest.grid) << "OpenCL names no limit";
  EXPECT_EQ(limits.cluster_blocks, 1u);
  EXPECT_EQ(limits.shared_bytes, 65536u);
}

TEST(OpenclDriver, WhereADeviceDoesNotSayTheWidestLimitsStay) {
  const task::LaunchLimits widest = task::widest_limits(task::Language::opencl);
  EXPECT_EQ(limits_with({"SILENT"}), widest);
  for (const char* dimensions : {"DIMENSIONS=2", "DIMENSIONS=4"})
    EXPECT_EQ(limits_with({dimensions}).block, widest.block) << dimensions;
}

}  // namespace
}  // namespace hone::device::opencl
