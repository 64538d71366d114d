#include "device/backends.h"

#include <gmock/gmock.h>

namespace hone::device {
namespace {

TEST(Backends, SayOnWhichKindsKernelsRun) {
  EXPECT_THAT(backend_kinds(), ::testing::Contains("cpu"));
  EXPECT_TRUE(has_backend("cpu"));
  EXPECT_FALSE(has_backend("abacus"));
  for (const BackendRow& row : backends()) {
    EXPECT_EQ(has_backend(row.folder), row.language.has_value()) << row.folder;
    EXPECT_EQ(row.run_time_compiler.empty(), row.describe_compiler == nullptr) << row.folder;
  }
}

}  // namespace
}  // namespace hone::device
