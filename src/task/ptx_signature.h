// What a PTX module says about its kernels: parameters, block limits, shared memory; and what it would need from
// outside or keep to itself. Reads text (PTX ISA 8 and 9, "Directives"), runs no tool. The other source of a kernel's
// signature is its C++ text (task/device_signature.h); the two must agree with the contract. Failure: contract, with
// the line of the PTX. Plain values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/launch.h"
#include "task/task.h"

namespace hone::task {

struct PtxParameter {
  std::string type;         // "u64", "f32", "b8"
  uint64_t size_bytes = 0;  // of all its elements
  uint64_t align_bytes = 0;
  bool pointer = false;  // marked .ptr; compilers before CUDA 12.6 mark none
};

struct PtxEntry {
  std::string name;
  std::vector<PtxParameter> parameters;
  std::optional<Dimensions> most_threads;      // .maxntid
  std::optional<Dimensions> required_threads;  // .reqntid
  uint64_t shared_bytes = 0;                   // declared with a size, by it and by what it calls
  bool dynamic_shared = false;                 // it uses `extern __shared__`
};

struct PtxVariable {
  std::string name;
  uint64_t size_bytes = 0;
  bool only_read = false;  // no instruction can write it through its name (task/ptx_flow.h)
};

struct PtxModule {
  std::string target;                   // "sm_90"
  std::vector<PtxEntry> entries;        // in the order of the text
  std::vector<PtxVariable> globals;     // .global: in what is written there something could be carried over
  std::vector<std::string> unresolved;  // functions that are called and not there: vprintf, malloc, …; sorted

  const PtxEntry* find(std::string_view name) const;
};

Result<PtxModule> read_ptx(std::string_view text);

// Whether the module carries nothing from launch to launch and needs nothing else. The help names the remedy.
Status check_self_contained(const PtxModule& module);
// Whether what the contract hands over is what the kernel takes, in its order; names the first that differs.
Status check_parameters(const std::vector<Handed>& arguments, const PtxEntry& entry);
// The same for a bound launch, and whether its kernel is there and takes blocks of that shape.
Status check_launch(const Task& task, const BoundLaunch& launch, const PtxModule& module);

}  // namespace hone::task
