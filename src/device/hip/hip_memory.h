// HipMemory: allocations of one device for a driver. Where the device maps virtual memory, each lies between unmapped
// holes of a granule, so that an access far outside of it is a fault; elsewhere hipMalloc says where it lies.
// Ownership: what was not released goes with the device's reset. Failure: environment; a memory that is not there is
// internal. One thread.
#pragma once

#include <cstdint>
#include <map>

#include "base/result.h"
#include "device/hip/hip_library.h"
#include "device/launcher/driver.h"

namespace hone::device::hip {

class HipMemory {
 public:
  HipMemory(const HipLibrary& hip, int32_t device);

  // Sizes of allocations are multiples of this.
  uint64_t granularity_bytes() const { return granularity_bytes_; }

  Result<launcher::Memory> allocate(uint64_t size_bytes);
  void release(launcher::Memory memory);
  Result<DeviceAddress> address_of(const launcher::View& view) const;

 private:
  struct Allocation {
    DeviceAddress reserved = 0;  // 0: by hipMalloc
    uint64_t reserved_bytes = 0;
    DeviceAddress start = 0;
    uint64_t usable_bytes = 0;
  };

  Status fill(Allocation& allocation, uint64_t size_bytes) const;
  Status map(Allocation& allocation) const;
  void free(const Allocation& allocation) const;

  const HipLibrary& hip_;
  MemoryLocation location_;
  bool maps_ = false;
  uint64_t granularity_bytes_;
  std::map<uint64_t, Allocation> allocations_;
  uint64_t next_ = 1;
};

}  // namespace hone::device::hip
