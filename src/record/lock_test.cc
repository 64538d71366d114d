#include "record/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/process.h"
#include "base/testing/faulty_disk.h"
#include "record/testing/child.h"

namespace hone::record {
namespace {

using testing::WaitingChild;

constexpr std::string_view k_work = "in this campaign";

class LockTest : public ::testing::Test {
 protected:
  Result<Lock> take() { return Lock::take(disk_, path_, note_for("hone run softmax", clock_), k_work); }

  // A child that takes the lock and holds it until it is killed.
  std::unique_ptr<WaitingChild> holder() {
    return std::make_unique<WaitingChild>([&] {
      static Result<Lock> lock = take();
      return lock.has_value();
    });
  }

  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-lock-");
  fs::path path_ = folder_.path() / "lock";
  Disk disk_;
  FakeClock clock_;
};

TEST_F(LockTest, IsFreedWithItsObject) {
  { ASSERT_TRUE(take()); }
  EXPECT_TRUE(take());
}

TEST_F(LockTest, ExcludesASecondHolderInTheSameProcess) {
  const auto lock = take();
  ASSERT_TRUE(lock);
  EXPECT_FALSE(take());
}

TEST_F(LockTest, NamesTheOtherProcess) {
  const auto child = holder();
  ASSERT_TRUE(child->ready());
  const auto refused = take();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::environment);
  EXPECT_EQ(refused.error().what,
            fmt::format("another hone (pid {}, since {}, 'hone run softmax') is working in this campaign", child->pid(),
                        to_iso8601(clock_.wall_time())));
}

TEST_F(LockTest, IsFreedByDeath) {
  const auto child = holder();
  ASSERT_TRUE(child->ready());
  ASSERT_FALSE(take());
  child->end();
  EXPECT_TRUE(take());
}

// Between fork and exec a program that is being started shares its starter's lock, and outlives it.
TEST_F(LockTest, AChildOfADeadHolderIsWaitedFor) {
  const pid_t holder = fork();
  if (holder == 0) {
    const auto lock = take();
    if (fork() == 0) {
      usleep(200'000);
      _exit(0);
    }
    _exit(lock ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(holder, &status, 0), holder);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(take());
}

TEST_F(LockTest, ItsHolderIsKnownToThoseWhoOnlyLook) {
  EXPECT_FALSE(holder_of(path_));
  {
    const auto lock = take();
    ASSERT_TRUE(lock);
    const auto note = holder_of(path_);
    ASSERT_TRUE(note);
    EXPECT_EQ(note->owner, this_process());
    EXPECT_EQ(note->command, "hone run softmax");
    EXPECT_FALSE(take()) << "looking must not free it";
  }
  EXPECT_FALSE(holder_of(path_)) << "the note outlives the lock and holds nothing";
}

TEST_F(LockTest, IsNotPassedOnToSpawnedPrograms) {
  {
    const auto lock = take();
    ASSERT_TRUE(lock);
    const auto listed = Processes().run({.argv = {"ls", "-l", "/proc/self/fd"}});
    EXPECT_EQ(listed->output.find(path_.string()), std::string::npos);
  }
}

TEST_F(LockTest, TheNoteIsReplacedByTheNextHolder) {
  { ASSERT_TRUE(Lock::take(disk_, path_, note_for("hone run with-a-very-long-name", clock_), k_work)); }
  const auto lock = take();
  const auto note = json::from_text<LockNote>(*read_file(path_));
  ASSERT_TRUE(note);
  EXPECT_EQ(note->command, "hone run softmax");
  EXPECT_EQ(note->owner, this_process());
}

TEST_F(LockTest, AnUnreadableNoteStillExcludes) {
  const auto lock = take();
  ASSERT_TRUE(lock);
  ASSERT_TRUE(disk_.truncate(disk_.open(path_, O_RDWR, 0)->get(), 3));
  const auto refused = take();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "another hone is working in this campaign");
}

TEST_F(LockTest, ANoteFromOutsideIsEscaped) {
  const auto lock = Lock::take(disk_, path_, note_for("evil\x1b[2Jcommand", clock_), k_work);
  ASSERT_TRUE(lock);
  const auto refused = take();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what.find('\x1b'), std::string::npos);
}

TEST_F(LockTest, ALockWhoseFileWasRemovedDoesNotKeepTheNextOneOut) {
  const auto lock = take();
  fs::remove(path_);
  EXPECT_TRUE(take());
}

TEST_F(LockTest, WaitingGivesUpAtTheDeadline) {
  const auto lock = take();
  ASSERT_TRUE(lock);
  const Nanoseconds before = clock_.now();
  const auto refused =
      Lock::wait(disk_, path_, note_for("hone measure", clock_), "on this device", clock_, from_seconds(2));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("is working on this device"), std::string::npos);
  EXPECT_EQ(clock_.now() - before, from_seconds(2));
}

