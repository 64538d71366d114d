#include "surface/cli/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "stats/estimate.h"
#include "stats/simulate.h"
#include "stats/tails.h"
#include "surface/cli/asking.h"
#include "surface/cli/selftest_task.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr OptionRow k_options[] = {
    {"--runs", "N", "5", "comparisons of identical kernels", "about a minute with the ladder"},
    k_cores_option,
    k_device_option};

constexpr size_t k_campaigns = 300;          // resampled campaigns of the boundary test (JUDGE.md 3)
constexpr double k_boundary_stage1 = 0.03;   // an injected gain of δ may pass stage 1 this often
constexpr size_t k_boundary_promotions = 1;  // and both stages this often, of 300
constexpr double k_power = 0.90;
constexpr uint64_t k_seed = 20261129;

// The judge under test: compares two spins of the same kernel.
class Subject {
 public:
  Subject(const Context& context, const task::Task& task, const Bench& bench)
      : context_(context), task_(task), bench_(bench) {}

  // How many thousandths more work each side does than the plain kernel; `title` is what a person reads meanwhile.
  Result<campaign::Verdict> compare(int incumbent_extra, int candidate_extra, const std::string& title) {
    HONE_TRY(const task::Candidate plain, task::read_candidate(task_, task_.folder));
    HONE_TRY(judge::JudgingJob job,
             job_about(task_, campaign::Question::compare, with_extra(plain, candidate_extra), bench_));
    job.incumbent = judge::to_text(with_extra(plain, incumbent_extra));
    const auto listen = [&](const judge::RoundRecord& round) {
      if (incumbent_extra == candidate_extra) identical_gains_.push_back(round.gain);
      return ok();
    };
    HONE_TRY(campaign::Verdict verdict, ask(context_, bench_, job, listen, title));
    if (verdict.comparison && verdict.comparison->gain) return verdict;
    return Error{ErrorCode::environment,
                 fmt::format("the selftest's own kernel is {} here: {}", name_of(verdict.outcome), verdict.message),
                 {},
                 "the judge cannot be tested where its kernel does not run",
                 "`hone doctor` says what is missing"}
        .because({ErrorCode::environment,
                  verdict.details.empty() ? "nothing was printed" : quote_untrusted(verdict.details, 2048)});
  }
  const std::vector<double>& identical_gains() const { return identical_gains_; }

 private:
  static task::Candidate with_extra(const task::Candidate& plain, int extra) {
    task::Variant variant = plain.variant;
    if (extra != 0) variant.values["EXTRA"] = std::to_string(extra);
    return task::with_variant(plain, variant);
  }
  const Context& context_;
  const task::Task& task_;
  const Bench& bench_;
  std::vector<double> identical_gains_;
};

Status identical_kernels(Subject& subject, uint64_t runs, SelftestDocument& document) {
  for (uint64_t i = 0; i < runs; ++i) {
    HONE_TRY(const campaign::Verdict verdict,
             subject.compare(0, 0, fmt::format("identical kernels, {} of {}", i + 1, runs)));
    ++document.identical_runs;
    if (verdict.outcome == campaign::Outcome::faster) ++document.false_promotions;
  }
  document.false_promotion_bound = stats::rate_upper_bound(document.false_promotions, document.identical_runs, 0.95);
  return ok();
}

// The machine's own noise, centred, with a gain of exactly δ put in: how often would the rule promote it?
void boundary(const std::vector<double>& gains, SelftestDocument& document) {
  const stats::Rule rule;
  const double centre = stats::mean(gains);
  std::vector<double> noise;
  for (const double gain : gains) noise.push_back(centre - gain);
  document.round_noise = stats::standard_deviation(gains).value_or(0.0);
  const stats::Noise resampled = stats::resampled(noise);
  document.smallest_promotable_gain = stats::smallest_promotable_gain(rule, resampled, k_power, k_campaigns, k_seed);
  const stats::Tally tally =
      stats::simulate(rule, {}, stats::rounds_with(rule.delta_fraction, resampled), k_campaigns, k_seed);
  document.boundary_stage1_share = tally.stage1_share();
  document.boundary_promotions = tally.count(stats::Reason::confirmed);
}

