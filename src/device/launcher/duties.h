// Duties: what a launcher does to buffers around a foreign launch (JUDGE.md 2, steps 2 to 4, 6 and 7), by hone's own
// kernels on a Driver: fill, poison, guards, sums, cold caches, gathering, overwriting.
// Everything is queued in order and seen by the next read or timed launch. Owns its memory on the device, as long as
// the Driver lives. Failure: as the Driver. One thread.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "device/launcher/driver.h"
#include "device/launcher/wire.h"

namespace hone::device::launcher {

// What hone's own kernels begin with in a language: "cuda", "hip" or "opencl"; and the duties' kernels behind it.
std::string prelude_text(std::string_view language);
std::string duties_text(std::string_view language);

// Whether a kernel of that name is one of them.
bool is_duty(std::string_view kernel);

// Where a buffer's content lies in its memory, and what is written on either side of it: all of the memory that the
// content leaves.
struct Zones {
  Memory memory;
  uint64_t begin_bytes = 0;
  uint64_t payload_bytes = 0;
  uint64_t all_bytes = 0;
  StreamWords before;
  StreamWords after;
};

// Bytes [from, from + size) of a memory that are gathered, and their place among all that is.
struct GatheredRange {
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t size_bytes = 0;
};

// Of each memory the ranges that are wanted.
using GatherTable = std::vector<std::pair<Memory, std::vector<GatheredRange>>>;

// The parameter of a set, by whose numbers what is found is kept.
struct Place {
  uint32_t set = 0;
  uint32_t parameter = 0;
};

class Duties {
 public:
  // `binary` was built from duties_text for this device.
  static Result<Duties> make(Driver& driver, std::string_view binary);

  // Content and guards; of what is sealed its sum as well.
  Status stage(const Zones& zones, const StageRecord& record, Place place);
  // Looks at the guards, and takes the sum again.
  Launch examination(const Zones& zones, Place place, bool is_sealed) const;
  Status pattern(const View& payload, uint64_t pattern);
  // Brings the ranges into `to`, and to `to_words` of it the words of a set, when the launches are queued: at the next
  // one of these their table is another.
  Result<std::vector<Launch>> gathering(const GatherTable& table, uint32_t set, const View& to, uint64_t to_words);
  // What the words of a set say of the parameters that were staged, a bit each.
  static FindingsRecord findings_in(std::span<const uint32_t> words, uint64_t staged);
  Launch cold_caches() const;
  Status touch();  // the least that a device can do
  Status scrub_shared();

  // Words of what was found, of every set its own: guards first, then two sums of two words for every parameter.
  static constexpr uint32_t k_words_per_set = 4 + 4 * k_most_parameters;
  static constexpr uint64_t k_set_bytes = k_words_per_set * sizeof(uint32_t);

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
};

}  // namespace hone::device::launcher
