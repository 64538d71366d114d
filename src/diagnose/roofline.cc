#include "diagnose/roofline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hone::diagnose {
namespace {

using task::DType;

// Everything that the case keeps in memory: what a warm cache would have to hold.
double footprint_bytes(const task::BoundCase& one) {
  double sum = 0;
  for (const auto& argument : one.arguments) sum += static_cast<double>(argument.bytes);
  return sum;
}

double bytes_of(const task::BoundCase& one, bool (*counts)(task::Role)) {
  double sum = 0;
  for (const auto& argument : one.arguments) {
    if (argument.argument != nullptr && counts(argument.argument->role)) sum += static_cast<double>(argument.bytes);
  }
  return sum;
}

bool is_output_alone(task::Role role) { return role == task::Role::out; }

// Levels stand from the nearest out; the last is memory.
const device::LevelBandwidth* level_for(const task::BoundCase& one, const device::Ceilings& ceilings,
                                        task::CacheState cache) {
  if (ceilings.bandwidth.empty()) return nullptr;
  if (cache == task::CacheState::cold) return &ceilings.bandwidth.back();
  const double needed = footprint_bytes(one);
  for (const auto& level : ceilings.bandwidth) {
    if (needed <= static_cast<double>(level.capacity_bytes)) return &level;
  }
  return &ceilings.bandwidth.back();
}

std::optional<FloorTerm> memory_term(const Traffic& traffic, const device::LevelBandwidth* level) {
  const double total = traffic.read_bytes + traffic.written_bytes;
  if (level == nullptr || level->copy_bytes_per_second <= 0 || total <= 0) return {};
  const double paired = 2.0 * std::min(traffic.read_bytes, traffic.written_bytes);
  const double alone = std::max(level->read_bytes_per_second, level->copy_bytes_per_second);
  const double seconds = paired / level->copy_bytes_per_second + (total - paired) / alone;
  return FloorTerm{Resource::memory, level->level, seconds, total, total / seconds};
}

// Unsigned additions run where signed ones do.
std::string_view measured_as(DType dtype) { return dtype == DType::u32 ? name_of(DType::i32) : name_of(dtype); }

std::optional<FloorTerm> arithmetic_term(DType dtype, double operations, const device::Ceilings& ceilings) {
  if (operations <= 0) return {};
  for (const auto& rate : ceilings.arithmetic) {
    if (rate.dtype != measured_as(dtype) || rate.flops_per_second <= 0) continue;
    const double seconds = operations / rate.flops_per_second;
    return FloorTerm{Resource::arithmetic, std::string(name_of(dtype)), seconds, operations, rate.flops_per_second};
  }
  return {};
}

bool takes_less(const FloorTerm& a, const FloorTerm& b) { return a.seconds < b.seconds; }

}  // namespace

const FloorTerm* Floor::largest(Resource resource) const {
  const FloorTerm* found = nullptr;
  for (const FloorTerm& term : terms) {
    if (term.resource == resource && (found == nullptr || found->seconds < term.seconds)) found = &term;
  }
  return found;
}

Traffic traffic_of(const task::BoundCase& one) {
  Traffic traffic;
  traffic.read_bytes = one.bytes_read.value_or(bytes_of(one, task::is_read));
  traffic.written_bytes = one.bytes_written.value_or(bytes_of(one, is_output_alone));
  if (!one.bytes_read || !one.bytes_written) traffic.source = BytesSource::argument_sizes;
  return traffic;
}

std::optional<Floor> floor_of(const task::BoundCase& one, const device::Ceilings& ceilings, task::CacheState cache) {
  Floor floor;
  const Traffic traffic = traffic_of(one);
  floor.bytes_source = traffic.source;
  if (auto term = memory_term(traffic, level_for(one, ceilings, cache))) floor.terms.push_back(*std::move(term));
  for (const auto& [dtype, operations] : one.flops) {
    if (auto term = arithmetic_term(dtype, operations, ceilings)) floor.terms.push_back(*std::move(term));
  }
  if (floor.terms.empty()) return {};
  if (ceilings.empty_launch_seconds) {
    floor.terms.push_back({Resource::launch, "empty launch", *ceilings.empty_launch_seconds, {}, {}});
  }
  floor.binding = *std::max_element(floor.terms.begin(), floor.terms.end(), takes_less);
  floor.seconds = floor.binding.seconds;
  return floor;
}

double fraction_of_floor(const Floor& floor, double seconds) { return floor.seconds / seconds; }

std::string to_text(const Floor& floor) {
  std::string text = fmt::format("{}, bound by {}", human_time(floor.seconds), floor.binding.name);
  if (floor.binding.ceiling) {
    const bool is_memory = floor.binding.resource == Resource::memory;
    text += " at " + human_rate(*floor.binding.ceiling, is_memory ? "B/s" : "op/s");
  }
  const bool rests_on_sizes =
      floor.binding.resource == Resource::memory && floor.bytes_source == BytesSource::argument_sizes;
  return rests_on_sizes ? text + " (bytes from argument sizes)" : text;
}

}  // namespace hone::diagnose
