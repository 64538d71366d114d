// Ceilings: what this device can do at best, measured by `hone calibrate`, in the judged cache state, on the pinned
// cores. Everything is optional: a rate that was not measured is absent, never 0. Stored per device identity as JSON
// (hone.ceilings/1) in the user data folder; also carried inside judging jobs. Failure: io; contract, for a stored file
// that is not what it should be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/enums.h"
#include "base/json.h"
#include "base/result.h"

namespace hone::device {

struct LevelBandwidth {
  std::string level;                 // "L1", "L2", "L3", "memory"
  uint64_t capacity_bytes = 0;       // largest working set that this level holds; for memory the machine's memory
  double copy_bytes_per_second = 0;  // read + written, the better of ordinary and non-temporal stores
  double read_bytes_per_second = 0;
  std::optional<double> ordinary_copy_bytes_per_second;
  std::optional<double> non_temporal_copy_bytes_per_second;
};

struct ArithmeticRate {
  std::string dtype;            // "f32", "f64", "i32"
  double flops_per_second = 0;  // multiply and add count as two
  int vector_bits = 0;          // the width that reached it
};

struct Ceilings {
  std::string schema = "hone.ceilings/1";
  std::string device_key;  // hex of Identity::key()
  std::string measured_at;
  int threads = 1;
  std::vector<LevelBandwidth> bandwidth;  // from the nearest level out
  std::vector<ArithmeticRate> arithmetic;
  std::optional<double> empty_launch_seconds;
};

template <class A>
void describe(A& a, LevelBandwidth& v) {
  a.field("level", v.level);
  a.field("capacity_bytes", v.capacity_bytes);
  a.field("copy_bytes_per_second", v.copy_bytes_per_second);
  a.field("read_bytes_per_second", v.read_bytes_per_second);
  a.field("ordinary_copy_bytes_per_second", v.ordinary_copy_bytes_per_second);
  a.field("non_temporal_copy_bytes_per_second", v.non_temporal_copy_bytes_per_second);
}

template <class A>
void describe(A& a, ArithmeticRate& v) {
  a.field("dtype", v.dtype);
  a.field("flops_per_second", v.flops_per_second);
  a.field("vector_bits", v.vector_bits);
}

template <class A>
void describe(A& a, Ceilings& v) {
  a.field("schema", v.schema);
  a.field("device_key", v.device_key);
  a.field("measured_at", v.measured_at);
  a.field("threads", v.threads);
  a.field("bandwidth", v.bandwidth);
  a.field("arithmetic", v.arithmetic);
  a.field("empty_launch_seconds", v.empty_launch_seconds);
}

// FOLDER/ceilings/DEVICE_KEY.json, one file per device and thread count.
fs::path ceilings_path(const fs::path& folder, std::string_view device_key, int threads);
Status store_ceilings(Disk& disk, const Ceilings& ceilings, const fs::path& folder = user_data_folder());
// Nothing when this device was never calibrated for so many threads.
Result<std::optional<Ceilings>> load_ceilings(std::string_view device_key, int threads,
                                              const fs::path& folder = user_data_folder());

// A second measurement of one ceiling: the larger rate counts. A level or type that was not there is added.
void raise(Ceilings& ceilings, const LevelBandwidth& again);
void raise(Ceilings& ceilings, const ArithmeticRate& again);

}  // namespace hone::device
