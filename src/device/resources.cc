#include "device/resources.h"

#include <algorithm>

namespace hone::device {

namespace {

constexpr const char* k_format = "hone.resources/1";

struct Document {
  std::string format = k_format;
  std::vector<KernelResources> kernels;
};

template <class A>
void describe(A& a, Document& v) {
  a.field("format", v.format);
  a.field("kernels", v.kernels);
}

}  // namespace

Occupancy occupancy_of(uint64_t resident_blocks, uint64_t threads_of_block, const MultiprocessorThreads& threads) {
  if (threads.warp == 0 || threads.most == 0) return {resident_blocks, std::nullopt};
  const uint64_t warps = (threads_of_block + threads.warp - 1) / threads.warp;
  const auto held = static_cast<double>(resident_blocks * warps * threads.warp);
  return {resident_blocks, std::min(held / static_cast<double>(threads.most), 1.0)};
}

std::string resources_text(const std::vector<KernelResources>& kernels) {
  return json::to_text(Document{k_format, kernels});
}

Result<std::vector<KernelResources>> resources_from(std::string_view text) {
  HONE_TRY(Document document, json::from_text<Document>(text));
  if (document.format != k_format) return Error{ErrorCode::contract, "these are no resources of a kernel"};
  return std::move(document.kernels);
}

}  // namespace hone::device
