// The page that judge and runner share: the protocol of docs/runner-protocol.md, version 3.
//
// Constraints: fixed size and layout, little words only, no pointers. The runner's process is hostile once a candidate
// is loaded and may write anything here at any time, so the judge keeps its own plan and reads nothing back but
// `state`, `finished`, `failed_status` and `message`, none of which it trusts further than the candidate's own fate.
// Layout: plan (written before the start), scalars and order (written while the runner stands still), words (futexes).
// Recovery: none; a runner whose page makes no sense ends with status k_bad_plan. Versioning: `version` must match
// exactly, since both sides are the same executable.
#pragma once

#include <cstdint>

#include "device/device.h"

namespace hone::device::cpu {

constexpr uint32_t k_protocol_version = 3;
constexpr uint32_t k_most_parameters = 64;
constexpr uint32_t k_most_sets = 64;
constexpr uint32_t k_most_buffers = 512;  // parameters × sets; each is one descriptor at the start
constexpr uint32_t k_most_kernels = 16;   // kernels or functions that one arm calls
constexpr uint32_t k_most_steps = 16;     // of one set

// Descriptors of a runner: 0 to 2 are the standard ones, then the page, then the buffers in mapping order.
constexpr int k_page_descriptor = 3;
constexpr int k_first_buffer_descriptor = 4;

// Exit statuses of a runner that fails before a candidate is loaded.
constexpr int k_bad_plan = 70;
constexpr int k_no_mapping = 71;
constexpr int k_no_confinement = 72;
constexpr int k_aborted = 134;  // as a shell shows SIGABRT

enum class RunnerState : uint32_t { starting, ready, load_failed };

// What is called: a function of a shared object, or the kernels of an OpenCL program on this machine's own cores.
enum class CalleeKind : uint32_t { library, opencl };

struct ParameterSlot {
  ParameterKind kind = ParameterKind::value;
  task::DType dtype = task::DType::f32;
};

// One kernel or function of a set's launch; sizes in work groups and work items, and of a function none.
struct StepSlot {
  uint32_t kernel = 0;  // of kernels[]
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t argument_count = 0;
  uint8_t arguments[k_most_parameters] = {};  // positions among the parameters
};

// One buffer of one set, in the order in which the runner maps them.
struct BufferSlot {
  uint32_t set = 0;
  uint32_t parameter = 0;
  uint64_t map_bytes = 0;
  uint64_t payload_offset = 0;
  uint64_t align_bytes = 1;
  uint32_t writable = 0;
};

struct ControlPage {
  uint32_t version = k_protocol_version;

  // The plan.
  uint32_t parameter_count = 0;
  uint32_t buffer_count = 0;
  uint32_t set_count = 0;
  uint32_t threads = 1;
  CalleeKind callee = CalleeKind::library;
  uint32_t kernel_count = 0;
  char library[1024] = {};                       // the shared object; of OpenCL the program's binary
  char processor[256] = {};                      // of OpenCL, by its own name
  char kernels[k_most_kernels][256] = {};        // of OpenCL; of a library its functions
  uint32_t returns_status[k_most_kernels] = {};  // of a library: the function returns int, else nothing
  ParameterSlot parameters[k_most_parameters] = {};
  BufferSlot buffers[k_most_buffers] = {};

  // One launch: which sets, in which order; of every set the scalars as the bytes of their type, and the steps.
  uint32_t launch_count = 0;
  uint32_t order[k_most_sets] = {};
  uint64_t scalars[k_most_sets][k_most_parameters] = {};  // of local memory its bytes
  // Before the start those of the first set name every function of a library once: it takes the same in every launch.
  uint32_t step_count[k_most_sets] = {};
  StepSlot steps[k_most_sets][k_most_steps] = {};

  // Words. `go` counts launches asked for, `finished` launches done.
  alignas(64) uint32_t go = 0;
  alignas(64) uint32_t finished = 0;
  alignas(64) uint32_t state = 0;
  int32_t failed_status = 0;  // first status of this launch that was not 0
  char message[512] = {};     // of the loader, untrusted
};

}  // namespace hone::device::cpu
