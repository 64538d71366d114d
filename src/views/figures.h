// Figures: the numbers that views and reports show, worked out from verdicts. Seconds, bytes, flops and fractions
// throughout; a number that cannot be had is absent, never 0. Pure, no failure, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/verdict.h"
#include "task/task.h"
#include "views/story.h"

namespace hone::views {

// One arm over its timed cases: weighted geometric means, as campaign::summary_seconds. `floor_s`, `bytes` and `flops`
// are present when every case has them.
struct Arm {
  std::optional<double> seconds;
  std::optional<double> floor_s;
  std::optional<double> bytes;  // minimal traffic of one launch
  std::optional<double> flops;

  std::optional<double> gbps() const;               // 1e9 bytes per second
  std::optional<double> tflops() const;             // 1e12 operations per second
  std::optional<double> fraction_of_floor() const;  // floor_s / seconds, 1 = at the floor
  Arm at(double other_seconds) const;               // the same work done in another time
};

Arm arm_of(const std::vector<campaign::CaseTimes>& times);

// The task's metric as it is shown: name and unit of the published table, larger or smaller is better.
std::string metric_name(task::Metric metric);                             // "Latency", "GBps", "TFLOPS", "Peak"
std::optional<double> metric_value(task::Metric metric, const Arm& arm);  // µs, GB/s, TFLOP/s, per cent
std::string metric_text(task::Metric metric, double value);               // "1747.0 GBps"
// The task's metric when `arm` has it, else latency.
task::Metric metric_in_use(const task::Task& task, const Arm& arm);

// How the speed-up of best against v0 is known.
enum class Proof {
  none,         // v0 is best, or nothing was measured
  direct,       // one confirmed comparison of best with v0
  unconfirmed,  // best came in several steps, each proven; no comparison with v0 itself confirmed it
};

// Best against v0. Both times come from one comparison when there is a direct one, else from each version's own
// verdict.
struct FinalFigures {
  Proof proof = Proof::none;
  Arm baseline;
  Arm best;
  std::vector<campaign::CaseTimes> baseline_times;
  std::vector<campaign::CaseTimes> best_times;
  std::optional<double> speedup;  // present when proof is direct
  std::optional<campaign::Interval> speedup_interval;
  std::optional<double>
      headline;  // what to say in one number: the interval's lower end when the gain is small, else speedup
};

FinalFigures final_figures(const Story& story);

double rounded(double value);  // to seven significant digits: more is noise, and differs between mathematical libraries
std::string speedup_text(double speedup);                         // "3.42×"
std::string interval_text(const campaign::Interval& interval);    // "[3.31, 3.55]"
std::string optional_time(const std::optional<double>& seconds);  // "-" when absent
std::string optional_percent(const std::optional<double>& fraction);

}  // namespace hone::views

namespace hone {
template <>
struct EnumNames<views::Proof> {
  using T = views::Proof;
  static constexpr EnumName<T> table[] = {
      {T::none, "none"}, {T::direct, "direct"}, {T::unconfirmed, "not confirmed directly"}};
};
}  // namespace hone
