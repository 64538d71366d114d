// What a device kernel is launched with for one case: the contract's launches, or the candidate's own, with every
// expression worked out and held to limits before a device sees it. Sizes are computed in checked 64-bit.
// Failure: contract; names the launch, the field, the case and the value. A hidden case's message is as secret as the
// case. Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/bind.h"
#include "task/candidate.h"
#include "task/task.h"

namespace hone::task {

using Dimensions = std::array<uint32_t, 3>;  // x, y, z

// What a device takes. The defaults are the most that any device of the language takes, so that a contract is not
// refused for a device that it was not written for; a launcher fills in its own device's.
struct LaunchLimits {
  uint64_t threads = 1024;                         // of a block
  Dimensions block = {1024, 1024, 64};             // of each dimension
  Dimensions grid = {0x7fffffff, 0xffff, 0xffff};  // blocks
  uint64_t cluster_blocks = 16;                    // of a cluster; 8 is what every device with clusters takes
  uint64_t shared_bytes = 227 * 1024;              // dynamic shared memory, or all local arguments, of a block
  friend bool operator==(const LaunchLimits&, const LaunchLimits&) = default;
};

// CUDA and HIP: CUDA C++ Programming Guide, "Compute Capabilities", technical specifications. OpenCL guarantees a
// work-group of one item and 32 KiB of local memory; the most that devices offer are 8192 items, and as much local
// memory as CUDA.
LaunchLimits widest_limits(Language language);

struct BoundLaunch {
  std::string entry;
  Phase phase = Phase::run;
  Dimensions grid = {1, 1, 1};     // in blocks
  Dimensions block = {1, 1, 1};    // in threads
  Dimensions cluster = {1, 1, 1};  // in blocks; {1, 1, 1} also where none is asked for
  uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<size_t> arguments;  // positions in Task::arguments, in the kernel's order
};

// What a contract hands over as one parameter of a kernel.
struct Handed {
  std::string name;
  Role role = Role::in;
  DType dtype = DType::f32;
  friend bool operator==(const Handed&, const Handed&) = default;
};
// `arguments` are positions in Task::arguments, in the kernel's order.
std::vector<Handed> handed(const Task& task, const std::vector<size_t>& arguments);

// The contract's launches, or those of the variant in their place.
Result<std::vector<Launch>> launches_of(const Task& task, const Variant& variant);
// What the expressions of launches and tensor maps see: axes, tunables, and arguments that are whole numbers.
Scope launch_scope(const Task& task, const Variant& variant, const BoundCase& bound);
// What a host function is prepared by and the function itself, each as a launch without sizes; nothing where it is not
// prepared.
std::vector<BoundLaunch> host_calls(const Task& task);
// `bound` was made with the same variant.
Result<std::vector<BoundLaunch>> bind_launches(const Task& task, const Variant& variant, const BoundCase& bound,
                                               const LaunchLimits& limits);
// Whether the launches and tensor maps of every case of the contract can be worked out, within the widest limits.
Status check_public_launches(const Task& task, const Variant& variant);

}  // namespace hone::task
