#include "device/cuda/conditions.h"

#include <gmock/gmock.h>

#include "device/cuda/nvml_library.h"

namespace hone::device::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A device under load that nothing holds back.
WatchWords well() {
  WatchWords words;
  words.polls = 100;
  words.reasons_now = 0;
  words.sm_mhz_now = words.sm_mhz_lowest = words.sm_mhz_highest = 1980;
  words.memory_mhz_now = 3201;
  return words;
}

WatchWords later(WatchWords words) {
  words.polls += 3;
  return words;
}

// A poll with these reasons between the two readings, and none any more at the second.
WatchWords met(WatchWords words, uint64_t reasons) {
  words = later(words);
  words.reasons_seen |= reasons;
  for (const HolderRow& row : holders()) {
    if ((row.reasons & reasons) != 0) ++words.held_polls[static_cast<size_t>(row.holder)];
  }
  return words;
}

std::string disturbed_by(const WatchWords& before, const WatchWords& after) {
  const auto conditions = conditions_between(before, after);
  return conditions ? conditions->disturbed_by : "nothing is known";
}

TEST(Conditions, NothingHappenedIsFine) {
  EXPECT_EQ(disturbed_by(well(), later(well())), "");
  EXPECT_EQ(disturbed_by(well(), well()), "") << "no poll in between";
  EXPECT_EQ(disturbed_fraction(well(), later(well())), 0.0);
}

struct ReasonCase {
  uint64_t reason;
  const char* words;  // empty: no fault
};

class Reasons : public testing::TestWithParam<ReasonCase> {};

TEST_P(Reasons, BetweenTheReadings) {
  EXPECT_EQ(disturbed_by(well(), met(well(), GetParam().reason)), GetParam().words);
}

TEST_P(Reasons, AtTheFirstOfThem) {
  WatchWords before = well();
  before.reasons_now = GetParam().reason;
  EXPECT_EQ(disturbed_by(before, later(well())), GetParam().words);
}

TEST_P(Reasons, LongOver) {
  const WatchWords before = met(well(), GetParam().reason);
  EXPECT_EQ(disturbed_by(before, later(before)), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, Reasons,
    testing::Values(ReasonCase{k_throttle_idle, ""}, ReasonCase{k_throttle_user_clocks, ""},
                    ReasonCase{k_throttle_display_clocks, ""}, ReasonCase{k_throttle_power_cap, ""},
                    ReasonCase{k_throttle_sync_boost, ""}, ReasonCase{uint64_t{1} << 40, ""},
                    ReasonCase{k_throttle_software_thermal, "heat held the clocks back"},
                    ReasonCase{k_throttle_hardware_thermal, "heat held the clocks back"},
                    ReasonCase{k_throttle_hardware_slowdown, "the hardware's slowdown held the clocks back"},
                    ReasonCase{k_throttle_power_brake, "the hardware's slowdown held the clocks back"}));

TEST(Conditions, EveryReasonHasOneHolder) {
  for (int bit = 0; bit < 64; ++bit) {
    int rows = 0;
    for (const HolderRow& row : holders()) rows += (row.reasons >> bit & 1) != 0 ? 1 : 0;
    EXPECT_EQ(rows, 1) << bit;
  }
  for (size_t i = 0; i < holders().size(); ++i) EXPECT_EQ(static_cast<size_t>(holders()[i].holder), i);
}

TEST(Conditions, ALowClockBetweenOrBefore) {
  WatchWords low = later(well());
  ++low.low_clock_polls;
  EXPECT_EQ(disturbed_by(well(), low), "the SM clock fell below 75 % of the highest seen");
  EXPECT_EQ(disturbed_by(low, later(low)), "");
  low.low_clock_now = 1;
  EXPECT_THAT(disturbed_by(low, later(low)), HasSubstr("fell below"));
}

TEST(Conditions, AProcessThatComesDisturbsAndOneThatIsThereDoesNot) {
  WatchWords resident = well();
  resident.foreign_now = resident.foreign_most = 1;
  EXPECT_EQ(disturbed_by(resident, later(resident)), "");
  WatchWords more = later(resident);
  ++more.arrivals;
  EXPECT_EQ(disturbed_by(resident, more), "another process began to compute on the device");
  EXPECT_EQ(disturbed_fraction(resident, more), 1.0);
}

TEST(Conditions, WithoutReadingsNothingIsKnown) {
  EXPECT_EQ(disturbed_fraction(std::nullopt, well()), std::nullopt);
  EXPECT_EQ(disturbed_fraction(well(), std::nullopt), std::nullopt);
  EXPECT_FALSE(conditions_between(later(well()), well())) << "not of one watch";
}

TEST(Conditions, ADeviceThatSaysNoReasonsIsNotJudged) {
  WatchWords mute = well();
  mute.reasons_now = k_unknown;
  EXPECT_FALSE(conditions_between(mute, well()));
  EXPECT_FALSE(conditions_between(well(), mute));
}

TEST(Conditions, TheNoteIsOneLine) {
  WatchWords words = met(met(well(), k_throttle_power_cap), k_throttle_power_cap);
  words.sm_mhz_lowest = 1755;
  words.celsius_highest = 54;
  words.milliwatts_highest = 428'400;
  words.foreign_most = 2;
  EXPECT_EQ(note_on(words),
            "SM clock 1755 to 1980 MHz, memory 3201 MHz, at most 54 °C and 428 W; of 106 looks 2 met the power limit; "
            "up to 2 other processes computed on it");
}

TEST(Conditions, TheNoteLeavesOutWhatIsNotKnown) {
  WatchWords words;
  words.polls = 1;
  EXPECT_EQ(note_on(words), "of 1 look none met what holds clocks back");
  words.sm_mhz_highest = 345;  // idle all the time
  EXPECT_EQ(note_on(words), "SM clock 345 MHz; of 1 look none met what holds clocks back");
}

TEST(Conditions, TheNoteTellsEveryClassButTheHarmless) {
  WatchWords words = well();
  for (const HolderRow& row : holders()) words = met(words, row.reasons);
  words.low_clock_polls = 4;
  const std::string note = note_on(words);
  for (const HolderRow& row : holders()) {
    if (row.effect == Effect::none) continue;
    EXPECT_THAT(note, HasSubstr("1 met " + std::string(row.words)));
  }
  EXPECT_THAT(note, HasSubstr("4 met a low clock"));
  EXPECT_THAT(note, Not(HasSubstr("settings")));
}

}  // namespace
}  // namespace hone::device::cuda
