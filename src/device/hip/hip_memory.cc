#include "device/hip/hip_memory.h"

#include <algorithm>

namespace hone::device::hip {

using launcher::Memory;
using launcher::View;

namespace {

constexpr uint64_t k_malloc_granularity_bytes = 4096;

bool has_all_for_mapping(const HipLibrary& hip) {
  return hip.mem_get_allocation_granularity != nullptr && hip.mem_address_reserve != nullptr &&
         hip.mem_address_free != nullptr && hip.mem_create != nullptr && hip.mem_release != nullptr &&
         hip.mem_map != nullptr && hip.mem_unmap != nullptr && hip.mem_set_access != nullptr;
}

bool maps_memory(const HipLibrary& hip, int32_t device) {
  int32_t supported = 0;
  return has_all_for_mapping(hip) &&
         hip.device_get_attribute(&supported, HipAttribute::virtual_memory, device) == HipStatus::success &&
         supported != 0;
}

// Nothing where the run time does not say.
uint64_t granule_of(const HipLibrary& hip, const MemoryLocation& location) {
  AllocationProperties properties;
  properties.location = location;
  size_t bytes = 0;
  const HipStatus status = hip.mem_get_allocation_granularity(&bytes, &properties, Granularity::minimum);
  return status == HipStatus::success ? bytes : 0;
}

}  // namespace

HipMemory::HipMemory(const HipLibrary& hip, int32_t device)
    : hip_(hip), location_{MemoryLocationType::device, device}, granularity_bytes_(k_malloc_granularity_bytes) {
  const uint64_t granule = maps_memory(hip, device) ? granule_of(hip, location_) : 0;
  maps_ = granule > 0;
  if (maps_) granularity_bytes_ = granule;
}

// A hole as large as one granule on either side.
Status HipMemory::map(Allocation& allocation) const {
  const uint64_t g = granularity_bytes_;
  allocation.reserved_bytes = allocation.usable_bytes + 2 * g;
  HONE_CHECK(hip_.check(hip_.mem_address_reserve(&allocation.reserved, allocation.reserved_bytes, 0, 0, 0),
                        "reserve device addresses"));
  AllocationProperties properties;
  properties.location = location_;
  MemoryHandle handle = 0;
  HONE_CHECK(hip_.check(hip_.mem_create(&handle, allocation.usable_bytes, &properties, 0), "allocate device memory"));
  const HipStatus mapped = hip_.mem_map(allocation.reserved + g, allocation.usable_bytes, 0, handle, 0);
  std::ignore = hip_.mem_release(handle);  // the mapping keeps it
  HONE_CHECK(hip_.check(mapped, "map device memory"));
  allocation.start = allocation.reserved + g;
  const AccessDescription access{location_, MemoryAccess::read_write};
  return hip_.check(hip_.mem_set_access(allocation.start, allocation.usable_bytes, &access, 1), "open device memory");
}

Status HipMemory::fill(Allocation& allocation, uint64_t size_bytes) const {
  const uint64_t g = granularity_bytes_;
  allocation.usable_bytes = (std::max<uint64_t>(size_bytes, 1) + g - 1) / g * g;
  if (maps_) return map(allocation);
  return hip_.check(hip_.malloc(&allocation.start, allocation.usable_bytes), "allocate device memory");
}

void HipMemory::free(const Allocation& allocation) const {
  if (!maps_) {
    if (allocation.start != 0) std::ignore = hip_.free(allocation.start);
    return;
  }
  if (allocation.start != 0) std::ignore = hip_.mem_unmap(allocation.start, allocation.usable_bytes);
  if (allocation.reserved != 0) std::ignore = hip_.mem_address_free(allocation.reserved, allocation.reserved_bytes);
}

Result<Memory> HipMemory::allocate(uint64_t size_bytes) {
  Allocation allocation;
  const Status filled = fill(allocation, size_bytes);
  if (!filled) {
    free(allocation);
    return filled.error();
  }
  allocations_[next_] = allocation;
  return Memory{next_++};
}

void HipMemory::release(Memory memory) {
  const auto found = allocations_.find(memory.id);
  if (found == allocations_.end()) return;
  free(found->second);
  allocations_.erase(found);
}

Result<DeviceAddress> HipMemory::address_of(const View& view) const {
  const auto found = allocations_.find(view.memory.id);
  if (found == allocations_.end() || view.offset_bytes > found->second.usable_bytes ||
      found->second.usable_bytes - view.offset_bytes < view.size_bytes)
    return Error{ErrorCode::internal, "no such device memory"};
  return found->second.start + view.offset_bytes;
}

}  // namespace hone::device::hip
