#include "device/hip/hip_library.h"

#include <gmock/gmock.h>

#include "device/hip/testing/fake_hip.h"
#include "device/testing/fake_library.h"

namespace hone::device::hip {
namespace {

using ::testing::HasSubstr;

TEST(HipLibrary, NewAndOldRunTimesOpen) {
  const FakeLibrary now(k_fake_hip);
  const auto hip = HipLibrary::open({now.path()});
  ASSERT_TRUE(hip) << to_text(hip.error());
  EXPECT_NE(hip->get_device_properties, nullptr);
  const FakeLibrary before(k_fake_hip, {"OLD"});
  const auto old = HipLibrary::open({before.path()});
  ASSERT_TRUE(old) << to_text(old.error());
  EXPECT_EQ(old->get_device_properties, nullptr);
}

TEST(HipLibrary, AStatusIsNamed) {
  const FakeLibrary fake(k_fake_hip);
  const auto hip = HipLibrary::open({fake.path()});
  ASSERT_TRUE(hip);
  EXPECT_EQ(hip->check(HipStatus::invalid_value, "count devices").error().what,
            "HIP cannot count devices: hipErrorInvalidValue (1): invalid argument");
}

TEST(HipLibrary, WithoutItSaysWhatToType) {
  const auto hip = HipLibrary::open({"libhone-no-hip.so"});
  ASSERT_FALSE(hip);
  EXPECT_THAT(hip.error().help, HasSubstr("ROCm"));
}

}  // namespace
}  // namespace hone::device::hip
