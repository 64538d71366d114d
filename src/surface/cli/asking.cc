#include "surface/cli/asking.h"

#include <fmt/format.h>

#include "base/text.h"
#include "loop/contract.h"
#include "sandbox/layers.h"
#include "surface/cli/terminal.h"
#include "task/read.h"

namespace hone::cli {

namespace {

using campaign::Outcome;

std::string times_table(const campaign::Verdict& verdict) {
  std::vector<std::vector<std::string>> rows{{"case", "arm", "p50", "p95", "p99", "launches", "of floor"}};
  const auto add = [&](const campaign::CaseTimes& t, const char* arm) {
    const std::string share = t.floor_s ? percent(*t.floor_s / t.p50_s) : "-";
    rows.push_back({t.case_id, arm, human_time(t.p50_s), human_time(t.p95_s), human_time(t.p99_s),
                    std::to_string(t.launches), share});
  };
  for (const auto& t : verdict.incumbent_times) add(t, "A");
  for (const auto& t : verdict.candidate_times) add(t, verdict.incumbent_times.empty() ? "" : "B");
  return rows.size() > 1 ? align_table(rows) : "";
}

std::string confinement_text(const std::vector<std::string>& layers) {
  const auto missing = sandbox::names(sandbox::missing_from(sandbox::set_of(layers)));
  const std::string text = "confinement: " + (layers.empty() ? "none" : join(layers, ", "));
  return missing.empty() ? text : text + "; missing: " + join(missing, ", ");
}

// Above this a gain of a few per cent is out of reach; a quiet machine shows some tenths of a per cent.
constexpr double k_noisy = 0.02;

std::string comparison_line(const campaign::Comparison& c) {
  std::string line;
  if (c.speedup && c.speedup_interval)
    line = fmt::format("B runs {:.3f} × as fast as A, 95 % interval {:.3f} to {:.3f}", *c.speedup,
                       c.speedup_interval->low, c.speedup_interval->high);
  if (!line.empty())
    line += fmt::format("; {} + {} rounds, error probability {:.3g} (k = {})\n", c.stage1_rounds, c.confirmation_rounds,
                        c.alpha, c.k);
  if (c.round_noise) line += fmt::format("round noise {}", percent(*c.round_noise, 2));
  if (c.smallest_promotable_gain)
    line += fmt::format("; a gain of {} is promoted nine times in ten", percent(*c.smallest_promotable_gain, 1));
  if (c.round_noise && *c.round_noise > k_noisy) line += "; much: stop other work on this machine and ask again";
  return c.round_noise ? line + "\n" : line;
}

std::string correctness_line(const campaign::Correctness& c) {
  std::string line =
      fmt::format("{} trials over {} cases, {} elements compared", c.trials, c.cases, c.elements_compared);
  if (c.worst_error_over_bound) line += fmt::format(", worst error {:.2f} of its bound", *c.worst_error_over_bound);
  return line + "\n";
}

Error no_contract_for(const std::string& word) {
  if (!path_exists(word))
    return {ErrorCode::usage,
            fmt::format("there is no '{}' here, neither a folder nor a candidate's file", word),
            {},
            "",
            "name a task's folder or a candidate; in a campaign, name it with -C NAME.hone"};
  return {ErrorCode::usage,
          fmt::format("nothing says which contract '{}' is to answer", word),
          {},
          "there is no task.toml in it or in the present folder, and no campaign here",
          "name a task's folder, go into one, or name the campaign with -C NAME.hone"};
}

}  // namespace

Result<Place> place_of(const Context& context, const std::string& word) {
  const bool own_contract = fs::is_directory(word) && path_exists(fs::path(word) / "task.toml");
  Place place;
  place.campaign = campaign_folder(context, own_contract ? std::optional(word) : std::nullopt);
  if (!own_contract && !path_exists("task.toml") && !path_exists(place.campaign / "contract/task.toml"))
    return no_contract_for(word);
  HONE_TRY(place.task, own_contract ? task::require_task(word) : contract_of(place.campaign, "."));
  for (const Error& warning : place.task.warnings) print_error("warning: " + hone::to_text(warning));
  HONE_CHECK(task::supported_here(place.task));
  return place;
}

Result<judge::JudgingJob> job_about(const task::Task& task, campaign::Question question,
                                    const task::Candidate& candidate, const Bench& bench) {
  judge::JudgingJob job;
  job.id = std::string(name_of(question));
  job.question = question;
  job.task_folder = fs::absolute(task.folder).string();
  job.candidate = judge::to_text(candidate);
  job.ceilings = bench.ceilings;
  HONE_TRY(const task::Candidate v0, task::read_candidate(task, task.folder));
  job.baseline = judge::to_text(v0);
  return job;
}

Result<campaign::Verdict> ask(const Context& context, const Bench& bench, const judge::JudgingJob& job,
                              const RoundListener& listen, const std::string& title) {
  const auto display = make_display(context.json() ? Verbosity::quiet : Verbosity::normal, *context.clock);
  display->phase(title.empty() ? fmt::format("{} on {}", name_of(job.question), bench.reason) : title);
  judge::Observer observer;
  observer.round = listen;
  observer.progress = [&](const judge::Progress& progress) { display->progress(progress, std::nullopt); };
  observer.cancelled = context.cancelled;
  HONE_TRY(const device::Identity identity, bench.executor->identity());
  judge::JudgingJob pinned = job;
  if (pinned.cores.empty()) pinned.cores = identity.cores;
  return bench.executor->run(pinned, observer);
}

int exit_status(const campaign::Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::correct:
    case Outcome::measured:
    case Outcome::screened:
    case Outcome::faster:
      return 0;
    case Outcome::inconclusive:
      return 4;
    case Outcome::contract_error:
    case Outcome::invalid_reference:
      return 2;
    default:
      return 1;
  }
}

