#include "device/cuda/watcher.h"

#include <algorithm>
#include <limits>

#include "device/cuda/conditions.h"

namespace hone::device::cuda {

namespace {

// No process has this number: every one is counted.
constexpr uint32_t k_nobody = std::numeric_limits<uint32_t>::max();

// After these no question is answered any more.
bool is_final(NvmlStatus status) {
  return status == NvmlStatus::gpu_is_lost || status == NvmlStatus::uninitialized ||
         status == NvmlStatus::driver_not_loaded;
}

uint64_t larger(uint64_t most, uint64_t now) {
  if (!known(now)) return most;
  return known(most) ? std::max(most, now) : now;
}

// The device has nothing to do, or its load has reached the power limit: both lower a clock as they should.
bool lowers_clock(uint64_t reasons) { return (reasons & (k_throttle_idle | k_throttle_power_cap)) != 0; }

}  // namespace

uint64_t Watcher::note_status(NvmlStatus status, uint64_t answer) {
  lost_ = lost_ || is_final(status);
  return status == NvmlStatus::success ? answer : k_unknown;
}

template <class Answer>
uint64_t Watcher::ask(NvmlStatus (*question)(NvmlDevice, Answer*)) {
  if (question == nullptr || lost_) return k_unknown;
  Answer answer{};
  const NvmlStatus status = question(device_, &answer);
  return note_status(status, answer);
}

template <class Kind, class Answer>
uint64_t Watcher::ask(NvmlStatus (*question)(NvmlDevice, Kind, Answer*), std::type_identity_t<Kind> kind) {
  if (question == nullptr || lost_) return k_unknown;
  Answer answer{};
  const NvmlStatus status = question(device_, kind, &answer);
  return note_status(status, answer);
}

void Watcher::look_at_reasons() {
  words_.reasons_now = ask(nvml_.device_get_throttle_reasons);
  if (!known(words_.reasons_now)) return;
  words_.reasons_seen |= words_.reasons_now;
  for (const HolderRow& row : holders()) {
    if ((words_.reasons_now & row.reasons) != 0) ++words_.held_polls[static_cast<size_t>(row.holder)];
  }
}

bool Watcher::is_low() const {
  if (!known(words_.reasons_now) || !known(words_.sm_mhz_now) || lowers_clock(words_.reasons_now)) return false;
  return static_cast<double>(words_.sm_mhz_now) < k_low_clock_fraction * static_cast<double>(words_.sm_mhz_highest);
}

void Watcher::look_at_clock() {
  words_.sm_mhz_now = ask(nvml_.device_get_clock, NvmlClock::sm);
  words_.sm_mhz_highest = larger(words_.sm_mhz_highest, words_.sm_mhz_now);
  const bool idle = known(words_.reasons_now) && (words_.reasons_now & k_throttle_idle) != 0;
  // Unknown is the largest word.
  if (!idle) words_.sm_mhz_lowest = std::min(words_.sm_mhz_lowest, words_.sm_mhz_now);
  words_.low_clock_now = is_low() ? 1 : 0;
  words_.low_clock_polls += words_.low_clock_now;
}

void Watcher::look_around(uint64_t expected_processes) {
  words_.memory_mhz_now = ask(nvml_.device_get_clock, NvmlClock::memory);
  words_.milliwatts_now = ask(nvml_.device_get_power);
  words_.milliwatts_highest = larger(words_.milliwatts_highest, words_.milliwatts_now);
  words_.celsius_now = ask(nvml_.device_get_temperature, NvmlSensor::gpu);
  words_.celsius_highest = larger(words_.celsius_highest, words_.celsius_now);
  look_at_processes(expected_processes);
  if (nvml_.device_get_utilisation == nullptr || lost_) return;
  NvmlUtilisation busy;
  const NvmlStatus status = nvml_.device_get_utilisation(device_, &busy);
  words_.busy_percent_now = note_status(status, busy.gpu_percent);
}

// Numbers of processes are other ones in the watch's own world of them, so they are counted. Where it sees none of
// what is outside, none is foreign.
void Watcher::look_at_processes(uint64_t expected_processes) {
  if (lost_) return;
  const auto processes = nvml_.compute_processes(device_, k_nobody);
  const bool was_known = known(words_.processes_now).has_value();
  words_.processes_now = processes ? processes->size() : k_unknown;
  if (!processes) return;
  const uint64_t foreign = words_.processes_now - std::min(words_.processes_now, expected_processes);
  if (was_known && foreign > words_.foreign_now) ++words_.arrivals;
  words_.foreign_now = foreign;
  words_.foreign_most = std::max(words_.foreign_most, foreign);
}

Status Watcher::poll(Nanoseconds now, uint64_t expected_processes) {
  look_at_reasons();
  look_at_clock();
  if (words_.polls % k_polls_per_look_around == 0) look_around(expected_processes);
  if (lost_) return Error{ErrorCode::environment, "the device is lost"};
  ++words_.polls;
  words_.polled_at_ns = static_cast<uint64_t>(now.count());
  return ok();
}

}  // namespace hone::device::cuda
