#include "device/cpu/foreign_load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/disk.h"
#include "base/text.h"

namespace hone::device::cpu {
namespace {

// "cpu1 user nice system idle iowait irq softirq steal guest guest_nice"; guest time is already part of user time.
std::optional<CoreTicks> parse_ticks(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  uint64_t ticks[8] = {};
  words >> name;
  for (uint64_t& one : ticks) words >> one;
  if (!words) return {};
  CoreTicks sum;
  for (const uint64_t one : ticks) sum.total += one;
  sum.busy = sum.total - ticks[3] - ticks[4];
  return sum;
}

std::optional<double> number_after(const std::string& text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  std::istringstream words(text.substr(at + mark.size()));
  double value = 0;
  if (!(words >> value)) return {};
  return value;
}

}  // namespace

std::optional<CoreTicks> read_core_ticks(std::span<const int> cores, const std::filesystem::path& root) {
  const auto text = read_file(root / "proc/stat", 16 << 20);
  if (!text) return {};
  const auto lines = split_lines(*text);
  CoreTicks sum;
  for (const int core : cores) {
    const std::string start = fmt::format("cpu{} ", core);
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.starts_with(start); });
    const auto ticks = line == lines.end() ? std::nullopt : parse_ticks(*line);
    if (!ticks) return {};
    sum.busy += ticks->busy;
    sum.total += ticks->total;
  }
  return sum;
}

std::optional<double> foreign_fraction(const CoreTicks& before, const CoreTicks& after, double own_cpu_seconds) {
  if (after.total <= before.total) return {};
  const auto total = static_cast<double>(after.total - before.total);
  const auto busy = static_cast<double>(after.busy - std::min(before.busy, after.busy));
  const double own = own_cpu_seconds * static_cast<double>(sysconf(_SC_CLK_TCK));
  return std::clamp((busy - own) / total, 0.0, 1.0);
}

MachineLoad read_machine_load(const std::filesystem::path& root) {
  MachineLoad load;
  if (const auto text = read_file(root / "proc/loadavg", 4096)) load.load_average_1m = number_after(*text, "");
  if (const auto text = read_file(root / "proc/pressure/cpu", 4096)) {
    if (const auto percent = number_after(*text, "some avg10=")) load.pressure_10s_fraction = *percent / 100.0;
  }
  return load;
}

}  // namespace hone::device::cpu
