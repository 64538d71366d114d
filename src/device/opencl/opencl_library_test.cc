#include "device/opencl/opencl_library.h"

#include <gmock/gmock.h>

#include "device/opencl/testing/fake_opencl.h"
#include "device/testing/fake_library.h"

namespace hone::device::opencl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

static_assert(sizeof(BufferRegion) == 16);

TEST(OpenclLibrary, PlatformsAndDevicesAnswerInTextAndNumbers) {
  const FakeLibrary fake(k_fake_opencl);
  const auto opencl = OpenclLibrary::open({fake.path()});
  ASSERT_TRUE(opencl) << to_text(opencl.error());
  const auto platforms = opencl->platforms();
  ASSERT_TRUE(platforms && platforms->size() == 1);
  EXPECT_EQ(opencl->text(platforms->front(), PlatformInfo::name), "Fake Platform");
  const auto devices = opencl->devices(platforms->front());
  ASSERT_TRUE(devices && devices->size() == 1);
  EXPECT_EQ(opencl->text(devices->front(), DeviceInfo::name), "gfx942");
  EXPECT_EQ(opencl->value<uint32_t>(devices->front(), DeviceInfo::compute_units), 304u);
}

TEST(OpenclLibrary, WhatADriverDoesNotKnowIsAbsent) {
  const FakeLibrary fake(k_fake_opencl);
  const auto opencl = OpenclLibrary::open({fake.path()});
  ASSERT_TRUE(opencl);
  Device device = opencl->devices(opencl->platforms()->front())->front();
  EXPECT_FALSE(opencl->text(device, DeviceInfo::extensions));
  EXPECT_FALSE(opencl->value<uint32_t>(device, DeviceInfo::nvidia_warp_size));
  EXPECT_FALSE(opencl->value<uint32_t>(device, DeviceInfo::memory_bytes)) << "an answer of another size is none";
}

TEST(OpenclLibrary, NoPlatformAndNoDeviceOfAKindAreEmptyLists) {
  const FakeLibrary none(k_fake_opencl, {"NO_PLATFORM"});
  const auto empty = OpenclLibrary::open({none.path()});
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->platforms().value(), IsEmpty());
  const FakeLibrary gpu(k_fake_opencl);
  const auto opencl = OpenclLibrary::open({gpu.path()});
  ASSERT_TRUE(opencl);
  EXPECT_THAT(opencl->devices(opencl->platforms()->front(), k_device_cpu).value(), IsEmpty());
}

TEST(OpenclLibrary, AStatusIsNamed) {
  const OpenclLibrary opencl;
  EXPECT_TRUE(opencl.check(ClStatus::success, "wait"));
  EXPECT_EQ(opencl.check(ClStatus::build_program_failure, "build the program").error().what,
            "OpenCL cannot build the program: BUILD_PROGRAM_FAILURE (-11)");
  EXPECT_THAT(opencl.check(static_cast<ClStatus>(-777), "wait").error().what, HasSubstr("(-777)"));
}

TEST(OpenclLibrary, WithoutALoaderItSaysWhatToType) {
  const auto opencl = OpenclLibrary::open({"libhone-no-opencl.so.1"});
  ASSERT_FALSE(opencl);
  EXPECT_THAT(opencl.error().help, HasSubstr("apt-get install ocl-icd-libopencl1"));
}

}  // namespace
}  // namespace hone::device::opencl
