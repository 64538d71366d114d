#include "surface/selftest/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "stats/periodic.h"
#include "stats/rule.h"
#include "surface/selftest/load.h"
#include "surface/selftest/task.h"
#include "task/read.h"

namespace hone::cli {

namespace {

// What is heard while the judge works.
struct Heard {
  std::vector<double> stage1_gains;
  std::vector<std::vector<double>> residuals;  // of each round
};

Error cannot_run(const campaign::Verdict& verdict) {
  return Error{ErrorCode::environment,
               fmt::format("the selftest's own kernel is {} here: {}", name_of(verdict.outcome), verdict.message),
               {},
               "the judge cannot be tested where its kernel does not run",
               "`hone doctor` says what is missing"}
      .because({ErrorCode::environment,
                verdict.details.empty() ? "nothing was printed" : quote_untrusted(verdict.details, 2048)});
}

TrialRecord record_of(const Trial& trial, const campaign::Verdict& verdict, Heard heard) {
  TrialRecord record;
  record.family = trial.family;
  record.index = trial.index;
  record.outcome = name_of(verdict.outcome);
  record.reason = verdict.reason;
  if (verdict.comparison) record.gain = verdict.comparison->gain;
  record.kernel_seconds = campaign::summary_seconds(verdict.incumbent_times);
  record.device_seconds = verdict.device_seconds;
  record.step_seconds = verdict.step_seconds;
  record.stage1_gains = std::move(heard.stage1_gains);
  if (const auto effect = stats::strongest_periodic_effect(heard.residuals)) {
    record.periodic_mean = effect->mean;
    record.periodic_p = effect->p_value;
    record.periodic_launches = effect->period;
  }
  return record;
}

// The arm that leads a quad stands at its first and last place.
bool is_outer(size_t place) { return place == 0 || place == 3; }

bool is_by_a_coin(const std::vector<std::string>& orders) {
  const auto first = static_cast<size_t>(std::count(orders.begin(), orders.end(), "ABBA"));
  return 4 * first >= orders.size() && 4 * first <= 3 * orders.size();
}

}  // namespace

std::vector<double> residuals(const judge::RoundRecord& round) {
  std::vector<double> all;
  for (const judge::CaseSamples& samples : round.cases) {
    const size_t quads = samples.times_ns.size();
    double sums[2] = {0, 0};  // incumbent, candidate
    const auto arm_at = [&](size_t quad, size_t place) {
      return static_cast<size_t>((samples.orders[quad] == "ABBA") != is_outer(place));
    };
    for (size_t quad = 0; quad < quads; ++quad) {
      for (size_t place = 0; place < 4; ++place) sums[arm_at(quad, place)] += std::log(samples.times_ns[quad][place]);
    }
    std::vector<std::array<double, 4>> left(quads);
    std::array<double, 4> shared{};
    for (size_t quad = 0; quad < quads; ++quad) {
      for (size_t place = 0; place < 4; ++place) {
        left[quad][place] =
            std::log(samples.times_ns[quad][place]) - sums[arm_at(quad, place)] / (2.0 * static_cast<double>(quads));
        shared[place] += left[quad][place] / static_cast<double>(quads);
      }
    }
    if (!is_by_a_coin(samples.orders)) shared = {};
    for (const auto& quad : left) {
      for (size_t place = 0; place < 4; ++place) all.push_back(quad[place] - shared[place]);
    }
  }
  return all;
}

Subject::Subject(const Context& context, task::Task task, Bench bench, task::Candidate plain, device::Identity identity)
    : context_(&context),
      task_(std::move(task)),
      bench_(std::move(bench)),
      plain_(std::move(plain)),
      identity_(std::move(identity)),
      task_digest_(task_.digest.hex()) {}

Result<Subject> Subject::open(const Context& context, const fs::path& folder, std::optional<Nanoseconds> length) {
  HONE_TRY(const task::Language language, language_of_device(context));
  HONE_CHECK(write_selftest_task(*context.disk, folder, language, length.value_or(usual_length(language))));
  HONE_TRY(task::Task task, task::require_task(folder));
  HONE_TRY(Bench bench, open_bench(context, task, Calibration::never));
  HONE_TRY(task::Candidate plain, task::read_candidate(task, folder));
  HONE_TRY(device::Identity identity, bench.executor->identity());
  return Subject(context, std::move(task), std::move(bench), std::move(plain), std::move(identity));
}

task::Candidate Subject::arm(int extra, uint64_t build) const {
  std::vector<task::CandidateFile> files = plain_.files;
  files.front().bytes = build_of(files.front().bytes, build, task_.kernel.language);
  task::Variant variant = plain_.variant;
  if (extra != 0) variant.values["EXTRA"] = std::to_string(extra);
  return task::make_candidate(std::move(files), std::move(variant));
}

Result<TrialRecord> Subject::ask(const Trial& trial, const std::string& title) const {
  HONE_TRY(judge::JudgingJob job,
           job_about(task_, campaign::Question::compare, arm(trial.candidate_extra, trial.candidate_build), bench_));
  job.incumbent = judge::to_text(arm(trial.incumbent_extra, trial.incumbent_build));
  Load load;
  Heard heard;
  const size_t middle = stats::Rule{}.looks.front().rounds / 2;
  const auto listen = [&](const judge::RoundRecord& round) {
    if (round.stage == "stage1") heard.stage1_gains.push_back(round.gain);
    heard.residuals.push_back(residuals(round));
    if (trial.family == Family::loaded && heard.stage1_gains.size() == middle && !load.started()) load.start();
    return ok();
  };
  HONE_TRY(const campaign::Verdict verdict, cli::ask(*context_, bench_, job, listen, title));
  const bool runs = !campaign::is_failure(verdict.outcome) && !campaign::is_task_fault(verdict.outcome);
  return runs ? Result<TrialRecord>(record_of(trial, verdict, std::move(heard))) : cannot_run(verdict);
}

}  // namespace hone::cli
