// LoadedArms: what a launcher holds of the candidates that were loaded: module, functions, sets of buffers; and the
// steps of a launch on them (JUDGE.md 2), made of Duties and the Driver. Ownership: everything of an arm is freed when
// it is unloaded. Failure: as the Driver; internal for a request that does not fit what was loaded. One thread.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "device/launcher/driver.h"
#include "device/launcher/duties.h"
#include "device/launcher/wire.h"

namespace hone::device::launcher {

struct LoadOrder {
  std::string_view binary;
  std::vector<std::string> entries;
  std::vector<ParameterRecord> parameters;
  std::map<uint32_t, std::string> constants;  // by parameter: those that are no arguments
  uint32_t sets = 1;
  uint64_t layout_seed = 0;
};

struct StageOrder {
  uint32_t arm = 0;
  uint32_t set = 0;
  uint32_t cold = 1;
  std::vector<StageRecord> buffers;
  std::vector<ValueRecord> values;
  std::vector<TensorMapRecord> tensor_maps;
  std::vector<StepRecord> steps;
};

// What is to be collected of a set, and where to: range after range, each at a multiple of 16.
struct CollectOrder {
  std::vector<RangeRecord> ranges;
  std::span<std::byte> area;
};

struct Launched {
  LaunchOutcome outcome;
  std::optional<FindingsRecord> findings;  // of what was collected along with it
};

class LoadedArms {
 public:
  LoadedArms(Driver& driver, Duties& duties, Placing placing) : driver_(driver), duties_(duties), placing_(placing) {}

  // The arm's number, or what is wrong with the candidate.
  struct Loaded {
    uint32_t arm = 0;
    std::optional<Fault> fault;
  };
  Result<Loaded> load(const LoadOrder& order);
  Status unload(uint32_t arm);
  // Bytes of one buffer that were made on the host, before the stage that says `upload`.
  Status upload(uint32_t arm, uint32_t set, uint32_t parameter, uint64_t offset, std::span<const std::byte> bytes);
  Status stage(const StageOrder& order);
  // Of one set it can be collected at once.
  Result<Launched> launch(uint32_t arm, std::span<const uint32_t> sets, const std::optional<CollectOrder>& collect);
  // `count` launches over the sets in turn with nothing between them but the cache state, or that alone; the time is
  // the device's, of all together.
  Result<LaunchOutcome> window(uint32_t arm, std::span<const uint32_t> sets, uint32_t count, Windowed what);
  Result<FindingsRecord> collect(uint32_t arm, uint32_t set, const CollectOrder& order);
  Status scrub(uint32_t arm, uint32_t set);
  // Of each step; nothing is launched.
  Result<std::vector<OccupancyRecord>> occupancy(uint32_t arm, std::span<const StepRecord> steps);

 private:
  struct Buffer {
    Memory memory;
    uint64_t payload_offset = 0;
    uint64_t payload_bytes = 0;  // of what is staged
    uint64_t allocated_bytes = 0;
    StreamWords guard_before;
    StreamWords guard_after;
    bool staged = false;
    bool sealed = false;
  };
  struct Set {
    std::vector<Buffer> buffers;  // one per parameter, empty for values
    std::vector<ValueRecord> values;
    std::vector<TensorMapRecord> tensor_maps;
    std::vector<StepRecord> steps;
    bool examined = false;  // since it was staged
    bool cold = true;
  };
  struct Arm {
    Module module;
    std::vector<Function> functions;
    std::vector<ParameterRecord> parameters;
    std::map<uint32_t, View> constants;  // by parameter
    std::vector<Set> sets;
    std::mt19937_64 dice;  // of places
    std::optional<uint32_t> last_set;
  };

  Result<Set*> find(uint32_t arm, uint32_t set);
  Result<Set*> find_to_fill(uint32_t arm, uint32_t set);
  uint64_t alignment(const ParameterRecord& parameter) const;
  uint64_t drawn_offset(Arm& arm, const ParameterRecord& parameter) const;
  uint64_t room_for(const ParameterRecord& parameter) const;
  Status allocate(Arm& arm, const LoadOrder& order);
  Result<std::optional<Fault>> find_entries(Arm& arm, const LoadOrder& order);
  Status fill_constants(const Arm& arm, const Set& set);
  Status stage_buffer(const Arm& arm, const StageOrder& order, const StageRecord& record);
  Result<Argument> argument_of(const Arm& arm, const Set& set, uint32_t parameter) const;
  static Result<Launch> shape_of(const Arm& arm, const StepRecord& step);
  Result<Launch> launch_of(const Arm& arm, const Set& set, const StepRecord& step) const;
  Status append_launches(uint32_t arm, const Set& set, std::vector<Launch>& launches);
  std::vector<Launch> examinations_of(Set& set, uint32_t number);
  Status make_room(uint64_t bytes);
  Result<std::vector<Launch>> gathering(const Set& set, uint32_t number, const CollectOrder& order);
  Result<FindingsRecord> read_gathered(const Set& set, const CollectOrder& order);
  void release(Arm& arm);
  View payload_of(const Buffer& buffer) const;
  Zones zones_of(const Buffer& buffer) const;

  Driver& driver_;
  Duties& duties_;
  Placing placing_;
  std::map<uint32_t, Arm> arms_;
  uint32_t next_arm_ = 1;
  std::optional<Memory> staging_;
  uint64_t staging_bytes_ = 0;
};

}  // namespace hone::device::launcher
