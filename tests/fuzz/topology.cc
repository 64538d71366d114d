// What a system tells of its processors: a core list, and the files of /proc and /sys, parted by NUL bytes.
#include "device/cpu/topology.h"

#include <algorithm>
#include <set>

#include "fuzz.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

namespace {

constexpr std::string_view k_cpu = "sys/devices/system/cpu/cpu0/";

const std::vector<std::string> k_files{"proc/cpuinfo",
                                       "proc/meminfo",
                                       std::string(k_cpu) + "topology/thread_siblings_list",
                                       std::string(k_cpu) + "cache/index0/level",
                                       std::string(k_cpu) + "cache/index0/size",
                                       std::string(k_cpu) + "cache/index0/shared_cpu_list"};

void check_list(std::string_view text) {
  const auto cores = device::cpu::parse_core_list(text);
  if (!cores) return;
  fuzz::require(std::set<int>(cores->begin(), cores->end()).size() == cores->size(), "no core stands twice");
  fuzz::require(std::all_of(cores->begin(), cores->end(), [](int core) { return core >= 0; }), "cores are numbers");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder root({});
  const std::vector<std::string> parts = split(fuzz::text_of(data, size), '\0');
  check_list(parts.front());
  for (size_t i = 0; i < k_files.size(); ++i) root.write(k_files[i], i < parts.size() ? parts[i] : "");
  const auto topology = device::cpu::read_topology({0, 1}, root.path());
  fuzz::require(topology.has_value(), "a fact that is not there stays empty");
  fuzz::require(!topology->physical.empty(), "there is a core");
  std::ignore = device::cpu::choose_cores(*topology, {}, 1);
  std::ignore = device::cpu::identity_of(*topology, {0}, "", "").key();
  return 0;
}
