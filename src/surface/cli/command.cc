#include "surface/cli/command.h"

#include <fmt/format.h>
#include <stdio.h>

#include <charconv>

#include "base/json.h"

namespace hone::cli {

std::optional<std::string> Arguments::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::nullopt : std::optional(found->second.back());
}

std::string Arguments::text_or(std::string_view name, std::string_view fallback) const {
  return text(name).value_or(std::string(fallback));
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

namespace {

struct Unit {
  std::string_view suffix;
  double seconds;
};
constexpr Unit k_units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error bad_value(std::string_view name, std::string_view text, std::string_view expected) {
  return {ErrorCode::usage, fmt::format("--{} takes {}, not '{}'", name, expected, text)};
}

}  // namespace

std::optional<double> seconds_of(std::string_view text) {
  for (const Unit& unit : k_units) {
    if (!text.ends_with(unit.suffix)) continue;
    const auto number = whole_number<double>(text.substr(0, text.size() - unit.suffix.size()));
    if (number && *number >= 0 && *number < 1e9) return *number * unit.seconds;
  }
  return std::nullopt;
}

Result<std::optional<uint64_t>> Arguments::count(std::string_view name) const {
  const auto typed = text(name);
  if (!typed) return std::optional<uint64_t>();
  const auto value = whole_number<uint64_t>(*typed);
  if (!value) return bad_value(name, *typed, "a whole number");
  return value;
}

Result<std::optional<Nanoseconds>> Arguments::duration(std::string_view name) const {
  const auto typed = text(name);
  if (!typed) return std::optional<Nanoseconds>();
  const auto seconds = seconds_of(*typed);
  if (!seconds) return bad_value(name, *typed, "a duration such as 40s, 5m or 300ms");
  return std::optional(from_seconds(*seconds));
}

void print(std::string_view text) {
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);
}

void print_error(std::string_view text) { fwrite(text.data(), 1, text.size(), stderr); }

void print_json(std::string_view compact) { print(json::pretty(compact)); }

}  // namespace hone::cli
