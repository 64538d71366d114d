// What a kernel takes of its device, as its binary says: for reports, and kept beside the binary as one document.
// Plain values; what a backend cannot know is absent. Failure of resources_from: contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace hone::device {

struct KernelResources {
  std::string kernel;
  std::optional<uint64_t> registers;     // of a thread, each 4 bytes
  std::optional<uint64_t> shared_bytes;  // of a block, what is declared with a size
  std::optional<uint64_t> local_bytes;   // of a thread: stack frames and spills; what recursion adds is not in it
  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

// How full one launch can keep a multiprocessor, as its driver works it out.
struct Occupancy {
  uint64_t resident_blocks = 0;           // of a multiprocessor, at once
  std::optional<double> thread_fraction;  // of the threads that it has room for, 0 … 1, warps being whole
  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

// What a driver says of one of its multiprocessors, in threads; 0 where it does not say.
struct MultiprocessorThreads {
  uint64_t warp = 0;
  uint64_t most = 0;
};
Occupancy occupancy_of(uint64_t resident_blocks, uint64_t threads_of_block, const MultiprocessorThreads& threads);

// {"format":"hone.resources/1","kernels":[{"kernel":"softmax","registers":32,"shared_bytes":1024,"local_bytes":0}]}
std::string resources_text(const std::vector<KernelResources>& kernels);
Result<std::vector<KernelResources>> resources_from(std::string_view text);

template <class A>
void describe(A& a, KernelResources& v) {
  a.field("kernel", v.kernel);
  a.field("registers", v.registers);
  a.field("shared_bytes", v.shared_bytes);
  a.field("local_bytes", v.local_bytes);
}

}  // namespace hone::device
