// Foreign load: how busy the chosen cores are with what is not ours, for the conditions of a measurement (never its
// times). Ticks of /proc/stat per core between two readings, less the processor time that we spent there ourselves;
// beside it the machine's load average and pressure. Unreadable figures are absent. Plain values; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace hone::device::cpu {

struct CoreTicks {
  uint64_t busy = 0;  // all but idle and waiting for input; stolen time counts as busy, since others have it
  uint64_t total = 0;
};

// Summed over the cores; absent when one of them is not listed.
std::optional<CoreTicks> read_core_ticks(std::span<const int> cores, const std::filesystem::path& root = "/");

// Share of the cores' time (0 … 1) that others used; absent when no tick has passed.
std::optional<double> foreign_fraction(const CoreTicks& before, const CoreTicks& after, double own_cpu_seconds);

struct MachineLoad {
  std::optional<double> load_average_1m;
  std::optional<double> pressure_10s_fraction;  // share of time in which some task waited for a processor
};
MachineLoad read_machine_load(const std::filesystem::path& root = "/");

}  // namespace hone::device::cpu
