#include "device/cpu/topology.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/disk.h"
#include "base/text.h"

namespace hone::device::cpu {
namespace {

constexpr int k_most_processors = 8192;

Error bad_list(std::string_view text, std::string_view what) {
  return Error{ErrorCode::usage,
               fmt::format("core list '{}': {}", quote_untrusted(text, 200), what),
               {},
               {},
               "write core numbers and ranges, for example --cores 1,3-5"};
}

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value >= k_most_processors) return {};
  return value;
}

Result<std::vector<int>> parse_range(std::string_view whole, std::string_view part) {
  const size_t dash = part.find('-');
  const auto first = number_in(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1));
  if (!first || !last) return bad_list(whole, fmt::format("'{}' is not a core number", quote_untrusted(part, 50)));
  if (*last < *first) return bad_list(whole, fmt::format("the range '{}' runs backwards", part));
  std::vector<int> cores;
  for (int core = *first; core <= *last; ++core) cores.push_back(core);
  return cores;
}

// The first line of a small system file, trimmed; empty when it cannot be read.
std::string line_of(const fs::path& path) {
  const auto text = read_file(path, 1 << 20);
  if (!text) return {};
  return std::string(trim(std::string_view(*text).substr(0, text->find('\n'))));
}

// Lists in /sys have the form of --cores; an unreadable one is empty.
std::vector<int> list_of(const fs::path& path) {
  const auto cores = parse_core_list(line_of(path));
  return cores ? *cores : std::vector<int>{};
}

// "32K", "1024K", "8M".
uint64_t size_of(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const char unit = end < text.data() + text.size() ? *end : ' ';
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : value;
}

std::string field_of(const fs::path& path, std::string_view name) {
  const auto text = read_file(path, 64 << 20);
  if (!text) return {};
  for (const std::string& line : split_lines(*text)) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == name) {
      return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
  }
  return {};
}

uint64_t memory_of(const fs::path& root) { return size_of(field_of(root / "proc/meminfo", "MemTotal")) << 10; }

fs::path folder_of(const fs::path& root, int processor) {
  return root / fmt::format("sys/devices/system/cpu/cpu{}", processor);
}

bool contains(const std::vector<int>& values, int value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void read_cores(Topology& topology, const fs::path& root) {
  for (const int processor : topology.allowed) {
    const bool known = std::any_of(topology.siblings.begin(), topology.siblings.end(),
                                   [&](const auto& siblings) { return contains(siblings, processor); });
    if (known) continue;
    auto siblings = list_of(folder_of(root, processor) / "topology/thread_siblings_list");
    if (!contains(siblings, processor)) siblings = {processor};
    topology.physical.push_back(processor);
    topology.siblings.push_back(std::move(siblings));
  }
}

std::vector<Cache> read_caches(const fs::path& folder) {
  std::vector<Cache> caches;
  for (int index = 0; path_exists(folder / fmt::format("index{}", index)); ++index) {
    const fs::path one = folder / fmt::format("index{}", index);
    if (line_of(one / "type") == "Instruction") continue;
    const Cache cache{number_in(line_of(one / "level")).value_or(0), size_of(line_of(one / "size")),
                      list_of(one / "shared_cpu_list")};
    if (cache.level > 0 && cache.size_bytes > 0) caches.push_back(cache);
  }
  std::sort(caches.begin(), caches.end(), [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

// Which core of the machine a processor belongs to, as its place in `physical`.
std::optional<size_t> core_of(const Topology& topology, int processor) {
  for (size_t i = 0; i < topology.siblings.size(); ++i) {
    if (contains(topology.siblings[i], processor)) return i;
  }
  return {};
}

Error refused(std::string what, const Topology& topology) {
  return Error{ErrorCode::usage,
               std::move(what),
               {},
               "two threads on one core, or a core that others use, spoil every time",
               fmt::format("choose among the cores {}", fmt::join(topology.physical, ","))};
}

Status check_asked(const Topology& topology, const std::vector<int>& asked) {
  std::vector<size_t> used;
  for (const int processor : asked) {
    if (!contains(topology.allowed, processor)) {
      return refused(fmt::format("this process may not run on core {}", processor), topology);
    }
    const size_t core = *core_of(topology, processor);
    if (std::find(used.begin(), used.end(), core) != used.end()) {
      return refused(fmt::format("core {} shares its physical core with another of the list", processor), topology);
    }
    used.push_back(core);
  }
  return ok();
}

}  // namespace

std::vector<int> allowed_processors() {
  std::vector<int> processors;
  std::vector<cpu_set_t> set(k_most_processors / CPU_SETSIZE);
  const size_t bytes = set.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(0, bytes, set.data()) != 0) return processors;
  for (int processor = 0; processor < k_most_processors; ++processor) {
    if (CPU_ISSET_S(static_cast<size_t>(processor), bytes, set.data())) processors.push_back(processor);
  }
  return processors;
}

Result<Topology> read_topology(std::vector<int> allowed, const fs::path& root) {
  if (allowed.empty()) return Error{ErrorCode::environment, "cannot read which cores this process may use"};
  Topology topology;
  std::sort(allowed.begin(), allowed.end());
  topology.allowed = std::move(allowed);
  topology.model = field_of(root / "proc/cpuinfo", "model name");
  topology.machine_id = line_of(root / "etc/machine-id");
  topology.memory_bytes = memory_of(root);
  read_cores(topology, root);
  topology.caches = read_caches(folder_of(root, topology.physical.back()) / "cache");
  return topology;
}

Result<std::vector<int>> parse_core_list(std::string_view text) {
  std::vector<int> cores;
  std::vector<bool> seen(k_most_processors);
  for (const std::string& part : split(text, ',')) {
    HONE_TRY(const std::vector<int> range, parse_range(text, trim(part)));
    for (const int core : range) {
      if (seen[static_cast<size_t>(core)]) return bad_list(text, fmt::format("core {} stands twice", core));
      seen[static_cast<size_t>(core)] = true;
      cores.push_back(core);
    }
  }
  return cores;
}

Result<std::vector<int>> choose_cores(const Topology& topology, const std::vector<int>& asked, int threads) {
  const auto wanted = static_cast<size_t>(std::max(threads, 1));
  HONE_CHECK(check_asked(topology, asked));
  const std::vector<int>& from = asked.empty() ? topology.physical : asked;
  if (from.size() < wanted) {
    return refused(fmt::format("{} threads need as many physical cores, and there are {}", wanted, from.size()),
                   topology);
  }
  if (!asked.empty()) return asked;
  return std::vector<int>(from.end() - static_cast<std::ptrdiff_t>(wanted), from.end());
}

Identity identity_of(const Topology& topology, const std::vector<int>& cores, std::string toolchain,
                     std::string compiler_path) {
  Identity identity;
  identity.kind = "cpu";
  identity.name = topology.model;
  identity.cores = cores;
  identity.memory_bytes = topology.memory_bytes;
  for (const Cache& cache : topology.caches) identity.cache_bytes.push_back(cache.size_bytes);
  identity.toolchain = std::move(toolchain);
  identity.compiler_path = std::move(compiler_path);
  Sha256 sum;
  sum.add_field(topology.model).add_field(topology.machine_id).add_field(fmt::format("{}", fmt::join(cores, ",")));
  identity.uuid = sum.finish().hex().substr(0, 32);
  return identity;
}

}  // namespace hone::device::cpu
