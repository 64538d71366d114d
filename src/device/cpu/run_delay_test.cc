#include "device/cpu/run_delay.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <thread>

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
  std::optional<std::vector<CoreTime>> times(std::vector<pid_t> threads) {
    RunDelay delay;
    delay.watch(7, threads, root_.path());
    return delay.times();
  }
  TemporaryFolder root_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-run-delay-");
};

TEST_F(FakeProc, TellsOfEachThread) {
  write(7, "100 20 3\n");
  write(8, "900 5 1\n");
  const auto both = times({7, 8});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->at(0).ran_ns, 100u);
  EXPECT_EQ(both->at(0).waited_ns, 20u);
  EXPECT_EQ(both->at(1).ran_ns, 900u);
  EXPECT_EQ(both->at(1).waited_ns, 5u);
}

TEST_F(FakeProc, OneThreadWithoutFiguresMakesAllAbsent) {
  write(7, "100 20 3\n");
  EXPECT_FALSE(times({7, 9}));
  for (const char* text : {"nonsense", "", "12", "12 ", "12 x"}) {
    write(9, text);
    EXPECT_FALSE(times({7, 9})) << text;
  }
}

TEST_F(FakeProc, NobodyWatchedSaysNothing) { EXPECT_FALSE(times({})); }

TEST(RanNs, CountsThreadsThatHaveEnded) {
  const uint64_t before = ran_ns(getpid()).value();
  std::thread([] {
    timespec time{};
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    while (time.tv_nsec < 3'000'000);
  }).join();
  EXPECT_GE(ran_ns(getpid()).value(), before + 3'000'000);
  EXPECT_FALSE(ran_ns(0x7ffffff0));
}

// ---- a window of 10 ms ----

struct Times {
  double ran_ms = 0;
  double waited_ms = 0;
};

CoreTime later(Times times) {
  return {7 + static_cast<uint64_t>(times.ran_ms * 1e6), 5 + static_cast<uint64_t>(times.waited_ms * 1e6)};
}

// `unwatched_ms` is what threads of the arm ran that nobody watches.
std::optional<double> disturbed(std::vector<Times> threads, Times judge, double unwatched_ms = 0, size_t cores = 1) {
  Shares before{std::vector<CoreTime>(threads.size(), CoreTime{7, 5}), cores, 9, {7, 5}};
  Shares after{{}, cores, 9 + static_cast<uint64_t>(unwatched_ms * 1e6), later(judge)};
  for (const Times& one : threads) {
    after.threads.push_back(later(one));
    after.arm_ran_ns += static_cast<uint64_t>(one.ran_ms * 1e6);
  }
  return disturbed_fraction(before, after, 10e6);
}

TEST(DisturbedFraction, IsWhatEitherWaitedForStrangers) {
  EXPECT_NEAR(*disturbed({{6, 4}}, {0, 0}), 0.4, 0.01);
  EXPECT_NEAR(*disturbed({{1, 0}}, {0, 9}), 0.8, 0.01) << "the judge came back late";
  EXPECT_NEAR(*disturbed({{1, 20}}, {0, 0}), 1.0, 1e-9);
}

TEST(DisturbedFraction, IsNotWhatOneWaitedForTheOther) {
  EXPECT_EQ(disturbed({{9, 0}}, {0, 9}), 0.0) << "it woke the judge and went on running";
  EXPECT_EQ(disturbed({{5, 5}}, {5, 5}), 0.0) << "and again and again";
}

TEST(DisturbedFraction, OfThreadsOnCoresOfTheirOwnIsAllThatTheyWait) {
  EXPECT_NEAR(*disturbed({{6, 2}, {5, 3}}, {0, 0}, 0, 2), 0.5, 0.01);
  EXPECT_EQ(disturbed({{6, 4}, {10, 0}}, {4, 6}, 0, 2), 0.0) << "the judge has the first core with the first thread";
}

TEST(DisturbedFraction, IsNotWhatThreadsOfOneArmWaitForEachOther) {
  EXPECT_EQ(disturbed({{5, 5}, {5, 5}}, {0, 0}), 0.0) << "two on one core";
  EXPECT_EQ(disturbed({{2, 8}}, {0, 0}, 8), 0.0) << "a thread that was there for one launch";
  EXPECT_NEAR(*disturbed({{2, 8}}, {0, 0}, 3), 0.5, 0.01);
}

TEST(DisturbedFraction, IsNotTheHandOver) {
  EXPECT_EQ(disturbed({{0, 0.02}}, {0, 0}), 0.0);
  EXPECT_NEAR(*disturbed({{0, 5.02}}, {0, 0}), 0.5, 1e-9);
}

TEST(DisturbedFraction, IsAbsentWithoutSenseInItsReadings) {
  const Shares one{{{1, 1}}, 1, 1, {1, 1}};
  const Shares two{{{2, 2}}, 1, 2, {2, 2}};
  EXPECT_EQ(disturbed_fraction(std::nullopt, one, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, std::nullopt, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(two, one, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, Shares{{{2, 2}}, 1, 2, {0, 2}}, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, Shares{{{0, 2}}, 1, 2, {2, 2}}, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, Shares{{{2, 2}}, 1, 0, {2, 2}}, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, Shares{{{2, 2}, {2, 2}}, 1, 4, {2, 2}}, 1e6), std::nullopt);
  EXPECT_EQ(disturbed_fraction(one, two, 0), std::nullopt);
}

// Two spinning processes on one core: each waits while the other runs.
TEST(RunDelay, SeesAnotherProcessOnTheSameCore) {
  const int core = sched_getcpu();
  const SpinningProcess first(core);
  const SpinningProcess second(core);
  RunDelay delay;
  delay.watch(first.pid(), std::array{first.pid()});
  const auto waited = [&delay] { return delay.times().value().front().waited_ns; };
  const uint64_t before = waited();
  for (int i = 0; i < 2000 && waited() == before; ++i) usleep(5000);
  EXPECT_GT(waited(), before);
}

}  // namespace
}  // namespace hone::device::cpu
