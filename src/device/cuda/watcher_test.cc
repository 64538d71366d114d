#include "device/cuda/watcher.h"

#include <gmock/gmock.h>

#include "device/cuda/conditions.h"
#include "device/cuda/testing/fake_nvml.h"
#include "device/shared_library.h"
#include "device/testing/fake_library.h"

namespace hone::device::cuda {
namespace {

using namespace std::chrono_literals;

class WatcherTest : public testing::Test {
 protected:
  void open(const std::vector<std::string>& macros = {}) {
    fake_.emplace(k_fake_nvml, macros);
    auto nvml = NvmlLibrary::start(fake_->path());
    ASSERT_TRUE(nvml) << to_text(nvml.error());
    nvml_ = *std::move(nvml);
    const auto file = SharedLibrary::open({{fake_->path()}, "the fake", ""});
    ASSERT_TRUE(file);
    state_ = static_cast<FakeNvmlState*>(file->symbol(k_fake_nvml_state));
    ASSERT_NE(state_, nullptr);
    state_->sm_mhz = 1980;
    watcher_.emplace(nvml_, nullptr);
  }

  const WatchWords& poll(uint64_t expected = 1) {
    EXPECT_TRUE(watcher_->poll(1s * ++number_, expected));
    return watcher_->words();
  }
  // Until the next one that asks everything.
  const WatchWords& look_around(uint64_t expected = 1) {
    while (watcher_->words().polls % k_polls_per_look_around != 0) poll(expected);
    return poll(expected);
  }

