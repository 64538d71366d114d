#include "device/hip/hiprtc_library.h"

#include <gmock/gmock.h>

#include "device/hip/testing/fake_hiprtc.h"
#include "device/testing/fake_library.h"

namespace hone::device::hip {
namespace {

using ::testing::HasSubstr;

TEST(HiprtcLibrary, SaysItsVersion) {
  const FakeLibrary fake(k_fake_hiprtc);
  const auto hiprtc = HiprtcLibrary::open({fake.path()});
  ASSERT_TRUE(hiprtc) << to_text(hiprtc.error());
  EXPECT_EQ(hiprtc->version_text().value_or(""), "6.3");
}

TEST(HiprtcLibrary, AStatusIsNamed) {
  const FakeLibrary fake(k_fake_hiprtc);
  const auto hiprtc = HiprtcLibrary::open({fake.path()});
  ASSERT_TRUE(hiprtc);
  EXPECT_EQ(hiprtc->check(HiprtcStatus::compilation, "compile kernel.hip").error().what,
            "hiprtc cannot compile kernel.hip: HIPRTC_ERROR_COMPILATION (6)");
}

TEST(HiprtcLibrary, WithoutItSaysWhatToType) {
  const auto hiprtc = HiprtcLibrary::open({"libhone-no-hiprtc.so"});
  ASSERT_FALSE(hiprtc);
  EXPECT_THAT(hiprtc.error().help, HasSubstr("ROCm"));
}

}  // namespace
}  // namespace hone::device::hip
