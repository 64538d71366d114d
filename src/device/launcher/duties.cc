#include "device/launcher/duties.h"

#include <algorithm>

#include "device/launcher/duties_source.h"

namespace hone::device::launcher {

namespace {

constexpr uint32_t k_block = 256;
constexpr uint32_t k_blocks_per_multiprocessor = 16;
constexpr uint64_t k_most_ranges = 4096;
// Cold means written and read over twice what the caches hold. Where nobody says how much that is, more than any has.
constexpr uint64_t k_unknown_cache_bytes = 256ull << 20;

constexpr std::string_view k_kernels[] = {"hone_fill", "hone_pattern", "hone_noise",       "hone_check_noise",
                                          "hone_sum",  "hone_gather",  "hone_flush_write", "hone_flush_read"};
constexpr std::string_view k_scrub_shared = "hone_scrub_shared";

template <class... T>
std::vector<Argument> arguments(const T&... values) {
  const auto packed = [](const auto& value) -> Argument {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, View>) {
      return value;
    } else {
      return Value::of(value);
    }
  };
  return {packed(values)...};
}

// A kernel gets the whole memory and an offset: a view's own start may not be aligned as a device asks.
View whole(const View& view) { return {view.memory, 0, view.offset_bytes + view.size_bytes}; }

}  // namespace

std::string duties_text(std::string_view language) {
  return std::string(language == "opencl" ? k_duties_prelude_opencl : k_duties_prelude_cuda) +
         std::string(k_duties_source);
}

Result<Duties> Duties::make(Driver& driver, std::string_view binary) {
  Duties duties(driver);
  HONE_TRY(duties.module_, driver.load(binary));
  for (const std::string_view kernel : k_kernels) {
    HONE_TRY(const Function function, driver.function(duties.module_, std::string(kernel)));
    duties.functions_.emplace(kernel, function);
  }
  if (const auto scrub = driver.function(duties.module_, std::string(k_scrub_shared)))
    duties.functions_.emplace(k_scrub_shared, *scrub);
  HONE_TRY(duties.results_, driver.allocate(k_set_bytes * k_most_sets));
  HONE_TRY(duties.ranges_, driver.allocate(k_most_ranges * 3 * sizeof(uint64_t)));
  const uint64_t cache = driver.facts().last_cache_bytes;
  duties.flush_bytes_ = 2 * (cache > 0 ? cache : k_unknown_cache_bytes);
  HONE_TRY(duties.flush_, driver.allocate(2 * duties.flush_bytes_));
  return duties;
}

Launch Duties::launch_of(std::string_view kernel, uint64_t threads, std::vector<Argument> arguments) const {
  const uint64_t most = uint64_t{k_blocks_per_multiprocessor} * driver_->facts().multiprocessors;
  Launch launch;
  launch.function = functions_.find(kernel)->second;
  launch.block[0] = k_block;
  launch.grid[0] = static_cast<uint32_t>(std::clamp<uint64_t>((threads + k_block - 1) / k_block, 1, most));
  launch.arguments = std::move(arguments);
  return launch;
}

Status Duties::run(std::string_view kernel, uint64_t threads, std::vector<Argument> arguments) {
  return driver_->enqueue(launch_of(kernel, threads, std::move(arguments)));
}

Status Duties::draw(const View& payload, const DrawRecord& record, const StreamWords& stream) {
  const auto& key = stream.words;
  return run("hone_fill", (record.count + 3) / 4 + 256,
             arguments(whole(payload), payload.offset_bytes, record.count, record.draw, record.floating, record.as,
                       key[0], key[1], key[2], key[3], record.a, record.b, record.low, record.values));
}

Status Duties::pattern(const View& payload, uint64_t pattern) {
  if (payload.size_bytes == 0) return ok();
  return run("hone_pattern", payload.size_bytes / 8,
             arguments(whole(payload), payload.offset_bytes, payload.size_bytes, pattern));
}

Status Duties::noise(const View& zone, const StreamWords& stream) {
  if (zone.size_bytes == 0) return ok();
  const auto& key = stream.words;
  return run("hone_noise", (zone.size_bytes + 15) / 16,
             arguments(whole(zone), zone.offset_bytes, zone.size_bytes, key[0], key[1], key[2], key[3]));
}

Status Duties::check_noise(const View& zone, const StreamWords& stream, uint32_t slot, uint32_t bit) {
  if (zone.size_bytes == 0) return ok();
  const auto& key = stream.words;
  return run("hone_check_noise", (zone.size_bytes + 15) / 16,
             arguments(whole(zone), zone.offset_bytes, zone.size_bytes, key[0], key[1], key[2], key[3],
                       View{results_, 0, 0}, slot, bit));
}

Status Duties::sum(const View& payload, uint32_t slot) {
  return run("hone_sum", (payload.size_bytes + 3) / 4,
             arguments(whole(payload), payload.offset_bytes, payload.size_bytes, View{results_, 0, 0}, slot));
}

Status Duties::clear_results(uint32_t set) {
  const std::vector<std::byte> zeros(k_set_bytes);
  return driver_->write({results_, set * k_set_bytes, k_set_bytes}, zeros);
}

Status Duties::gather_results(uint32_t set, uint64_t offset, const View& to) {
  return gather(results_, {set * k_set_bytes, offset, k_set_bytes}, to);
}

Status Duties::gather(Memory from, const std::vector<uint64_t>& ranges, const View& to) {
  const uint64_t count = ranges.size() / 3;
  if (count > k_most_ranges) return Error{ErrorCode::internal, "too many ranges for one gather"};
  HONE_CHECK(driver_->write({ranges_, 0, ranges.size() * sizeof(uint64_t)}, std::as_bytes(std::span(ranges))));
  uint64_t most = 0;
  for (uint64_t r = 0; r < count; ++r) most = std::max(most, ranges[3 * r + 2]);
  return run("hone_gather", most, arguments(View{from, 0, 0}, to, View{ranges_, 0, 0}, static_cast<uint32_t>(count)));
}

// Written first, which leaves dirty lines; then as many clean ones are read over them.
std::vector<Launch> Duties::cold_launches() {
  constexpr uint32_t never = 0x5bd1e995;
  const uint64_t words = flush_bytes_ / 4;
  const View sink{ranges_, 0, 0};  // written anew before it is read
  return {launch_of("hone_flush_write", words, arguments(View{flush_, 0, flush_bytes_}, words, ++flushes_)),
          launch_of("hone_flush_read", words, arguments(View{flush_, flush_bytes_, flush_bytes_}, words, sink, never))};
}

Status Duties::make_caches_cold() {
  for (const Launch& launch : cold_launches()) HONE_CHECK(driver_->enqueue(launch));
  return ok();
}

Status Duties::scrub_shared() {
  const auto found = functions_.find(k_scrub_shared);
  if (found == functions_.end()) return ok();
  const DeviceFacts& facts = driver_->facts();
  Launch launch;
  launch.function = found->second;
  launch.grid[0] = facts.multiprocessors;
  launch.block[0] = 1024;
  launch.dynamic_shared_bytes = facts.shared_bytes;
  launch.arguments = arguments(static_cast<uint32_t>(facts.shared_bytes / 4));
  return driver_->enqueue(launch);
}

}  // namespace hone::device::launcher
