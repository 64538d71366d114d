// The watch as a whole: a confined child with a stand-in for NVML, read through the page.
#include "device/cuda/watch.h"

#include <gmock/gmock.h>

#include <thread>

#include "device/cuda/conditions.h"
#include "device/cuda/nvml_library.h"
#include "device/cuda/testing/fake_nvml.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* k_uuid = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f";

class WatchTest : public testing::Test {
 protected:
  void start(const std::vector<std::string>& macros, const std::string& uuid = k_uuid) {
    fake_.emplace(k_fake_nvml, macros);
    const fs::path folder = fs::path(fake_->path()).parent_path();
    fs::permissions(folder, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    start_with({uuid, fake_->path(), {{folder, sandbox::Access::read_only}}, {}});
  }
  void start_with(const WatchRequest& request) {
    auto watch = Watch::start(request);
    ASSERT_TRUE(watch) << to_text(watch.error());
    watch_ = *std::move(watch);
  }

  // What holds, once it does; a machine that is busy may take its time.
  template <class Holds>
  bool comes_to(Holds holds) {
    for (int i = 0; i < 6000 && !holds(); ++i) std::this_thread::sleep_for(5ms);
    return holds();
  }
  std::optional<WatchWords> first_reading() {
    std::optional<WatchWords> words;
    comes_to([&] { return (words = watch_->reading()).has_value(); });
    return words;
  }
  bool ends_as(WatchState state) {
    return comes_to([&] { return watch_->state() == state; }) && !watch_->reading();
  }

  std::optional<FakeLibrary> fake_;
  std::unique_ptr<Watch> watch_;
};

TEST_F(WatchTest, ReadsWhatTheDeviceIsLike) {
  start({"BUSY=2"});
  const auto words = first_reading();
  ASSERT_TRUE(words);
  EXPECT_EQ(words->sm_mhz_now, 345u);
  EXPECT_EQ(words->celsius_now, 38u);
  EXPECT_EQ(words->foreign_now, 2u) << "none is expected yet";
  EXPECT_TRUE(comes_to([&] {
    const auto later = watch_->reading();
    return later && later->polls > words->polls + 3;
  }));
  const auto later = first_reading();
  ASSERT_TRUE(later);
  EXPECT_EQ(disturbed_fraction(words, later), 0.0);
}

TEST_F(WatchTest, ExpectedProcessesAreNotForeign) {
  start({"BUSY=2"});
  watch_->expect(2);
  EXPECT_TRUE(comes_to([&] {
    const auto words = watch_->reading();
    return words && words->processes_now == 2u && words->foreign_now == 0;
  }));
}

TEST_F(WatchTest, HeatDisturbs) {
  start({"REASONS=0x40"});
  const auto words = first_reading();
  ASSERT_TRUE(words);
  EXPECT_EQ(disturbed_fraction(words, first_reading()), 1.0);
}

TEST_F(WatchTest, AStaleReadingIsNone) {
  start({});
  ASSERT_TRUE(first_reading());
  FakeClock clock;  // far behind: the poll would lie in its future
  EXPECT_FALSE(watch_->reading(clock));
  clock.advance(SystemClock().now() + k_stale_after + 60s);
  EXPECT_FALSE(watch_->reading(clock));
}

TEST_F(WatchTest, WithoutNvmlThereIsNoReading) {
  start_with({k_uuid, "libhone-no-nvml.so.1", {}, {}});
  EXPECT_TRUE(ends_as(WatchState::no_library));
}

TEST_F(WatchTest, AnUnknownDeviceHasNoReading) {
  start({}, "GPU-ffffffff-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_TRUE(ends_as(WatchState::no_device));
}

TEST_F(WatchTest, ADeviceLostMidwayHasNoReadingAnyMore) {
  start({"LOST_AFTER=9"});
  EXPECT_TRUE(ends_as(WatchState::lost_device));
}

TEST_F(WatchTest, AChildThatCrashesLeavesNoReading) {
  start({"CRASHES_AFTER=9"});
  EXPECT_TRUE(comes_to([&] { return watch_->state() == WatchState::watching; }));
  EXPECT_TRUE(comes_to([&] { return !watch_->reading(); }));
}

TEST_F(WatchTest, AChildThatIsStuckLeavesNoReadingAndCanBeEnded) {
  start({"HANGS_AFTER=9"});
  EXPECT_TRUE(comes_to([&] { return watch_->state() == WatchState::watching; }));
  EXPECT_TRUE(comes_to([&] { return !watch_->reading(); }));
  watch_.reset();
}

TEST_F(WatchTest, ARequestThatDoesNotFitIsAnError) {
  EXPECT_FALSE(Watch::start({std::string(96, 'x'), {}, {}, {}}));
  EXPECT_FALSE(Watch::start({k_uuid, std::string(1024, 'x'), {}, {}}));
}

// ---- the page ----

TEST(WatchPage, WordsComeBackAsTheyWere) {
  WatchPage page;
  WatchWords words;
  words.polls = 7;
  words.sm_mhz_now = 1980;
  words.arrivals = 3;
  publish(page, words);
  const auto read = settled_words(page);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->polls, 7u);
  EXPECT_EQ(read->sm_mhz_now, 1980u);
  EXPECT_EQ(read->memory_mhz_now, k_unknown);
  EXPECT_EQ(read->arrivals, 3u);
}

TEST(WatchPage, AWriterThatStoppedInTheMiddleIsNoReading) {
  WatchPage page;
  publish(page, {});
  ++page.sequence;
  EXPECT_FALSE(settled_words(page));
}

TEST(WatchPage, NoReadingIsHalfOfOnePollAndHalfOfAnother) {
  WatchPage page;
  publish(page, {});
  std::thread writer([&page] {
    WatchWords words;
    for (uint64_t i = 1; i <= 20000; ++i) {
      words.polls = words.arrivals = words.foreign_most = i;
      publish(page, words);
    }
  });
  uint64_t seen = 0;
  while (seen < 20000) {
    const auto words = settled_words(page);
    if (!words) continue;
    ASSERT_EQ(words->polls, words->arrivals);
    ASSERT_EQ(words->polls, words->foreign_most);
    seen = words->polls;
  }
  writer.join();
}

}  // namespace
}  // namespace hone::device::cuda
