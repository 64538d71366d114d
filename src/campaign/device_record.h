// A device as the field publishes it: the same keys in the log and in `hone doctor --json`.
#pragma once

#include <optional>
#include <string>

namespace hone::campaign {

struct DeviceRecord {
  std::string vendor;  // "nvidia", "amd", "intel", "none"; of OpenCL on the processor "cpu"
  std::string name;
  std::optional<std::string> compute_capability;  // of a GPU
  double total_memory_gb = 0;                     // 1e9 bytes
  std::optional<int> multiprocessor_count;        // SMs, CUs; of the CPU: physical cores that hone may use
  bool is_hip = false;
  std::optional<int> warp_size;  // of a GPU
  std::string arch_family;       // "x86_64", "sm_90", "gfx942"; may be empty
};

template <class A>
void describe(A& a, DeviceRecord& v) {
  a.field("vendor", v.vendor);
  a.field("name", v.name);
  a.field("compute_capability", v.compute_capability);
  a.field("total_memory_gb", v.total_memory_gb);
  a.field("multiprocessor_count", v.multiprocessor_count);
  a.field("is_hip", v.is_hip);
  a.field("warp_size", v.warp_size);
  a.field("arch_family", v.arch_family);
}

}  // namespace hone::campaign
