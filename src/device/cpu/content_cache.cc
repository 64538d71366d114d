#include "device/cpu/content_cache.h"

namespace hone::device::cpu {

std::span<const std::byte> ContentCache::get(const FillPlan& plan, const Digest& sub_key, uint32_t argument_index) {
  if (plan.bytes) return *plan.bytes;
  const uint64_t bytes = plan.count * task::size_bytes(plan.dtype);
  for (const Content& content : contents_) {
    if (content.sub_key == sub_key && content.argument_index == argument_index && content.bytes.size() == bytes &&
        content.dtype == plan.dtype && content.distribution == plan.distribution)
      return content.bytes;
  }
  contents_.push_back({sub_key, argument_index, plan.dtype, plan.distribution, make_room(bytes)});
  held_bytes_ += bytes;
  ++generated_;
  fill(contents_.back().bytes, plan, sub_key, argument_index);
  return contents_.back().bytes;
}

void ContentCache::reserve_for(const LoadRequest& request) {
  uint64_t bytes = 0;
  for (const ParameterLayout& parameter : request.parameters)
    bytes += parameter.is_buffer() ? parameter.capacity_bytes : 0;
  reserve(bytes * static_cast<uint64_t>(request.sets));
}

// Fresh memory costs as much as a copy: the system clears every page of it.
std::vector<std::byte> ContentCache::make_room(uint64_t bytes) {
  std::vector<std::byte> room;
  while (!contents_.empty() && held_bytes_ + bytes > capacity_bytes_) {
    held_bytes_ -= contents_.front().bytes.size();
    room = std::move(contents_.front().bytes);
    contents_.pop_front();
  }
  room.resize(bytes);
  return room;
}

}  // namespace hone::device::cpu
