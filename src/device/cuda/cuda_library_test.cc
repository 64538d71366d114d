#include "device/cuda/cuda_library.h"

#include <gmock/gmock.h>

#include <cstddef>

#include "device/cuda/testing/fake_cuda.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using ::testing::HasSubstr;

// The layouts that libcuda expects, in bytes.
static_assert(sizeof(LaunchAttribute) == 72 && offsetof(LaunchAttribute, value) == 8);
static_assert(sizeof(LaunchConfig) == 56 && offsetof(LaunchConfig, stream) == 32);
static_assert(sizeof(AllocationProperties) == 32 && offsetof(AllocationProperties, flags) == 24);
static_assert(sizeof(AccessDescription) == 12);
static_assert(sizeof(TensorMap) == 128 && alignof(TensorMap) == 128);

TEST(CudaLibrary, EveryNeededEntryIsFoundAndOptionalOnesMayBeMissing) {
  const FakeLibrary fake(k_fake_cuda);
  const auto cuda = CudaLibrary::open({fake.path()});
  ASSERT_TRUE(cuda) << to_text(cuda.error());
  EXPECT_EQ(cuda->path, fake.path());
  int32_t version = 0;
  EXPECT_EQ(cuda->driver_get_version(&version), CudaStatus::success);
  EXPECT_EQ(version, 12080);
  EXPECT_EQ(cuda->launch_kernel_ex, nullptr);
  EXPECT_EQ(cuda->func_get_param_info, nullptr);
}

TEST(CudaLibrary, AMissingEntryIsNamed) {
  const FakeLibrary fake(k_fake_cuda, {"LACKS_MEM_MAP"});
  const auto cuda = CudaLibrary::open({fake.path()});
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().code, ErrorCode::environment);
  EXPECT_THAT(cuda.error().what, HasSubstr("lacks cuMemMap"));
}

TEST(CudaLibrary, WithoutADriverItSaysWhatToType) {
  const auto cuda = CudaLibrary::open({"libhone-no-cuda.so.1"});
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().code, ErrorCode::environment);
  EXPECT_THAT(cuda.error().help, HasSubstr("apt-get install nvidia-driver"));
}

TEST(CudaLibrary, AStatusBecomesAnErrorWithTheDriversNameForIt) {
  const FakeLibrary fake(k_fake_cuda);
  const auto cuda = CudaLibrary::open({fake.path()});
  ASSERT_TRUE(cuda);
  EXPECT_TRUE(cuda->check(CudaStatus::success, "wait"));
  const Status none = cuda->check(CudaStatus::no_device, "start the driver");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::environment);
  EXPECT_EQ(none.error().what,
            "cannot start the driver: CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected");
  const Status failed = cuda->check(CudaStatus::launch_failed, "wait for the launch");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::io);
}

TEST(CudaLibrary, AStatusThatTheDriverDoesNotKnowKeepsItsNumber) {
  const FakeLibrary fake(k_fake_cuda);
  const auto cuda = CudaLibrary::open({fake.path()});
  ASSERT_TRUE(cuda);
  EXPECT_THAT(cuda->name_of(static_cast<CudaStatus>(4242)), HasSubstr("unknown (4242)"));
}

}  // namespace
}  // namespace hone::device::cuda
