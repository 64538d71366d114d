// The buffers of one arm: per set and parameter a shared memory of its own, the payload at a random multiple of its
// alignment between guard zones of at least 4 KiB. Geometry and order follow from the layout seed. Ownership: the
// judge's mappings; the runner has its own. Failure: contract when an arm is too large for the protocol or its memory
// limit, io when memory is short. One thread.
#pragma once

#include <span>
#include <vector>

#include "device/cpu/control_page.h"
#include "device/cpu/layout_dice.h"
#include "device/cpu/shared_memory.h"
#include "device/device.h"

namespace hone::device::cpu {

constexpr uint64_t k_guard_bytes = 4096;
// Bytes checked after the payload of a case that does not fill its buffer; writes further out hit memory that nobody
// reads.
constexpr uint64_t k_most_guard_bytes = 64 << 10;

struct Buffer {
  SharedMemory memory;
  BufferSlot slot;
  uint64_t capacity_bytes = 0;

  std::span<std::byte> payload(uint64_t bytes) const { return memory.bytes().subspan(slot.payload_offset, bytes); }
  std::span<std::byte> guard_before() const { return memory.bytes().first(slot.payload_offset); }
  std::span<std::byte> guard_after(uint64_t payload_bytes) const;
};

class Buffers {
 public:
  static Result<Buffers> make(std::span<const ParameterLayout> parameters, int sets, LayoutDice& dice);

  const Buffer& at(int set, size_t parameter) const { return buffers_[index_[static_cast<size_t>(set)][parameter]]; }
  std::span<const Buffer> in_mapping_order() const { return buffers_; }
  std::vector<int> descriptors() const;
  void close_files();
  uint64_t mapped_bytes() const;

 private:
  std::vector<Buffer> buffers_;             // in the order in which the runner maps them
  std::vector<std::vector<size_t>> index_;  // [set][parameter] → position
};

}  // namespace hone::device::cpu
