#include "device/cpu/team.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>

#include "base/clock.h"

namespace hone::device::cpu {
namespace {

constexpr int k_least_repetitions = 3;

struct Interval {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

bool pin_here(int core) {
  std::vector<cpu_set_t> set(static_cast<size_t>(core) / CPU_SETSIZE + 1);
  const size_t bytes = set.size() * sizeof(cpu_set_t);
  CPU_ZERO_S(bytes, set.data());
  CPU_SET_S(static_cast<size_t>(core), bytes, set.data());
  return sched_setaffinity(0, bytes, set.data()) == 0;
}

double span_seconds(const std::vector<Interval>& intervals) {
  int64_t start = intervals.front().start_ns;
  int64_t end = intervals.front().end_ns;
  for (const Interval& one : intervals) {
    start = std::min(start, one.start_ns);
    end = std::max(end, one.end_ns);
  }
  return static_cast<double>(end - start) * 1e-9;
}

// What the threads share. Only the first thread writes `best` and `go_on`, between two barriers.
struct Team {
  Team(size_t size, double budget)
      : gate(static_cast<std::ptrdiff_t>(size)),
        intervals(size),
        deadline_ns(judge_clock_ns() + from_seconds(budget).count()) {}

  std::barrier<> gate;
  std::vector<Interval> intervals;
  int64_t deadline_ns;
  int repetitions = 0;
  double best = 0;
  bool go_on = true;
  std::atomic<bool> pinned = true;

  void settle() {
    const double seconds = span_seconds(intervals);
    best = repetitions == 0 ? seconds : std::min(best, seconds);
    ++repetitions;
    go_on = repetitions < k_least_repetitions || judge_clock_ns() < deadline_ns;
  }
};

void take_part(Team& team, size_t place, int core, const std::function<Work()>& make) {
  if (!pin_here(core)) team.pinned = false;
  const Work work = make();
  while (true) {
    work.prepare();
    team.gate.arrive_and_wait();
    team.intervals[place].start_ns = judge_clock_ns();
    work.run();
    team.intervals[place].end_ns = judge_clock_ns();
    team.gate.arrive_and_wait();
    if (place == 0) team.settle();
    team.gate.arrive_and_wait();
    if (!team.go_on) return;
  }
}

}  // namespace

Result<double> best_seconds(const std::vector<int>& cores, const std::function<Work()>& make, double budget_seconds) {
  if (cores.empty()) return Error{ErrorCode::usage, "no core to measure on"};
  Team team(cores.size(), budget_seconds);
  std::vector<std::thread> threads;
  for (size_t place = 0; place < cores.size(); ++place) {
    threads.emplace_back([&, place] { take_part(team, place, cores[place], make); });
  }
  for (std::thread& one : threads) one.join();
  if (!team.pinned) {
    return Error{ErrorCode::environment,
                 "cannot pin a thread to each of the chosen cores",
                 {},
                 {},
                 "choose other cores with --cores"};
  }
  return team.best;
}

}  // namespace hone::device::cpu
