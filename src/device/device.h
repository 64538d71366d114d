// Device: what the judge needs of a backend, and nothing else: compile, load, and on a loaded arm stage, launch,
// collect, scrub. The device knows nothing of tasks' meaning, of secrets beyond one launch's sub-key, or of decisions.
//
//   Device::compile   candidate files → Artefact (confined build; cached by content)
//   Device::load      Artefact → Arm: one fresh confined process (host code) or module load (device only) with fresh
//   buffers Arm::stage        steps 2 to 4 of a launch (JUDGE.md 2): inputs from the sub-key, poison and guards, cache
//   state Arm::launch       step 5: mark, launch, mark Arm::collect      step 6: guards checked, outputs copied to the
//   judge's private memory Arm::scrub        step 7: outputs overwritten
//
// Ownership: an Arm owns its process and its buffers and ends both when destroyed, whatever state they are in.
// Failures of the candidate are values (Fault), never errors; Result errors mean that the machine or hone failed.
// One thread drives a Device and its Arms; at most one arm is thawed at any time. compile() alone may be called from
// any number of threads at once, of one device and of several over one cache (device/build_pool.h), each of which
// outlives its call.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "base/result.h"
#include "device/fill.h"
#include "device/header_roots.h"
#include "device/resources.h"
#include "device/sanitized.h"
#include "task/candidate.h"
#include "task/launch.h"
#include "task/tensor_map.h"

namespace hone::device {

enum class Trust { device_only, host_code };

// What a figure is bound to. `key` is a digest over all of it but `uuid` and `launch_limits`, which follow from the
// rest.
struct Identity {
  std::string kind;        // "cpu"
  std::string name;        // CPU model
  std::string uuid;        // of this very device; for a CPU a digest of model, cores and machine id
  std::vector<int> cores;  // the pinned core set
  uint64_t memory_bytes = 0;
  std::vector<uint64_t> cache_bytes;  // per level, as one core of the set sees them
  Trust trust = Trust::host_code;
  std::string toolchain;  // "g++ 12.2.0"
  std::string compiler_path;
  // What one launch may ask for; absent where hone launches nothing itself.
  std::optional<task::LaunchLimits> launch_limits = std::nullopt;
  bool is_of_cores() const { return !cores.empty(); }  // arms run on them, pinned
  Digest key() const;
};

// One launch of a device-only candidate: the kernel, and what it is given.
struct LaunchedKernel {
  std::string entry;
  std::vector<task::Handed> parameters;
  friend bool operator==(const LaunchedKernel&, const LaunchedKernel&) = default;
};

struct CompileRequest {
  std::vector<task::CandidateFile> files;
  std::vector<std::string> sources;  // which of the files are compiled, in order
  std::string entry;
  std::map<std::string, std::string> macros;  // tunables, -DNAME=VALUE
  std::vector<std::string> options;           // ids of task/compile_options.h, [kernel] flags first
  // Of a device-only candidate, whose kernels are to be there and fit. Of a host function: what it is prepared by,
  // which is to be there beside it.
  std::vector<LaunchedKernel> launches = {};
  std::vector<HeaderRoot> header_roots = {};  // folders that the build may read besides, searched in this order
  int threads = 1;                            // > 1 adds -fopenmp
  Nanoseconds deadline = std::chrono::seconds(60);
  friend bool operator==(const CompileRequest&, const CompileRequest&) = default;
};

// What the entry returns: a status (int, 0 = it worked) or nothing. Symbols do not say; the preprocessed text does.
enum class Returns { status, nothing };

struct Artefact {
  Digest digest;                                // over the objects' bytes
  std::map<std::string, Returns> returns = {};  // of a host function, by name; another one is not called
  std::filesystem::path folder;                 // objects, owned by the artefact cache
  std::vector<std::string> objects;
  std::vector<KernelResources> resources = {};  // where the binary says: of every kernel in it
};

enum class CompileFault { compile_error, timeout, no_entry };

struct CompileOutcome {
  std::optional<Artefact> artefact;
  std::optional<CompileFault> fault;  // exactly one of the two is present
  std::string messages;               // of the compiler, untrusted, ≤ 64 KiB, control characters removed
  Nanoseconds took{0};                // of the build; 0 where the cache had it
  std::string explanation = {};       // of a fault, in hone's own words; may be empty
};

enum class ParameterKind : uint32_t { value, buffer, local, tensor_map };

// One kernel parameter as the arm sees it: a buffer (by position among the buffers), a scalar of a type, memory of a
// work group, or a descriptor of a buffer's tiles.
struct ParameterLayout {
  ParameterKind kind = ParameterKind::value;
  task::DType dtype = task::DType::f32;
  uint64_t capacity_bytes = 0;  // of a buffer: the largest payload of any case that this arm will run
  uint64_t align_bytes = 256;
  bool written = false;  // out, inout, scratch: the arm may write; else it is mapped read-only
  // Of a buffer that no kernel takes as a parameter: the module's constant that gets its content before every launch.
  std::string constant = {};

