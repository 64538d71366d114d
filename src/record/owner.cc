#include "record/owner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "base/disk.h"
#include "base/text.h"

namespace hone::record {

namespace {

constexpr size_t k_state = 0;         // places after the command name, which may hold anything and ends at the last ')'
constexpr size_t k_start_ticks = 19;  // proc(5): field 22, the state being field 3

std::optional<uint64_t> number_in(const std::string& text) {
  uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Owner> owner_of(pid_t pid) {
  const auto stat = read_file(fmt::format("/proc/{}/stat", pid));
  if (!stat) return std::nullopt;
  const size_t name_end = stat->rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split(std::string_view(*stat).substr(name_end + 2), ' ');
  if (fields.size() <= k_start_ticks || fields[k_state] == "Z" || fields[k_state] == "X") return std::nullopt;
  const auto ticks = number_in(fields[k_start_ticks]);
  return ticks ? std::optional(Owner{pid, *ticks}) : std::nullopt;
}

Owner this_process() { return owner_of(getpid()).value_or(Owner{getpid(), 0}); }

bool is_alive(const Owner& owner) { return owner_of(owner.pid) == owner; }

}  // namespace hone::record
