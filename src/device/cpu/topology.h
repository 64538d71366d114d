// Topology: which processors hone may use, which of them are cores of their own, and the caches that one core sees.
// Read from /sys and /proc below `root` (tests give a folder of their own); a fact that is not there stays empty, never
// invented. Core lists are numbers of the machine ("--cores 1,3-5"). Failure: usage, for a list that cannot be used;
// environment, when nothing can be read. Plain values; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::device::cpu {

struct Cache {
  int level = 0;
  uint64_t size_bytes = 0;
  std::vector<int> shared_by;  // processors that use this very cache
};

struct Topology {
  std::string model;
  std::string machine_id;
  uint64_t memory_bytes = 0;
  std::vector<int> allowed;                // processors that this process may run on, ascending
  std::vector<int> physical;               // of each core the first allowed processor, ascending
  std::vector<std::vector<int>> siblings;  // beside `physical`: all processors of that core
  std::vector<Cache> caches;               // data and unified caches of the last physical core, nearest first
};

std::vector<int> allowed_processors();  // sched_getaffinity
Result<Topology> read_topology(std::vector<int> allowed = allowed_processors(),
                               const std::filesystem::path& root = "/");

// "3", "1,3-5": ascending or not, without repetition.
Result<std::vector<int>> parse_core_list(std::string_view text);

// The cores for `threads` threads: those asked for, checked (allowed, no two of one physical core, enough of them), or,
// when none are asked for, the last physical cores, which leaves core 0 to the system.
Result<std::vector<int>> choose_cores(const Topology& topology, const std::vector<int>& asked, int threads);

Identity identity_of(const Topology& topology, const std::vector<int>& cores, std::string toolchain,
                     std::string compiler_path);

}  // namespace hone::device::cpu
