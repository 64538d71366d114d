#include "device/cuda/clock_lock.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/process.h"
#include "device/cuda/testing/fake_nvml.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using ::testing::HasSubstr;

constexpr const char* k_uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";
constexpr Nanoseconds k_patience = std::chrono::seconds(60);

class ClockLockTest : public testing::Test {
 protected:
  ClockLockTest() : folder_(TemporaryFolder::make(fs::temp_directory_path(), "hone-locks-").value()) {}

  void make_fake(std::vector<std::string> macros = {}) {
    macros.push_back("LOCKS=\"" + calls_file() + "\"");
    fake_.emplace(k_fake_nvml, macros);
    ASSERT_TRUE(fake_->built());
  }
  std::string calls_file() const { return (folder_.path() / "calls").string(); }
  std::string calls() const { return read_file(calls_file()).value_or(""); }
  HoldRequest request() const { return {k_uuid, 1500, fake_->path()}; }

  TemporaryFolder folder_;
  std::optional<FakeLibrary> fake_;
};

TEST_F(ClockLockTest, LocksAndGivesBack) {
  make_fake();
  const auto nvml = NvmlLibrary::start(fake_->path());
  ASSERT_TRUE(nvml);
  {
    const auto lock = ClockLock::take(*nvml, nullptr, 1500);
    ASSERT_TRUE(lock) << to_text(lock.error());
    EXPECT_EQ(calls(), "lock 1500 1500\n") << "moved, and held by one alone";
  }
  EXPECT_EQ(calls(), "lock 1500 1500\nreset 0 0\n");
}

TEST_F(ClockLockTest, WhatCouldNotBeRestoredIsNotTaken) {
  make_fake({"REASONS=2"});
  const auto nvml = NvmlLibrary::start(fake_->path());
  ASSERT_TRUE(nvml);
  const auto lock = ClockLock::take(*nvml, nullptr, 1500);
  ASSERT_FALSE(lock);
  EXPECT_THAT(lock.error().what, HasSubstr("already"));
  EXPECT_EQ(calls(), "");
}

TEST_F(ClockLockTest, ADriverThatCannotSaysSo) {
  const FakeLibrary plain(k_fake_nvml);
  const auto nvml = NvmlLibrary::start(plain.path());
  ASSERT_TRUE(nvml);
  EXPECT_FALSE(ClockLock::take(*nvml, nullptr, 1500));
}

TEST_F(ClockLockTest, ARefusalLeavesNothingToRestore) {
  make_fake({"REFUSES"});
  const auto held = HeldClocks::start(request());
  ASSERT_FALSE(held);
  EXPECT_THAT(held.error().what, HasSubstr("cannot lock the device's clocks"));
  EXPECT_THAT(held.error().help, HasSubstr("root"));
  EXPECT_EQ(calls(), "");
}

TEST_F(ClockLockTest, HeldUntilTheOwnerLetsGo) {
  make_fake();
  auto held = HeldClocks::start(request());
  ASSERT_TRUE(held) << to_text(held.error());
  EXPECT_EQ(calls(), "lock 1500 1500\n");
  held->reset();
  EXPECT_EQ(calls(), "lock 1500 1500\nreset 0 0\n");
}

TEST_F(ClockLockTest, MissingThingsAreErrors) {
  make_fake();
  EXPECT_FALSE(HeldClocks::start({k_uuid, 1500, "libhone-no-nvml.so.1"}));
  EXPECT_FALSE(HeldClocks::start({"GPU-ffff", 1500, fake_->path()}));
  EXPECT_EQ(calls(), "");
}

class Signalled : public ClockLockTest, public testing::WithParamInterface<int> {};

TEST_P(Signalled, GivesBackWhenToldToEnd) {
  make_fake();
  auto held = HeldClocks::start(request());
  ASSERT_TRUE(held) << to_text(held.error());
  signal_pidfd((*held)->child(), GetParam());
  EXPECT_EQ(wait_pidfd((*held)->child(), k_patience), 0);
  EXPECT_EQ(calls(), "lock 1500 1500\nreset 0 0\n");
}

INSTANTIATE_TEST_SUITE_P(Endings, Signalled, testing::Values(SIGTERM, SIGINT, SIGHUP));

// A process that holds clocks and is killed by this signal; none of its own code runs any more.
void own_and_die(const HoldRequest& request, int signal) {
  const pid_t owner = fork();
  ASSERT_GE(owner, 0);
  if (owner == 0) {
    const auto held = HeldClocks::start(request);
    if (held) raise(signal);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(owner, &status, 0), owner);
  EXPECT_TRUE(WIFSIGNALED(status));
}

class OwnerDies : public ClockLockTest, public testing::WithParamInterface<int> {};

TEST_P(OwnerDies, GivesBackWithoutIt) {
  make_fake();
  own_and_die(request(), GetParam());
  for (int i = 0; i < 6000 && calls() == "lock 1500 1500\n"; ++i) usleep(5000);
  EXPECT_EQ(calls(), "lock 1500 1500\nreset 0 0\n");
}

INSTANTIATE_TEST_SUITE_P(Endings, OwnerDies, testing::Values(SIGTERM, SIGKILL));

}  // namespace
}  // namespace hone::device::cuda