  std::optional<FakeLibrary> fake_;
  NvmlLibrary nvml_;
  FakeNvmlState* state_ = nullptr;
  std::optional<Watcher> watcher_;
  int number_ = 0;
};

uint64_t held(const WatchWords& words, Holder holder) { return words.held_polls[static_cast<size_t>(holder)]; }

TEST_F(WatcherTest, TheFirstPollAsksEverything) {
  open({"BUSY=1"});
  const WatchWords words = poll();
  EXPECT_EQ(words.polls, 1u);
  EXPECT_EQ(words.polled_at_ns, 1'000'000'000u);
  EXPECT_EQ(words.reasons_now, 0u);
  EXPECT_EQ(words.sm_mhz_now, 1980u);
  EXPECT_EQ(words.memory_mhz_now, 3201u);
  EXPECT_EQ(words.milliwatts_now, 76000u);
  EXPECT_EQ(words.celsius_now, 38u);
  EXPECT_EQ(words.busy_percent_now, 7u);
  EXPECT_EQ(words.processes_now, 1u);
  EXPECT_EQ(words.foreign_now, 0u);
}

TEST_F(WatcherTest, PollsAreCountedByWhatHeldTheClocks) {
  open();
  poll();
  state_->reasons = k_throttle_software_thermal | k_throttle_power_cap;
  poll();
  state_->reasons = k_throttle_hardware_slowdown;
  poll();
  state_->reasons = k_throttle_sync_boost | k_throttle_user_clocks;
  const WatchWords words = poll();
  EXPECT_EQ(held(words, Holder::heat), 1u);
  EXPECT_EQ(held(words, Holder::power), 1u);
  EXPECT_EQ(held(words, Holder::hardware), 1u);
  EXPECT_EQ(held(words, Holder::others), 1u);
  EXPECT_EQ(held(words, Holder::settings), 1u);
  EXPECT_EQ(words.reasons_now, state_->reasons);
  EXPECT_EQ(words.reasons_seen, k_throttle_software_thermal | k_throttle_power_cap | k_throttle_hardware_slowdown |
                                    k_throttle_sync_boost | k_throttle_user_clocks);
}

TEST_F(WatcherTest, AClockIsLowBelowItsShareOfTheHighestSeen) {
  open();
  poll();
  state_->sm_mhz = 1485;  // 75 %
  EXPECT_EQ(poll().low_clock_polls, 0u);
  state_->sm_mhz = 1484;
  EXPECT_EQ(poll().low_clock_polls, 1u);
  EXPECT_EQ(watcher_->words().low_clock_now, 1u);
  state_->sm_mhz = 1980;
  EXPECT_EQ(poll().low_clock_polls, 1u);
  EXPECT_EQ(watcher_->words().low_clock_now, 0u);
  EXPECT_EQ(watcher_->words().sm_mhz_lowest, 1484u);
  EXPECT_EQ(watcher_->words().sm_mhz_highest, 1980u);
}

TEST_F(WatcherTest, IdleAndThePowerLimitExplainALowClock) {
  open();
  poll();
  state_->sm_mhz = 345;
  state_->reasons = k_throttle_idle;
  EXPECT_EQ(poll().low_clock_polls, 0u);
  EXPECT_EQ(watcher_->words().sm_mhz_lowest, 1980u) << "an idle clock is nobody's";
  state_->reasons = k_throttle_power_cap;
  EXPECT_EQ(poll().low_clock_polls, 0u);
  EXPECT_EQ(watcher_->words().sm_mhz_lowest, 345u);
  state_->reasons = 0;
  EXPECT_EQ(poll().low_clock_polls, 1u);
}

TEST_F(WatcherTest, ExtremesStay) {
  open();
  state_->celsius = 80;
  state_->milliwatts = 600'000;
  look_around();
  state_->celsius = 60;
  state_->milliwatts = 100'000;
  const WatchWords words = look_around();
  EXPECT_EQ(words.celsius_now, 60u);
  EXPECT_EQ(words.celsius_highest, 80u);
  EXPECT_EQ(words.milliwatts_now, 100'000u);
  EXPECT_EQ(words.milliwatts_highest, 600'000u);
}

TEST_F(WatcherTest, WhoIsThereAtFirstDidNotCome) {
  open({"BUSY=3"});
  EXPECT_EQ(look_around().foreign_now, 2u);
  EXPECT_EQ(watcher_->words().arrivals, 0u);
  state_->processes = 4;
  EXPECT_EQ(look_around().arrivals, 1u);
  EXPECT_EQ(watcher_->words().foreign_most, 3u);
  state_->processes = 1;
  EXPECT_EQ(look_around().foreign_now, 0u);
  EXPECT_EQ(watcher_->words().arrivals, 1u) << "who goes does not come";
}

TEST_F(WatcherTest, HonesOwnAreNotForeign) {
  open({"BUSY=1"});
  look_around(1);
  state_->processes = 2;
  EXPECT_EQ(look_around(2).arrivals, 0u);
  state_->processes = 1;
  EXPECT_EQ(look_around(2).foreign_now, 0u) << "fewer than expected are none";
}

TEST_F(WatcherTest, WhatADeviceDoesNotSayIsUnknown) {
  open({"MUTE"});
  const WatchWords words = poll();
  EXPECT_EQ(words.reasons_now, k_unknown);
  EXPECT_EQ(words.celsius_now, k_unknown);
  EXPECT_EQ(words.busy_percent_now, k_unknown);
  EXPECT_EQ(words.sm_mhz_now, 1980u);
  state_->sm_mhz = 345;
  EXPECT_EQ(poll().low_clock_polls, 0u) << "it may be idle";
  EXPECT_FALSE(conditions_between(words, watcher_->words()));
}

TEST_F(WatcherTest, APollThatFailsIsUnknownAndTheNextOneIsNot) {
  open();
  poll();
  state_->status = static_cast<int>(NvmlStatus::unknown);
  EXPECT_EQ(poll().reasons_now, k_unknown);
  EXPECT_EQ(watcher_->words().sm_mhz_highest, 1980u);
  state_->status = 0;
  EXPECT_EQ(poll().reasons_now, 0u);
}

TEST_F(WatcherTest, ALostDeviceEndsIt) {
  open();
  poll();
  state_->status = static_cast<int>(NvmlStatus::gpu_is_lost);
  EXPECT_FALSE(watcher_->poll(2s, 1));
  EXPECT_EQ(watcher_->words().polls, 1u);
  state_->status = 0;
  EXPECT_FALSE(watcher_->poll(3s, 1)) << "it stays lost";
}

}  // namespace
}  // namespace hone::device::cuda
