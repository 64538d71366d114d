#include "views/figures.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace hone::views {

namespace {

using campaign::CaseTimes;

template <class Get>
std::optional<double> weighted_geomean(const std::vector<CaseTimes>& times, Get get) {
  double weights = 0;
  double logs = 0;
  for (const CaseTimes& one : times) {
    const std::optional<double> value = get(one);
    if (!value || !(*value > 0)) return std::nullopt;
    weights += one.weight;
    logs += one.weight * std::log(*value);
  }
  if (!(weights > 0)) return std::nullopt;
  return std::exp(logs / weights);
}

std::optional<double> ratio(const std::optional<double>& over, const std::optional<double>& under, double unit) {
  if (!over || !under || !(*under > 0)) return std::nullopt;
  return *over / *under / unit;
}

}  // namespace

std::optional<double> Arm::gbps() const { return ratio(bytes, seconds, 1e9); }
std::optional<double> Arm::tflops() const { return ratio(flops, seconds, 1e12); }
std::optional<double> Arm::fraction_of_floor() const { return ratio(floor_s, seconds, 1); }

Arm Arm::at(double other_seconds) const {
  Arm other = *this;
  other.seconds = other_seconds;
  return other;
}

Arm arm_of(const std::vector<CaseTimes>& times) {
  Arm arm;
  arm.seconds = campaign::summary_seconds(times);
  arm.floor_s = weighted_geomean(times, [](const CaseTimes& one) { return one.floor_s; });
  arm.bytes = weighted_geomean(times, [](const CaseTimes& one) { return one.bytes; });
  arm.flops = weighted_geomean(times, [](const CaseTimes& one) { return one.flops; });
  return arm;
}

namespace {

struct MetricRow {
  task::Metric metric;
  std::string_view name;
  std::optional<double> (*value)(const Arm& arm);
  std::string (*text)(double value);
};

std::optional<double> microseconds(const Arm& arm) { return ratio(arm.seconds, 1.0, 1e-6); }
std::optional<double> per_cent(const Arm& arm) { return ratio(arm.fraction_of_floor(), 1.0, 1e-2); }

constexpr MetricRow k_metrics[] = {
    {task::Metric::latency, "Latency", microseconds, [](double value) { return human_time(value * 1e-6); }},
    {task::Metric::gbps, "GBps", [](const Arm& arm) { return arm.gbps(); },
     [](double value) { return fmt::format("{:.1f} GBps", value); }},
    {task::Metric::tflops, "TFLOPS", [](const Arm& arm) { return arm.tflops(); },
     [](double value) { return fmt::format("{:.3f} TFLOPS", value); }},
    {task::Metric::pct_of_peak, "Peak", per_cent, [](double value) { return fmt::format("{:.1f} % of peak", value); }},
};

const MetricRow& row_of(task::Metric metric) {
  for (const MetricRow& row : k_metrics) {
    if (row.metric == metric) return row;
  }
  return k_metrics[0];
}

}  // namespace

std::string metric_name(task::Metric metric) { return std::string(row_of(metric).name); }
std::optional<double> metric_value(task::Metric metric, const Arm& arm) { return row_of(metric).value(arm); }
std::string metric_text(task::Metric metric, double value) { return row_of(metric).text(value); }

task::Metric metric_in_use(const task::Task& task, const Arm& arm) {
  return metric_value(task.target.metric, arm) ? task.target.metric : task::Metric::latency;
}

namespace {

// What may be compared with today's numbers: after a rebaseline the newest measurement, no longer the version's own
// verdict.
Arm measured_arm(const Story& story, const Step& step) {
  if (story.is_comparable(step.version->time)) return arm_of(step.verdict.candidate_times);
  Arm arm;
  for (const auto& [key, answer] : story.state->answers) {
    if (answer.candidate == step.version->candidate && answer.question == campaign::Question::measure)
      arm.seconds = answer.candidate_s;
  }
  return arm;
}

std::vector<campaign::CaseTimes> comparable_times(const Story& story, const Step& step) {
  return story.is_comparable(step.version->time) ? step.verdict.candidate_times : std::vector<campaign::CaseTimes>{};
}

// The comparison of best with v0: the final confirmation, or the promotion itself when it came straight from v0.
const campaign::Verdict* direct_comparison(const Story& story) {
  if (story.confirmation) return &*story.confirmation;
  const Step& best = *story.best();
  const bool straight = best.verdict.incumbent == story.baseline()->version->candidate;
  return straight && story.is_comparable(best.version->time) ? &best.verdict : nullptr;
}

bool is_proven(const campaign::Verdict& verdict) {
  return verdict.outcome == campaign::Outcome::faster && verdict.comparison && verdict.comparison->speedup &&
         verdict.comparison->speedup_interval;
}

void use_direct(FinalFigures& figures, const campaign::Verdict& direct) {
  figures.proof = Proof::direct;
  figures.baseline = arm_of(direct.incumbent_times);
  figures.best = arm_of(direct.candidate_times);
  figures.baseline_times = direct.incumbent_times;
  figures.best_times = direct.candidate_times;
  figures.speedup = direct.comparison->speedup;
  figures.speedup_interval = direct.comparison->speedup_interval;
  figures.headline = direct.comparison->headline_speedup ? direct.comparison->headline_speedup : figures.speedup;
}

}  // namespace

FinalFigures final_figures(const Story& story) {
  FinalFigures figures;
  if (story.steps.empty()) return figures;
  figures.baseline = measured_arm(story, *story.baseline());
  figures.best = measured_arm(story, *story.best());
  figures.baseline_times = comparable_times(story, *story.baseline());
  figures.best_times = comparable_times(story, *story.best());
  if (story.state->incumbent_version == 0) return figures;
  figures.proof = Proof::unconfirmed;
  const campaign::Verdict* direct = direct_comparison(story);
  if (direct != nullptr && is_proven(*direct)) use_direct(figures, *direct);
  return figures;
}

double rounded(double value) { return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr); }
std::string speedup_text(double speedup) { return fmt::format("{:.2f}×", speedup); }

std::string interval_text(const campaign::Interval& interval) {
  return fmt::format("[{:.2f}, {:.2f}]", interval.low, interval.high);
}

std::string optional_time(const std::optional<double>& seconds) { return seconds ? human_time(*seconds) : "-"; }
std::string optional_percent(const std::optional<double>& fraction) { return fraction ? percent(*fraction) : "-"; }

}  // namespace hone::views
