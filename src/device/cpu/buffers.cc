#include "device/cpu/buffers.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::device::cpu {

namespace {

constexpr uint64_t k_page_bytes = 4096;

uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Offsets within one page move the payload against cache sets; whole pages are moved by the address itself.
uint64_t roll_offset(uint64_t align, LayoutDice& dice) {
  const uint64_t places = std::max<uint64_t>(1, k_page_bytes / align);
  return round_up(k_guard_bytes, align) + align * dice.roll(places);
}

BufferSlot lay_out(const ParameterLayout& parameter, uint32_t set, uint32_t position, LayoutDice& dice) {
  BufferSlot slot;
  slot.set = set;
  slot.parameter = position;
  slot.align_bytes = std::max<uint64_t>(parameter.align_bytes, 1);
  slot.payload_offset = roll_offset(slot.align_bytes, dice);
  slot.map_bytes = round_up(slot.payload_offset + parameter.capacity_bytes + k_guard_bytes, k_page_bytes);
  slot.writable = parameter.written ? 1 : 0;
  return slot;
}

std::vector<BufferSlot> lay_out_all(std::span<const ParameterLayout> parameters, int sets, LayoutDice& dice) {
  std::vector<BufferSlot> slots;
  for (uint32_t set = 0; set < static_cast<uint32_t>(sets); ++set) {
    for (uint32_t p = 0; p < parameters.size(); ++p) {
      if (parameters[p].is_buffer()) slots.push_back(lay_out(parameters[p], set, p, dice));
    }
  }
  dice.shuffle(slots);
  return slots;
}

Status fits_protocol(std::span<const ParameterLayout> parameters, int sets) {
  const auto buffers = static_cast<size_t>(
      std::count_if(parameters.begin(), parameters.end(), [](const auto& p) { return p.is_buffer(); }));
  if (parameters.size() > k_most_parameters)
    return Error{ErrorCode::contract,
                 fmt::format("a kernel may have at most {} parameters, not {}", k_most_parameters, parameters.size())};
  if (sets < 1 || static_cast<size_t>(sets) > k_most_sets || buffers * static_cast<size_t>(sets) > k_most_buffers)
    return Error{ErrorCode::contract,
                 fmt::format("{} sets of {} buffers are more than one runner can hold ({} sets, {} buffers)", sets,
                             buffers, k_most_sets, k_most_buffers)};
  return ok();
}

}  // namespace

std::span<std::byte> Buffer::guard_after(uint64_t payload_bytes) const {
  const uint64_t start = slot.payload_offset + payload_bytes;
  return memory.bytes().subspan(start, std::min(memory.bytes().size() - start, k_most_guard_bytes));
}

Result<Buffers> Buffers::make(std::span<const ParameterLayout> parameters, int sets, LayoutDice& dice) {
  HONE_CHECK(fits_protocol(parameters, sets));
  Buffers buffers;
  buffers.index_.assign(static_cast<size_t>(sets), std::vector<size_t>(parameters.size()));
  for (const BufferSlot& slot : lay_out_all(parameters, sets, dice)) {
    const ParameterLayout& parameter = parameters[slot.parameter];
    HONE_TRY(SharedMemory memory,
             SharedMemory::make(slot.map_bytes, parameter.written ? Others::may_write : Others::read_only));
    buffers.index_[slot.set][slot.parameter] = buffers.buffers_.size();
    buffers.buffers_.push_back({std::move(memory), slot, parameter.capacity_bytes});
  }
  return buffers;
}

std::vector<int> Buffers::descriptors() const {
  std::vector<int> all;
  for (const Buffer& buffer : buffers_) all.push_back(buffer.memory.fd());
  return all;
}

void Buffers::close_files() {
  for (Buffer& buffer : buffers_) buffer.memory.close_file();
}

uint64_t Buffers::mapped_bytes() const {
  uint64_t sum = 0;
  for (const Buffer& buffer : buffers_) sum += buffer.slot.map_bytes;
  return sum;
}

}  // namespace hone::device::cpu
