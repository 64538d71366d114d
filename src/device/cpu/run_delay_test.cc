#include "device/cpu/run_delay.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>

#include "base/disk.h"
#include "device/cpu/testing/spinning_process.h"

namespace hone::device::cpu {
namespace {

class FakeProc : public testing::Test {
 protected:
  void write(pid_t thread, const std::string& text) {
    const fs::path folder = root_.path() / "proc/7/task" / std::to_string(thread);
    fs::create_directories(folder);
    Disk disk;
    ASSERT_TRUE(write_file(disk, folder / "schedstat", text));
  }
  std::optional<uint64_t> total(std::vector<pid_t> threads) {
    RunDelay delay;
    delay.watch(7, threads, root_.path());
    return delay.total_ns();
  }
  TemporaryFolder root_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-run-delay-");
};

TEST_F(FakeProc, SumsTheSecondNumberOverThreads) {
  write(7, "100 20 3\n");
  write(8, "900 5 1\n");
  EXPECT_EQ(total({7, 8}), 25u);
}

TEST_F(FakeProc, OneThreadWithoutFiguresMakesTheSumAbsent) {
  write(7, "100 20 3\n");
  EXPECT_EQ(total({7, 9}), std::nullopt);
  write(9, "nonsense");
  EXPECT_EQ(total({7, 9}), std::nullopt);
}

TEST_F(FakeProc, NobodyWatchedSaysNothing) { EXPECT_EQ(total({}), std::nullopt); }

TEST(DisturbedFraction, IsTheShareBeyondTheHandOver) {
  EXPECT_EQ(disturbed_fraction(0, 20'000, 1e6), 0.0);
  EXPECT_NEAR(*disturbed_fraction(1'000, 521'000, 1e6), 0.5, 1e-9);
  EXPECT_EQ(disturbed_fraction(0, 90'000'000, 1e6), 1.0);
}

TEST(DisturbedFraction, IsAbsentWithoutSenseInItsReadings) {
  EXPECT_EQ(disturbed_fraction(std::nullopt, 1, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(1, std::nullopt, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(2, 1, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(1, 2, 0), std::nullopt);
}

// Two spinning processes on one core: each waits while the other runs.
TEST(RunDelay, SeesAnotherProcessOnTheSameCore) {
  const int core = sched_getcpu();
  const SpinningProcess first(core);
  const SpinningProcess second(core);
  RunDelay delay;
  delay.watch(first.pid(), std::array{first.pid()});
  const auto before = delay.total_ns();
  ASSERT_TRUE(before);
  std::optional<uint64_t> after = before;
  for (int i = 0; i < 2000 && after && *after == *before; ++i) {
    usleep(5000);
    after = delay.total_ns();
  }
  ASSERT_TRUE(after);
  EXPECT_GT(*after, *before);
}

}  // namespace
}  // namespace hone::device::cpu
