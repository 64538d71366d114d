// The page that judge and watch share, version 1: what one device has been like since the watch began.
//
// Constraints: fixed size and layout, words alone, no pointers; sealed against shrinking and growing. No candidate is
// ever near it, yet a vendor's library runs in the writer's process: the judge takes nothing from it but whether to
// discard a quad, and figures for a note. Layout: the plan (written by the judge before the start), one word that the
// judge may change at any time, the watch's state, and its words, which are whole while `sequence` is even and has not
// moved. Recovery: none; words that stand still or do not settle are no reading. Versioning: `version` must match
// exactly, since both sides are the same executable.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "base/clock.h"

namespace hone::device::cuda {

inline constexpr uint32_t k_watch_version = 1;
// Descriptors of a watch: the judge's end of the socket says by closing that it is over.
inline constexpr int k_watch_socket = 3;
inline constexpr int k_watch_page = 4;

enum class WatchState : uint32_t { starting, watching, no_library, no_device, lost_device };

// What holds a device's clocks back, in classes (conditions.h).
inline constexpr size_t k_holders = 5;

inline constexpr uint64_t k_unknown = std::numeric_limits<uint64_t>::max();  // the device does not say, or not yet
inline std::optional<uint64_t> known(uint64_t word) { return word == k_unknown ? std::nullopt : std::optional(word); }

// One poll after another, summed up. "now" is the last poll; counts only grow.
struct WatchWords {
  uint64_t polls = 0;
  uint64_t polled_at_ns = 0;            // SystemClock::now(), which all processes of a machine share
  uint64_t reasons_now = k_unknown;     // NVML's bits of what holds the clocks back
  uint64_t reasons_seen = 0;            // all of them together
  uint64_t held_polls[k_holders] = {};  // polls in which a reason of that class stood
  uint64_t low_clock_now = 0;           // 1: far below the highest clock seen, for no reason that is the load's own
  uint64_t low_clock_polls = 0;
  uint64_t sm_mhz_now = k_unknown;
  uint64_t sm_mhz_lowest = k_unknown;  // while the device was not idle
  uint64_t sm_mhz_highest = k_unknown;
  uint64_t memory_mhz_now = k_unknown;  // from here on: asked now and then
  uint64_t milliwatts_now = k_unknown;
  uint64_t milliwatts_highest = k_unknown;
  uint64_t celsius_now = k_unknown;
  uint64_t celsius_highest = k_unknown;
  uint64_t busy_percent_now = k_unknown;  // share of the last moments in which some kernel ran
  uint64_t processes_now = k_unknown;     // that compute on it, hone's own launchers among them
  uint64_t foreign_now = 0;               // of these more than are hone's
  uint64_t foreign_most = 0;
  uint64_t arrivals = 0;  // times at which there were more foreign ones than a look before
};

inline constexpr size_t k_watch_words = sizeof(WatchWords) / sizeof(uint64_t);
static_assert(sizeof(WatchWords) == k_watch_words * sizeof(uint64_t));

struct WatchPage {
  uint32_t version = k_watch_version;
  char uuid[96] = {};       // "GPU-…"
  char library[1024] = {};  // NVML's file; empty: its usual name

  alignas(64) uint64_t expected_processes = 0;  // hone's own contexts on the device
  alignas(64) uint32_t state = 0;               // WatchState
  alignas(64) uint64_t sequence = 0;            // odd while words are being written
  uint64_t words[k_watch_words] = {};
};

// The watch's side.
void publish(WatchPage& page, const WatchWords& words);
// The judge's side; nothing where the words did not settle. No system call.
std::optional<WatchWords> settled_words(const WatchPage& page);

}  // namespace hone::device::cuda
