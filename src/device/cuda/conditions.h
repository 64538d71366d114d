// Conditions of a GPU between two readings of its watch: fine, or disturbed and by what; and one line about them for a
// verdict. They decide whether a quad is discarded, never a time (JUDGE.md 3).
//
// A disturbance counts when something else than the load makes it. What an arm can bring about itself is only noted: a
// power limit is reached by the kernel that draws the power, so a candidate could have its slow launches discarded; it
// falls on both arms of a quad, whose order is drawn. A process that is there all the time is noted as well: discarding
// would lose every quad.
// Pure functions over plain values, no failure, any thread. Absent: nothing is known of that time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/cuda/watch_page.h"

namespace hone::device::cuda {

// ---- thresholds ----

// An SM clock below this share of the highest one seen is another device than the one that was measured before. It is
// the share of the default clock below which nvbench discards a sample; steps of the ordinary boost are a few percent.
inline constexpr double k_low_clock_fraction = 0.75;
// Between two polls. NVML takes about 2 ms for a question, and a clock that falls stays low for tens of milliseconds.
inline constexpr Nanoseconds k_poll_interval = std::chrono::milliseconds(4);
// One poll in so many asks also what changes slowly or is dear to ask: memory clock, power, temperature, processes.
inline constexpr uint64_t k_polls_per_look_around = 16;
// A watch whose last poll is older says nothing: dead, stopped, or stuck in its driver. Some forty polls of all kinds.
inline constexpr Nanoseconds k_stale_after = std::chrono::milliseconds(500);

// ---- what holds clocks back ----

enum class Holder : uint32_t { heat, hardware, power, others, settings };
enum class Effect { none, noted, discards };

struct HolderRow {
  Holder holder;
  Effect effect;
  uint64_t reasons;  // NVML's bits
  std::string_view words;
};

// One row per Holder, in its order; their bits are all that can be, so that a newer driver's reasons are others.
std::span<const HolderRow> holders();

// ---- judgements ----

struct Conditions {
  std::string disturbed_by;  // "heat held the clocks back"; empty: fine
  bool is_fine() const { return disturbed_by.empty(); }
};

// Between two readings of one watch, and at the first of them: a launch is shorter than the time between two polls.
std::optional<Conditions> conditions_between(const std::optional<WatchWords>& before,
                                             const std::optional<WatchWords>& after);

// The same as LaunchOutcome has it: all of the window or nothing of it.
std::optional<double> disturbed_fraction(const std::optional<WatchWords>& before,
                                         const std::optional<WatchWords>& after);

// "SM clock 1755 to 1980 MHz, memory 3201 MHz, at most 54 °C and 428 W; of 1234 looks 12 met the power limit"
std::string note_on(const WatchWords& words);

}  // namespace hone::device::cuda
