#include "device/launcher/duties.h"

#include <algorithm>

#include "device/launcher/duties_source.h"

namespace hone::device::launcher {

namespace {

constexpr uint32_t k_block = 256;
constexpr uint32_t k_blocks_per_multiprocessor = 16;
constexpr uint64_t k_most_ranges = 4096;
// Cold means that twice as much is read as the caches hold: on an H200 neither more, nor writing before it, makes a
// kernel's first read slower (docs/results/h200.md). Where nobody says how much they hold, more than any does.
constexpr uint64_t k_unknown_cache_bytes = 256ull << 20;
constexpr uint64_t k_reads_of_caches = 2;
constexpr uint64_t k_vector_bytes = 16;

// Among the words of a set.
constexpr uint32_t k_words_before = 0;  // a bit for each of 32 parameters
constexpr uint32_t k_words_after = 2;
constexpr uint32_t k_words_of_sums = 4;
uint32_t sums_of(uint32_t parameter) { return k_words_of_sums + 4 * parameter; }

// As in duties_source.h.
struct ZonesArgument {
  uint64_t begin, bytes, all;
  StreamWords before, after;
};
struct SlotsArgument {
  uint32_t before, after, bit, sums;
};

ZonesArgument argument_of(const Zones& zones) {
  return {zones.begin_bytes, zones.payload_bytes, zones.all_bytes, zones.before, zones.after};
}

SlotsArgument slots_of(Place place) {
  const uint32_t first = place.set * Duties::k_words_per_set;
  const uint32_t word = place.parameter / 32;
  return {first + k_words_before + word, first + k_words_after + word, 1u << (place.parameter % 32),
          first + sums_of(place.parameter)};
}

struct PreludeRow {
  std::string_view language;
  std::string_view arithmetic;
  std::string_view rest;
};
constexpr PreludeRow k_preludes[] = {{"cuda", k_duties_arithmetic_cuda, k_duties_prelude_cuda},
                                     {"hip", k_duties_arithmetic_hip, k_duties_prelude_cuda},
                                     {"opencl", "", k_duties_prelude_opencl}};

constexpr std::string_view k_kernels[] = {"hone_stage",   "hone_sum",    "hone_examine",
                                          "hone_pattern", "hone_gather", "hone_flush"};
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

std::string prelude_text(std::string_view language) {
  const auto* row = std::ranges::find(k_preludes, language, &PreludeRow::language);
  return std::string(row->arithmetic) + std::string(row->rest);
}

std::string duties_text(std::string_view language) { return prelude_text(language) + std::string(k_duties_source); }

bool is_duty(std::string_view kernel) {
  return kernel == k_scrub_shared || std::ranges::find(k_kernels, kernel) != std::end(k_kernels);
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
  // A collection brings all words of a set, those of no parameter too. A checker reports so many places and no more:
  // reads of what was never written must be the candidate's alone.
  const std::vector<std::byte> none(k_set_bytes * k_most_sets);
  HONE_CHECK(driver.write({duties.results_, 0, none.size()}, none));
  HONE_TRY(duties.ranges_, driver.allocate(k_most_ranges * 3 * sizeof(uint64_t)));
  const uint64_t cache = driver.facts().last_cache_bytes;
  duties.flush_bytes_ = k_reads_of_caches * (cache > 0 ? cache : k_unknown_cache_bytes);
  HONE_TRY(duties.flush_, driver.allocate(duties.flush_bytes_));
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

Status Duties::stage(const Zones& zones, const StageRecord& record, Place place) {
  const SlotsArgument slots = slots_of(place);
  const View memory{zones.memory, 0, zones.all_bytes};
  const View results{results_, 0, 0};
  // A draw makes a block of four words in each thread, and so does noise.
  const uint64_t threads = std::max(record.draw.count, zones.all_bytes / 4) / 4 + k_block;
  HONE_CHECK(run("hone_stage", threads,
                 arguments(memory, argument_of(zones), record.making, record.pattern, record.stream, record.draw,
                           results, slots)));
  if (record.use != Use::read) return ok();
  return run("hone_sum", zones.payload_bytes / 4 + 1,
             arguments(memory, zones.begin_bytes, zones.payload_bytes, results, slots.sums));
}

Launch Duties::examination(const Zones& zones, Place place, bool is_sealed) const {
  return launch_of("hone_examine", zones.all_bytes / 16 + 1,
                   arguments(View{zones.memory, 0, zones.all_bytes}, argument_of(zones),
                             static_cast<uint32_t>(is_sealed), View{results_, 0, 0}, slots_of(place)));
}

Status Duties::pattern(const View& payload, uint64_t pattern) {
  if (payload.size_bytes == 0) return ok();
  return run("hone_pattern", payload.size_bytes / 8,
             arguments(whole(payload), payload.offset_bytes, payload.size_bytes, pattern));
}

// The ranges go over in one copy; the last kernel, if need be of no range, takes the words along.
Result<std::vector<Launch>> Duties::gathering(const GatherTable& table, uint32_t set, const View& to,
                                              uint64_t to_words) {
  std::vector<GatheredRange> all;
  for (const auto& [memory, ranges] : table) all.insert(all.end(), ranges.begin(), ranges.end());
  if (all.size() > k_most_ranges) return Error{ErrorCode::internal, "too many ranges for one gather"};
  HONE_CHECK(driver_->write({ranges_, 0, all.size() * sizeof(GatheredRange)}, std::as_bytes(std::span(all))));
  std::vector<Launch> launches;
  const auto add = [&](Memory memory, size_t first, size_t count) {
    const uint32_t words = first + count == all.size() ? k_words_per_set : 0;
    uint64_t most = words;
    for (size_t i = first; i < first + count; ++i) most = std::max(most, all[i].size_bytes);
    launches.push_back(launch_of(
        "hone_gather", most,
        arguments(View{memory, 0, 0}, to, View{ranges_, 0, 0}, static_cast<uint32_t>(first),
                  static_cast<uint32_t>(count), View{results_, 0, 0}, set * k_words_per_set, words, to_words)));
  };
  size_t done = 0;
  for (const auto& [memory, ranges] : table) {
    add(memory, done, ranges.size());
    done += ranges.size();
  }
  if (table.empty()) add(to.memory, 0, 0);
  return launches;
}

FindingsRecord Duties::findings_in(std::span<const uint32_t> words, uint64_t staged) {
  FindingsRecord findings;
  for (uint32_t p = 0; p < k_most_parameters; ++p) {
    const uint64_t bit = uint64_t{1} << p;
    if ((staged & bit) == 0) continue;
    const uint32_t mask = 1u << (p % 32);
    if ((words[k_words_before + p / 32] & mask) != 0) findings.broken_before |= bit;
    if ((words[k_words_after + p / 32] & mask) != 0) findings.broken_after |= bit;
    const auto sums = words.subspan(sums_of(p), 4);
    if (sums[0] != sums[2] || sums[1] != sums[3]) findings.changed_inputs |= bit;
  }
  return findings;
}

Launch Duties::cold_caches() const {
  constexpr uint32_t never = 0x5bd1e995;
  const uint64_t vectors = flush_bytes_ / k_vector_bytes;
  const View sink{ranges_, 0, 0};  // written anew before it is read
  return launch_of("hone_flush", vectors, arguments(View{flush_, 0, flush_bytes_}, vectors, sink, never));
}

Status Duties::touch() { return pattern({ranges_, 0, 8}, 0); }

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