TEST_F(LockTest, WaitingEndsWhenNobodyWantsItAnyMore) {
  const auto lock = take();
  ASSERT_TRUE(lock);
  int asked = 0;
  const auto refused = Lock::wait(disk_, path_, note_for("hone measure", clock_), k_work, clock_, from_seconds(60),
                                  [&asked] { return ++asked == 3; });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::interrupted);
  EXPECT_LT(clock_.now(), from_seconds(1));
}

TEST_F(LockTest, WaitingDoesNotWaitForAFreeLock) {
  EXPECT_TRUE(Lock::wait(disk_, path_, note_for("hone measure", clock_), k_work, clock_, from_seconds(2)));
  EXPECT_EQ(clock_.now(), Nanoseconds(0));
}

// Kills the holder while somebody waits.
class KillingClock final : public Clock {
 public:
  explicit KillingClock(WaitingChild& child) : child_(child) {}
  Nanoseconds now() const override { return fake_.now(); }
  Nanoseconds wall_time() const override { return fake_.wall_time(); }
  void sleep(Nanoseconds duration) override {
    fake_.sleep(duration);
    if (++sleeps == 3) child_.end();
  }
  int sleeps = 0;

 private:
  FakeClock fake_;
  WaitingChild& child_;
};

TEST_F(LockTest, WaitingEndsWhenTheHolderDies) {
  const auto child = holder();
  ASSERT_TRUE(child->ready());
  KillingClock clock(*child);
  EXPECT_TRUE(Lock::wait(disk_, path_, note_for("hone measure", clock), k_work, clock, from_seconds(60)));
  EXPECT_EQ(clock.sleeps, 3);
}

TEST_F(LockTest, AMissingFolderFailsAtOnce) {
  path_ = folder_.path() / "absent" / "lock";
  const auto failed = Lock::wait(disk_, path_, note_for("x", clock_), k_work, clock_, from_seconds(60));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::io);
  EXPECT_EQ(clock_.now(), Nanoseconds(0));
}

TEST_F(LockTest, AFaultAtEveryOperationLeavesTheLockFree) {
  uint64_t at = 1;
  for (bool reached = true; reached; ++at) {
    hone::testing::FaultyDisk disk;
    disk.fail_from = disk.fail_until = at;
    const bool taken = Lock::take(disk, path_, note_for("x", clock_), k_work).has_value();
    reached = disk.operations >= at;
    EXPECT_EQ(taken, !reached) << at;
    EXPECT_TRUE(take()) << at;
  }
  EXPECT_EQ(at, 5u);
}

TEST(LockError, FileSystemsWithoutSuchLocksAreTheEnvironmentsFault) {
  for (const int number : {EINVAL, ENOLCK, EOPNOTSUPP, ENOSYS}) {
    const Error error = lock_error("/x/lock", number);
    EXPECT_EQ(error.code, ErrorCode::environment);
    EXPECT_FALSE(error.help.empty());
  }
  EXPECT_EQ(lock_error("/x/lock", EIO).code, ErrorCode::io);
}

constexpr std::string_view k_mountinfo =
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "40 22 0:50 / /good rw shared:9 master:2 - nfs4 server:/a rw,vers=4.2,local_lock=none\n"
    "41 22 0:51 / /bad rw - nfs server:/b rw,vers=3,nolock,addr=1.2.3.4\n"
    "42 22 0:52 / /worse rw - nfs server:/c rw,vers=3,local_lock=all\n"
    "43 22 0:53 / /posix rw - nfs server:/c rw,local_lock=posix\n"
    "44 22 0:54 / /odd rw - ext4 nolock nolock\n"
    "45 22 0:55 / /short\n";

TEST(LocalLockProblem, OnlyNfsWithLocksOfItsOwnMachineIsRefused) {
  for (const char* fine : {"254:0", "0:50", "0:54", "0:55", "9:9"})
    EXPECT_EQ(local_lock_problem(k_mountinfo, fine), "");
  EXPECT_NE(local_lock_problem(k_mountinfo, "0:51").find("'nolock'"), std::string::npos);
  EXPECT_NE(local_lock_problem(k_mountinfo, "0:52").find("'local_lock=all'"), std::string::npos);
  EXPECT_NE(local_lock_problem(k_mountinfo, "0:53").find("'local_lock=posix'"), std::string::npos);
}

}  // namespace
}  // namespace hone::record
