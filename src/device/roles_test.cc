// The main function of this room's tests: like hone's own, it first asks whether it was started in a role, because
// confined runners are this very executable.
#include "device/roles.h"

#include <gmock/gmock.h>

namespace hone::device {
namespace {

TEST(Roles, OnlyAnExactRoleIsOne) {
  char program[] = "hone";
  char word[] = "run";
  char* argv[] = {program, word, nullptr};
  EXPECT_FALSE(run_role(1, argv));
  EXPECT_FALSE(run_role(2, argv));
}

}  // namespace
}  // namespace hone::device

int main(int argc, char** argv) {
  if (const auto status = hone::device::run_role(argc, argv)) return *status;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