Status ladder(Subject& subject, SelftestDocument& document) {
  for (const int extra : {5, 10, 20, 50}) {
    HONE_TRY(const campaign::Verdict verdict,
             subject.compare(extra, 0, fmt::format("ladder, a gain of {}", percent(extra / 1000.0))));
    LadderStep step{extra / 1000.0, std::string(name_of(verdict.outcome)), {}};
    if (verdict.comparison && verdict.comparison->gain) step.measured_gain = std::expm1(*verdict.comparison->gain);
    document.ladder.push_back(std::move(step));
  }
  HONE_TRY(const campaign::Verdict forward, subject.compare(50, 0, "label swap, forward"));
  HONE_TRY(const campaign::Verdict backward, subject.compare(0, 50, "label swap, backward"));
  document.label_swap_mirrors =
      forward.outcome == campaign::Outcome::faster && backward.outcome == campaign::Outcome::not_faster;
  return ok();
}

// A step well above what this noise lets through must be promoted, one below δ never.
bool ladder_holds(const SelftestDocument& document) {
  const double delta = stats::Rule{}.delta_fraction;
  return std::all_of(document.ladder.begin(), document.ladder.end(), [&](const LadderStep& step) {
    const bool promoted = step.outcome == name_of(campaign::Outcome::faster);
    if (step.gain < delta) return !promoted;
    const bool must = document.smallest_promotable_gain && step.gain > 1.5 * *document.smallest_promotable_gain;
    return !must || promoted;
  });
}

std::string to_text(const SelftestDocument& d) {
  std::string text = fmt::format("{} · {}\n", d.device, d.toolchain);
  text += fmt::format("identical kernels: {} of {} promoted (rate at most {} with 95 % confidence)\n",
                      d.false_promotions, d.identical_runs, percent(d.false_promotion_bound));
  text += fmt::format("round noise: {}\n", percent(d.round_noise, 2));
  if (d.smallest_promotable_gain)
    text += fmt::format("smallest gain promoted nine times in ten: {}\n", percent(*d.smallest_promotable_gain));
  text += fmt::format("boundary (a gain of exactly 1 %): stage 1 passed {} of {} resampled campaigns, {} promoted\n",
                      percent(d.boundary_stage1_share), k_campaigns, d.boundary_promotions);
  for (const LadderStep& step : d.ladder)
    text += fmt::format("ladder {}: {}{}\n", percent(step.gain), step.outcome,
                        step.measured_gain ? fmt::format(", measured {}", signed_percent(*step.measured_gain, 2)) : "");
  text += fmt::format("label swap: {}\n", d.label_swap_mirrors ? "mirrors" : "DOES NOT MIRROR");
  return text + (d.passed ? "passed\n" : "FAILED: do not trust promotions on this machine\n");
}

Result<int> run(Context& context) {
  HONE_TRY(const auto runs, context.arguments.count("runs"));
  if (runs == 0u) return Error{ErrorCode::usage, "--runs takes a number from 1"};
  HONE_TRY(const TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-selftest-"));
  HONE_CHECK(write_selftest_task(*context.disk, folder.path()));
  HONE_TRY(const task::Task task, task::require_task(folder.path()));
  HONE_TRY(const Bench bench, open_bench(context, task, Calibration::never));
  HONE_TRY(const device::Identity identity, bench.executor->identity());
  SelftestDocument document;
  document.device = identity.name;
  document.toolchain = identity.toolchain;
  Subject subject(context, task, bench);
  HONE_CHECK(identical_kernels(subject, runs.value_or(5), document));
  boundary(subject.identical_gains(), document);
  HONE_CHECK(ladder(subject, document));
  document.passed = document.false_promotions == 0 && document.boundary_stage1_share <= k_boundary_stage1 &&
                    document.boundary_promotions <= k_boundary_promotions && document.label_swap_mirrors &&
                    ladder_holds(document);
  if (context.json()) {
    print_json(json::to_text(document));
  } else {
    print(to_text(document));
  }
  return document.passed ? 0 : 1;
}

}  // namespace

Command selftest_command() {
  return {"selftest",
          "The judge's own release gate on this machine",
          "Compares identical kernels (none may be promoted), resamples the machine's noise at the boundary of 1 %, "
          "climbs a ladder of\n"
          "injected gains (0.5, 1, 2, 5 %) and swaps the labels. Status 1: promotions here are not to be trusted.",
          {},
          k_options,
          run};
}

}  // namespace hone::cli