  bool is_buffer() const { return kind == ParameterKind::buffer; }
};

// Distances between the start of a load's code and its page that a backend can choose from, by number.
inline constexpr uint32_t k_pads = 64;

// May the arm use libraries of the system besides the runtimes of its language?
enum class LibraryCalls { refused, allowed };

// One kernel that hone starts itself, or a host function, which has no sizes. They are in blocks, threads and bytes.
struct LaunchStep {
  std::string entry;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  std::array<uint32_t, 3> cluster{1, 1, 1};
  uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<size_t> arguments;  // positions among the parameters, in the kernel's order
};

// The entries that steps name, each once, in their order.
std::vector<std::string> kernels_of(std::span<const LaunchStep> steps);

struct LoadRequest {
  Artefact artefact;
  std::string entry;
  // Of an arm that hone launches: all that will be asked of it. Without any a host function is called with everything.
  std::vector<LaunchStep> steps = {};
  std::string context = {};                 // device-only arms with the same one share it; host code never does
  std::vector<ParameterLayout> parameters;  // in the kernel's order
  int sets = 2;                             // ring of buffer sets, each buffer its own allocation
  int threads = 1;
  uint64_t memory_limit_bytes = 8ull << 30;
  Nanoseconds start_deadline = std::chrono::seconds(20);
  LibraryCalls library_calls = LibraryCalls::refused;
  uint64_t layout_seed = 0;     // secret: allocation order, offsets and the pad follow from it
  std::optional<uint32_t> pad;  // secret: this one of the k_pads in front of the code instead
};

// A parameter that the arm encodes anew for every launch, since its buffer moves.
struct TensorMapPlan {
  size_t parameter = 0;
  task::BoundTensorMap map;
};

enum class CacheState { cold, warm };

// What one launch works on. `plans` has one entry per parameter (ignored for scalars). The argument index of fill() and
// poison() is the parameter's position in the kernel's order. One sub-key stands for one content: staging it again
// copies.
struct StagePlan {
  Digest sub_key;
  std::vector<FillPlan> plans;  // in, inout: content; out, scratch: dtype and count for the poison
  std::vector<task::Role> roles;
  std::vector<task::BoundValue> scalars;  // one per parameter (ignored for buffers)
  std::vector<LaunchStep> steps;          // what is started, in order; none: the host function, with everything
  std::vector<TensorMapPlan> tensor_maps = {};
  CacheState cache = CacheState::cold;
};

enum class FaultKind { crashed, timed_out, bad_return, load_failed, launch_refused, too_many_threads, memory };

struct Fault {
  FaultKind kind = FaultKind::crashed;
  int signal_or_code = 0;
  std::string message;  // one line, trusted text
  std::string output;   // what the candidate printed, untrusted, ≤ 64 KiB
};

struct LaunchOutcome {
  std::optional<double> nanoseconds;  // by the deciding clock, per launch of the group; absent on a fault
  std::optional<Fault> fault;
  // Share (0 … 1) of the window in which somebody else ran on the arm's cores, or its device was held back; absent
  // where nothing can say.
  std::optional<double> disturbed_fraction = std::nullopt;
};

// Bytes [offset, offset + size) of one parameter's payload.
struct Range {
  size_t parameter = 0;
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
  bool operator==(const Range&) const = default;
};

struct Collected {
  std::vector<std::vector<std::byte>> bytes;  // one per range asked for; private copies
  bool guards_intact = true;
  bool inputs_intact = true;
  std::string violation;  // which parameter, where; empty when intact
};

// Many launches behind one another, over the sets in turn, each from the declared cache state; or those states alone.
enum class Windowed : uint32_t { launches, cache_states };

class Arm {
 public:
  virtual ~Arm() = default;
  virtual Status stage(int set, const StagePlan& plan) = 0;
  // What will be collected of the next launch: where asking costs much, it comes along with the launch. A hint.
  virtual void expect(std::span<const Range> ranges) { std::ignore = ranges; }
  // Launches the sets in order, timed as one group; one set is the usual call. Deadline is for the whole group.
  virtual Result<LaunchOutcome> launch(std::span<const int> sets, Nanoseconds deadline) = 0;
  // A little work of the arm's own process on the device, that concerns no set and is waited for: the device has
  // changed hands then.
  virtual Status step_in() { return ok(); }
  // Nanoseconds of all `count` of them together, by the judge's own clock, to hold the device's clock against. Sets are
  // staged as for a launch, and keep the last outputs. Where the judge's clock decides anyway nobody asks.
  virtual Result<LaunchOutcome> window(std::span<const int> sets, size_t count, Windowed what, Nanoseconds deadline) {
    std::ignore = std::tuple(sets, count, what, deadline);
    return Error{ErrorCode::internal, "this arm has no windows"};
  }
  // How full each step, launched alone, can keep a multiprocessor: one answer a step, absent where nothing says.
  // Launches nothing; not to be asked between a stage and its launch.
  virtual Result<std::vector<std::optional<Occupancy>>> occupancy(std::span<const LaunchStep> steps) {
    return std::vector<std::optional<Occupancy>>(steps.size());
  }
  virtual Result<Collected> collect(int set, std::span<const Range> ranges) = 0;
  virtual Status scrub(int set) = 0;
};

struct LoadOutcome {
  std::unique_ptr<Arm> arm;  // or
  std::optional<Fault> fault;
};

// One launch that a checker of device code is to watch, in buffers as large as its own load says.
struct WatchedLaunch {
  LoadRequest load;
  StagePlan plan;
  std::optional<StagePlan> preparing = {};  // comes first, and fills derived buffers of `plan` (device/preparation.h)
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const Identity& identity() const = 0;
  virtual Result<CompileOutcome> compile(const CompileRequest& request) = 0;
  virtual Result<LoadOutcome> load(const LoadRequest& request) = 0;
  // Layers of confinement that were active for the last build and the last load, by name.
  virtual std::vector<std::string> active_layers() const = 0;
  // Launches below the vendor's checker of device code, tool after tool until one finds something, each within its
  // share of the limit; a launch that is not begun in time is left out. Empty where a device has no such checker.
  virtual Result<std::vector<SanitizerRun>> sanitize(std::span<const WatchedLaunch> launches, Nanoseconds limit) {
    std::ignore = std::tuple(launches, limit);
    return std::vector<SanitizerRun>();
  }
  // What the device has been like since it was opened, in one line; absent where nothing looks at it.
  virtual std::optional<std::string> conditions() const { return std::nullopt; }
};

}  // namespace hone::device

namespace hone {
template <>
struct EnumNames<device::Trust> {
  using T = device::Trust;
  static constexpr EnumName<T> table[] = {{T::device_only, "device-only"}, {T::host_code, "host-code"}};
};
template <>
struct EnumNames<device::Returns> {
  using T = device::Returns;
  static constexpr EnumName<T> table[] = {{T::status, "status"}, {T::nothing, "nothing"}};
};
template <>
struct EnumNames<device::CompileFault> {
  using T = device::CompileFault;
  static constexpr EnumName<T> table[] = {
      {T::compile_error, "compile_error"}, {T::timeout, "timeout"}, {T::no_entry, "no_entry"}};
};
template <>
struct EnumNames<device::FaultKind> {
  using T = device::FaultKind;
  static constexpr EnumName<T> table[] = {{T::crashed, "crashed"},
                                          {T::timed_out, "timed_out"},
                                          {T::bad_return, "bad_return"},
                                          {T::load_failed, "load_failed"},
                                          {T::launch_refused, "launch_refused"},
                                          {T::too_many_threads, "too_many_threads"},
                                          {T::memory, "memory"}};
};
}  // namespace hone
