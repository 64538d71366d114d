#include "device/cpu/content_cache.h"

namespace hone::device::cpu {

std::span<const std::byte> ContentCache::get(const FillPlan& plan, const Digest& sub_key, uint32_t argument_index) {
  const uint64_t bytes = plan.count * task::size_bytes(plan.dtype);
  for (const Content& content : contents_) {
    if (content.sub_key == sub_key && content.argument_index == argument_index && content.bytes.size() == bytes &&
        content.dtype == plan.dtype && content.distribution == plan.distribution)
      return content.bytes;
  }
  make_room(bytes);
  contents_.push_back({sub_key, argument_index, plan.dtype, plan.distribution, std::vector<std::byte>(bytes)});
  held_bytes_ += bytes;
  ++generated_;
  fill(contents_.back().bytes, plan, sub_key, argument_index);
  return contents_.back().bytes;
}

void ContentCache::make_room(uint64_t bytes) {
  while (!contents_.empty() && held_bytes_ + bytes > capacity_bytes_) {
    held_bytes_ -= contents_.front().bytes.size();
    contents_.pop_front();
  }
}

}  // namespace hone::device::cpu
