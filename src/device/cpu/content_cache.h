// ContentCache: inputs made once per sub-key and copied from then on, so that the second arm of a pair pays for a copy
// only; what came as bytes is not kept again. The oldest content goes first, and its memory is used again. The bytes
// are the judge's private memory. One sub-key and argument index stand for one content (JUDGE.md 2). Ownership: a span
// is valid until the next get. No failure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "device/device.h"

namespace hone::device::cpu {

class ContentCache {
 public:
  // Room for so many bytes: what the sets of one group of launches hold. Memory beyond that is slow memory, since it
  // leaves the processor's caches before it is used again.
  void reserve(uint64_t bytes) { capacity_bytes_ = bytes; }
  void reserve_for(const LoadRequest& request);  // what its sets hold

  std::span<const std::byte> get(const FillPlan& plan, const Digest& sub_key, uint32_t argument_index);
  uint64_t generated() const { return generated_; }  // contents made, not copied

 private:
  struct Content {
    Digest sub_key;
    uint32_t argument_index = 0;
    task::DType dtype = task::DType::f32;
    Distribution distribution = Distribution::contract;
    std::vector<std::byte> bytes;
  };

  std::vector<std::byte> make_room(uint64_t bytes);

  uint64_t capacity_bytes_ = 0;
  uint64_t held_bytes_ = 0;
  uint64_t generated_ = 0;
  std::deque<Content> contents_;  // oldest first
};

}  // namespace hone::device::cpu
