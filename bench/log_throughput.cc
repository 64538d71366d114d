// How fast the log takes and gives back events: appends with fsync one by one, then the replay of a large log,
// verified, with and without parsing each line. Prints one line a figure.
//   bench_log_throughput [FOLDER [LINES [APPENDS]]]     the folder decides which disk is measured (default: the current
//   one)
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "record/log.h"

namespace hone {
namespace {

// An event of the size that a campaign writes most: about 380 bytes as a line.
std::string event_body(uint64_t seq) {
  return fmt::format(
      R"({{"seq":{},"time":"2026-11-29T18:24:30.123Z","kind":"round","experiment":"x{:06}","case":"rows=4096,cols=4096",)"
      R"("times_ns":[123456,123789,123111,123999,123456,123222],"d":-0.012345678901234,"note":"paired quads, clean"}})",
      seq, seq / 24);
}

double seconds_now() { return to_seconds(SystemClock().now()); }

// Processor time of this process: what a busy machine does not change.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double quantile(const std::vector<double>& sorted, double fraction) {
  return sorted[static_cast<size_t>(fraction * static_cast<double>(sorted.size() - 1))];
}

Status append_one_by_one(const fs::path& path, uint64_t appends) {
  Disk disk;
  HONE_TRY(auto opened, record::Log::open(disk, path, [](std::string_view, uint64_t) { return ok(); }));
  std::vector<double> times_ms;
  const double begin = seconds_now();
  for (uint64_t seq = 1; seq <= appends; ++seq) {
    const double before = seconds_now();
    HONE_CHECK(opened.log.append(event_body(seq)));
    times_ms.push_back(1e3 * (seconds_now() - before));
  }
  const double total = seconds_now() - begin;
  std::ranges::sort(times_ms);
  fmt::print("append + fsync, {} lines: p50 {:.3f} ms, p99 {:.3f} ms, longest {:.1f} ms, total {:.2f} s\n", appends,
             quantile(times_ms, 0.5), quantile(times_ms, 0.99), times_ms.back(), total);
  return ok();
}

Status write_large_log(const fs::path& path, uint64_t lines) {
  std::ofstream file(path, std::ios::binary);
  Digest previous;
  for (uint64_t seq = 1; seq <= lines; ++seq) {
    HONE_TRY(const auto line, record::seal(event_body(seq), previous));
    file << line.text;
    previous = line.hash;
  }
  return ok();
}

Status replay(const char* what, const fs::path& path, const record::LineVisitor& visit) {
  const double begin = seconds_now();
  const double cpu_begin = cpu_seconds();
  HONE_TRY(const auto content, record::read_log(path, visit));
  const double total = seconds_now() - begin;
  const double cpu = cpu_seconds() - cpu_begin;
  fmt::print("replay, {}: {} lines of {:.0f} bytes in {:.2f} s ({:.2f} s of processor time), peak memory {:.0f} MiB\n",
             what, content.head.lines,
             static_cast<double>(content.good_bytes) / static_cast<double>(content.head.lines), total, cpu, peak_mib());
  return ok();
}

Status parse_line(std::string_view line, uint64_t) {
  HONE_CHECK(json::parse(line));
  return ok();
}

Status run(const fs::path& parent, uint64_t lines, uint64_t appends) {
  HONE_TRY(const auto folder, TemporaryFolder::make(parent, "hone-bench-"));
  HONE_CHECK(append_one_by_one(folder.path() / "appended.jsonl", appends));
  const fs::path large = folder.path() / "large.jsonl";
  HONE_CHECK(write_large_log(large, lines));
  HONE_CHECK(replay("chain verified", large, [](std::string_view, uint64_t) { return ok(); }));
  return replay("chain verified and every line parsed", large, parse_line);
}

}  // namespace
}  // namespace hone

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const auto number = [&](size_t place, uint64_t otherwise) {
    return words.size() > place ? std::stoull(words[place]) : otherwise;
  };
  const auto done = hone::run(words.empty() ? "." : words[0], number(1, 1'000'000), number(2, 10'000));
  if (!done) fmt::print(stderr, "{}", hone::to_text(done.error()));
  return done ? 0 : hone::exit_code(done.error().code);
}
