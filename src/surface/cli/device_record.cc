#include "surface/cli/device_record.h"

#include <sys/utsname.h>

#include "views/published.h"

namespace hone::cli {

campaign::DeviceRecord published_record(const device::Accelerator& accelerator) {
  campaign::DeviceRecord record;
  record.vendor = accelerator.vendor;
  record.name = accelerator.name;
  record.compute_capability = accelerator.compute_capability;
  record.total_memory_gb = static_cast<double>(accelerator.memory_bytes) / 1e9;
  record.multiprocessor_count = accelerator.multiprocessors;
  record.is_hip = accelerator.kind == "hip";
  record.warp_size = accelerator.warp_size;
  record.arch_family = accelerator.arch.value_or("");
  return record;
}

campaign::DeviceRecord published_record(const device::cpu::Topology& topology) {
  utsname system{};
  campaign::DeviceRecord record;
  record.vendor = views::vendor_of(topology.model);
  record.name = topology.model;
  record.total_memory_gb = static_cast<double>(topology.memory_bytes) / 1e9;
  record.multiprocessor_count = static_cast<int>(topology.physical.size());
  record.arch_family = uname(&system) == 0 ? system.machine : "";
  return record;
}

}  // namespace hone::cli