namespace {

std::string occupancy_words(uint64_t resident_blocks, const std::optional<double>& fraction) {
  const std::string blocks = counted(resident_blocks, "block") + " a multiprocessor";
  return fraction ? fmt::format("{} ({:.0f} % of its threads)", blocks, *fraction * 100) : blocks;
}

// "kernel softmax: 32 registers a thread, 1.00 KiB shared a block, nothing spilled, 6 blocks a multiprocessor (75 % of
// its threads)".
std::string kernel_line(const campaign::KernelUse& kernel) {
  std::vector<std::string> parts;
  if (kernel.registers) parts.push_back(counted(*kernel.registers, "register") + " a thread");
  if (kernel.shared_bytes) parts.push_back(human_bytes(*kernel.shared_bytes) + " shared a block");
  if (kernel.local_bytes)
    parts.push_back(*kernel.local_bytes == 0 ? "nothing spilled"
                                             : human_bytes(*kernel.local_bytes) + " of stack and spills a thread");
  if (kernel.resident_blocks) parts.push_back(occupancy_words(*kernel.resident_blocks, kernel.occupancy_fraction));
  return fmt::format("kernel {}: {}\n", quote_untrusted(kernel.kernel, 64), join(parts, ", "));
}

}  // namespace

std::string to_text(const campaign::Verdict& verdict) {
  std::string text = std::string(name_of(verdict.outcome));
  if (!verdict.reason.empty()) text += fmt::format(" ({})", verdict.reason);
  text += "\n";
  if (!verdict.message.empty()) text += verdict.message + "\n";
  if (verdict.comparison) text += comparison_line(*verdict.comparison);
  if (verdict.correctness) text += correctness_line(*verdict.correctness);
  text += times_table(verdict);
  for (const campaign::KernelUse& kernel : verdict.kernels) text += kernel_line(kernel);
  for (const std::string& note : verdict.notes) text += "note: " + note + "\n";
  if (!verdict.details.empty())
    text += "output of the candidate or its compiler, quoted:\n" + quote_untrusted(verdict.details, 4096) + "\n";
  text += fmt::format("{} · {} · {} · {:.1f} s of device time · {}\n", verdict.device_name, verdict.trust,
                      verdict.toolchain, verdict.device_seconds, confinement_text(verdict.layers));
  return text;
}

Result<int> print_verdict(const Context& context, const campaign::Verdict& verdict) {
  if (context.json()) {
    print_json(json::to_text(verdict));
  } else {
    print(to_text(verdict));
  }
  return exit_status(verdict);
}

}  // namespace hone::cli
