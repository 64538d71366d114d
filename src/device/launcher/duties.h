// Duties: what a launcher does to buffers around a foreign launch (JUDGE.md 2, steps 2 to 4, 6 and 7), by hone's own
// kernels on a Driver: fill, poison, guards, sums, cold caches, gathering, overwriting.
// Everything is queued in order and seen by the next read or timed launch. Owns its memory on the device, as long as
// the Driver lives. Failure: as the Driver. One thread.
#pragma once

#include <map>
#include <vector>

#include "device/launcher/driver.h"
#include "device/launcher/wire.h"

namespace hone::device::launcher {

// The text of the kernels for a language: "cuda", "hip" or "opencl".
std::string duties_text(std::string_view language);

class Duties {
 public:
  // `binary` was built from duties_text for this device; `most_bytes` is the largest gather into one view.
  static Result<Duties> make(Driver& driver, std::string_view binary);

  Status draw(const View& payload, const DrawRecord& record, const StreamWords& stream);
  Status pattern(const View& payload, uint64_t pattern);
  Status noise(const View& zone, const StreamWords& stream);
  Status check_noise(const View& zone, const StreamWords& stream, uint32_t slot, uint32_t bit);
  Status sum(const View& payload, uint32_t slot);
  Status clear_results(uint32_t set);
  Status gather(Memory from, const std::vector<uint64_t>& ranges, const View& to);
  // The words of a set, to an offset within `to`.
  Status gather_results(uint32_t set, uint64_t offset, const View& to);
  Status make_caches_cold();
  // The kernels that do so, in order.
  std::vector<Launch> cold_launches();
  Status scrub_shared();

  // Words of what was found, of every set its own: guards first, then two sums of two words for every parameter.
  static constexpr uint32_t k_guard_slots = 4;
  static constexpr uint32_t k_slots_per_set = k_guard_slots + 4 * k_most_parameters;
  static constexpr uint64_t k_set_bytes = k_slots_per_set * sizeof(uint32_t);

 private:
  explicit Duties(Driver& driver) : driver_(&driver) {}
  Launch launch_of(std::string_view kernel, uint64_t threads, std::vector<Argument> arguments) const;
  Status run(std::string_view kernel, uint64_t threads, std::vector<Argument> arguments);

  Driver* driver_;
  Module module_;
  std::map<std::string, Function, std::less<>> functions_;
  Memory results_;
  Memory ranges_;
  Memory flush_;
  uint64_t flush_bytes_ = 0;
  uint32_t flushes_ = 0;
};

}  // namespace hone::device::launcher
