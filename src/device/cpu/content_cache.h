// ContentCache: inputs made once per sub-key and copied from then on, so that the second arm of a pair pays for a copy
// only. The bytes are the judge's private memory. One sub-key and argument index stand for one content (JUDGE.md 2).
// Ownership: a span is valid until the next get. No failure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "device/fill.h"

namespace hone::device::cpu {

class ContentCache {
 public:
  // Enough for the sets of one group of launches; the oldest content goes first.
  explicit ContentCache(uint64_t capacity_bytes = 512ull << 20) : capacity_bytes_(capacity_bytes) {}

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

  void make_room(uint64_t bytes);

  uint64_t capacity_bytes_;
  uint64_t held_bytes_ = 0;
  uint64_t generated_ = 0;
  std::deque<Content> contents_;  // oldest first
};

}  // namespace hone::device::cpu
