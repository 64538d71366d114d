#include "device/cuda/conditions.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "device/cuda/nvml_library.h"

namespace hone::device::cuda {

namespace {

constexpr uint64_t k_heat = k_throttle_software_thermal | k_throttle_hardware_thermal;
// A power brake is pulled from outside the board: a failing or overloaded supply.
constexpr uint64_t k_hardware = k_throttle_hardware_slowdown | k_throttle_power_brake;
// An idle device, and clocks that somebody chose, are as they should be.
constexpr uint64_t k_settings = k_throttle_idle | k_throttle_user_clocks | k_throttle_display_clocks;
constexpr uint64_t k_others = ~(k_heat | k_hardware | k_throttle_power_cap | k_settings);

constexpr HolderRow k_rows[] = {
    {Holder::heat, Effect::discards, k_heat, "heat"},
    {Holder::hardware, Effect::discards, k_hardware, "the hardware's slowdown"},
    {Holder::power, Effect::noted, k_throttle_power_cap, "the power limit"},
    {Holder::others, Effect::noted, k_others, "other reasons"},  // a group that boosts as its slowest device does
    {Holder::settings, Effect::none, k_settings, "settings"},
};
static_assert(std::size(k_rows) == k_holders);

const HolderRow* held_by(const WatchWords& before, const WatchWords& after) {
  for (const HolderRow& row : k_rows) {
    const auto index = static_cast<size_t>(row.holder);
    const bool held = (before.reasons_now & row.reasons) != 0 || before.held_polls[index] != after.held_polls[index];
    if (row.effect == Effect::discards && held) return &row;
  }
  return nullptr;
}

bool was_low(const WatchWords& before, const WatchWords& after) {
  return before.low_clock_now != 0 || before.low_clock_polls != after.low_clock_polls;
}

bool can_judge(const WatchWords& words) { return known(words.reasons_now).has_value(); }

// "345 MHz" or "345 to 1980 MHz".
std::string range_text(uint64_t low, uint64_t high) {
  return low == high ? fmt::format("{} MHz", low) : fmt::format("{} to {} MHz", low, high);
}

std::string clocks_text(const WatchWords& words) {
  std::vector<std::string> parts;
  const auto high = known(words.sm_mhz_highest);
  if (high) parts.push_back("SM clock " + range_text(known(words.sm_mhz_lowest).value_or(*high), *high));
  if (const auto mhz = known(words.memory_mhz_now)) parts.push_back(fmt::format("memory {} MHz", *mhz));
  return join(parts, ", ");
}

std::string extremes_text(const WatchWords& words) {
  std::vector<std::string> parts;
  if (const auto celsius = known(words.celsius_highest)) parts.push_back(fmt::format("{} °C", *celsius));
  if (const auto milliwatts = known(words.milliwatts_highest))
    parts.push_back(fmt::format("{:.0f} W", static_cast<double>(*milliwatts) / 1e3));
  return parts.empty() ? "" : "at most " + join(parts, " and ");
}

std::string holders_text(const WatchWords& words) {
  std::vector<std::string> parts;
  for (const HolderRow& row : k_rows) {
    const uint64_t polls = words.held_polls[static_cast<size_t>(row.holder)];
    if (row.effect != Effect::none && polls > 0) parts.push_back(fmt::format("{} met {}", polls, row.words));
  }
  if (words.low_clock_polls > 0) parts.push_back(fmt::format("{} met a low clock", words.low_clock_polls));
  return fmt::format("of {} {}", counted(words.polls, "look"),
                     parts.empty() ? "none met what holds clocks back" : join(parts, ", "));
}

std::string foreign_text(uint64_t most) {
  if (most == 0) return "";
  return most == 1 ? "1 other process computed on it" : fmt::format("up to {} other processes computed on it", most);
}

}  // namespace

std::span<const HolderRow> holders() { return k_rows; }

std::optional<Conditions> conditions_between(const std::optional<WatchWords>& before,
                                             const std::optional<WatchWords>& after) {
  if (!before || !after || !can_judge(*before) || !can_judge(*after)) return std::nullopt;
  if (after->polls < before->polls) return std::nullopt;  // not of one watch
  if (const HolderRow* row = held_by(*before, *after))
    return Conditions{fmt::format("{} held the clocks back", row->words)};
  if (was_low(*before, *after))
    return Conditions{fmt::format("the SM clock fell below {} of the highest seen", percent(k_low_clock_fraction, 0))};
  if (before->arrivals != after->arrivals) return Conditions{"another process began to compute on the device"};
  return Conditions{};
}

std::optional<double> disturbed_fraction(const std::optional<WatchWords>& before,
                                         const std::optional<WatchWords>& after) {
  const auto conditions = conditions_between(before, after);
  if (!conditions) return std::nullopt;
  return conditions->is_fine() ? 0.0 : 1.0;
}

std::string note_on(const WatchWords& words) {
  std::vector<std::string> figures;
  for (std::string text : {clocks_text(words), extremes_text(words)}) {
    if (!text.empty()) figures.push_back(std::move(text));
  }
  std::vector<std::string> parts;
  if (!figures.empty()) parts.push_back(join(figures, ", "));
  parts.push_back(holders_text(words));
  if (std::string text = foreign_text(words.foreign_most); !text.empty()) parts.push_back(std::move(text));
  return join(parts, "; ");
}

}  // namespace hone::device::cuda
