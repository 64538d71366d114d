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
  std::optional<CoreTime> total(std::vector<pid_t> threads) {
    RunDelay delay;
    delay.watch(7, threads, root_.path());
    return delay.total();
  }
  TemporaryFolder root_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-run-delay-");
};

TEST_F(FakeProc, SumsOverThreads) {
  write(7, "100 20 3\n");
  write(8, "900 5 1\n");
  const auto sum = total({7, 8});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->ran_ns, 1000u);
  EXPECT_EQ(sum->waited_ns, 25u);
}

TEST_F(FakeProc, OneThreadWithoutFiguresMakesTheSumAbsent) {
  write(7, "100 20 3\n");
  EXPECT_FALSE(total({7, 9}));
  for (const char* text : {"nonsense", "", "12", "12 ", "12 x"}) {
    write(9, text);
    EXPECT_FALSE(total({7, 9})) << text;
  }
}

TEST_F(FakeProc, NobodyWatchedSaysNothing) { EXPECT_FALSE(total({})); }

// Milliseconds that each ran and waited in a window of 10 ms.
std::optional<double> disturbed(CoreTime arm, std::optional<CoreTime> judge) {
  constexpr uint64_t k_ms = 1'000'000;
  const auto later = [](CoreTime time) { return CoreTime{7 + time.ran_ns * k_ms, 5 + time.waited_ns * k_ms}; };
  Shares before{{7, 5}, {}};
  Shares after{later(arm), {}};
  if (judge) before.judge = CoreTime{7, 5};
  if (judge) after.judge = later(*judge);
  return disturbed_fraction(before, after, 10e6);
}

TEST(DisturbedFraction, IsWhatEitherWaitedForStrangers) {
  EXPECT_NEAR(*disturbed({6, 4}, std::nullopt), 0.4, 0.01);
  EXPECT_NEAR(*disturbed({6, 4}, CoreTime{0, 0}), 0.4, 0.01);
  EXPECT_NEAR(*disturbed({1, 0}, CoreTime{0, 9}), 0.8, 0.01) << "the judge came back late";
  EXPECT_NEAR(*disturbed({1, 20}, CoreTime{0, 0}), 1.0, 1e-9);
}

TEST(DisturbedFraction, IsNotWhatOneWaitedForTheOther) {
  EXPECT_EQ(disturbed({9, 0}, CoreTime{0, 9}), 0.0) << "it woke the judge and went on running";
  EXPECT_EQ(disturbed({5, 5}, CoreTime{5, 5}), 0.0) << "and again and again";
}

TEST(DisturbedFraction, IsNotTheHandOver) {
  EXPECT_EQ(disturbed_fraction(Shares{{0, 0}, {}}, Shares{{0, 20'000}, {}}, 1e6), 0.0);
  EXPECT_NEAR(*disturbed_fraction(Shares{{0, 0}, {}}, Shares{{0, 520'000}, {}}, 1e6), 0.5, 1e-9);
}

TEST(DisturbedFraction, IsAbsentWithoutSenseInItsReadings) {
  const Shares one{{1, 1}, CoreTime{1, 1}};
  const Shares two{{2, 2}, CoreTime{2, 2}};
  EXPECT_EQ(disturbed_fraction(std::nullopt, one, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, std::nullopt, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(two, one, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, Shares{{2, 2}, CoreTime{0, 2}}, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, two, 0), std::nullopt);
}

// Two spinning processes on one core: each waits while the other runs.
TEST(RunDelay, SeesAnotherProcessOnTheSameCore) {
  const int core = sched_getcpu();
  const SpinningProcess first(core);
  const SpinningProcess second(core);
  RunDelay delay;
  delay.watch(first.pid(), std::array{first.pid()});
  const auto before = delay.total();
  ASSERT_TRUE(before);
  auto after = before;
  for (int i = 0; i < 2000 && after && after->waited_ns == before->waited_ns; ++i) {
    usleep(5000);
    after = delay.total();
  }
  ASSERT_TRUE(after);
  EXPECT_GT(after->waited_ns, before->waited_ns);
}

}  // namespace
}  // namespace hone::device::cpu
