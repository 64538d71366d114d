#include "record/owner.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include "base/json.h"
#include "record/testing/child.h"

namespace hone::record {
namespace {

using testing::WaitingChild;

TEST(Owner, ThisProcessIsAlive) {
  EXPECT_EQ(this_process().pid, getpid());
  EXPECT_GT(this_process().start_ticks, 0u);
  EXPECT_TRUE(is_alive(this_process()));
}

TEST(Owner, APidUsedAgainIsSomebodyElse) {
  Owner earlier = this_process();
  --earlier.start_ticks;
  EXPECT_FALSE(is_alive(earlier));
}

TEST(Owner, DiesWithItsProcess) {
  WaitingChild child([] { return true; });
  const auto owner = owner_of(child.pid());
  ASSERT_TRUE(owner);
  EXPECT_TRUE(is_alive(*owner));
  child.end();
  EXPECT_FALSE(is_alive(*owner));
  EXPECT_FALSE(owner_of(owner->pid));
}

TEST(Owner, AZombieIsDead) {
  WaitingChild child([] { return true; });
  const auto owner = owner_of(child.pid());
  child.signal(SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(is_alive(*owner));
}

TEST(Owner, AStrangeProcessNameDoesNotConfuse) {
  WaitingChild child([] { return prctl(PR_SET_NAME, ") Z 1 (x) ") == 0; });
  ASSERT_TRUE(child.ready());
  const auto owner = owner_of(child.pid());
  ASSERT_TRUE(owner);
  EXPECT_GE(owner->start_ticks, this_process().start_ticks);
}

TEST(Owner, IsWrittenAndReadAsJson) {
  const Owner owner{12, 345};
  EXPECT_EQ(json::to_text(owner), R"({"pid":12,"start_ticks":345})");
  EXPECT_EQ(*json::from_text<Owner>(json::to_text(owner)), owner);
}

}  // namespace
}  // namespace hone::record
