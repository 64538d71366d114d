// Watcher: looks at one device through NVML and sums up what it sees. It is the watch's own side; who judges what was
// seen is conditions.h. Borrows the library. Failure: environment, once the device is lost; a question that a device
// does not answer leaves its word unknown. One thread.
#pragma once

#include <type_traits>

#include "device/cuda/nvml_library.h"
#include "device/cuda/watch_page.h"

namespace hone::device::cuda {

class Watcher {
 public:
  Watcher(const NvmlLibrary& nvml, NvmlDevice device) : nvml_(nvml), device_(device) {}

  // `expected_processes`: how many of hone's own compute on the device at most.
  Status poll(Nanoseconds now, uint64_t expected_processes);
  const WatchWords& words() const { return words_; }

 private:
  void look_at_reasons();
  void look_at_clock();
  void look_around(uint64_t expected_processes);
  void look_at_processes(uint64_t expected_processes);
  bool is_low() const;
  // The answer as a word; a lost device is remembered.
  template <class Answer>
  uint64_t ask(NvmlStatus (*question)(NvmlDevice, Answer*));
  template <class Kind, class Answer>
  uint64_t ask(NvmlStatus (*question)(NvmlDevice, Kind, Answer*), std::type_identity_t<Kind> kind);
  uint64_t note_status(NvmlStatus status, uint64_t answer);

  const NvmlLibrary& nvml_;
  NvmlDevice device_;
  WatchWords words_;
  bool lost_ = false;
};

}  // namespace hone::device::cuda
