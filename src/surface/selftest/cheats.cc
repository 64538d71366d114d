#include "surface/selftest/cheats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sandbox/spawn.h"
#include "surface/cli/asking.h"
#include "surface/cli/workplace.h"
#include "task/read.h"

namespace hone::cli {

namespace {

// One task of the corpus, written to a folder of its own, and the device that judges it.
struct Stand {
  task::Task task;
  Bench bench;
  task::Candidate own;                 // the task's own kernel: the incumbent of comparisons
  std::optional<std::string> missing;  // why this machine runs no kernels of its language
};

Status write_task(Disk& disk, const fs::path& folder, const std::string& name) {
  for (const CorpusFile& file : corpus_files()) {
    const std::vector<std::string> parts = split(file.path, '/');
    if (parts.size() != 2 || parts[0] != name) continue;
    HONE_CHECK(write_file(disk, folder / parts[1], file.text));
  }
  return ok();
}

Result<Stand> set_up(const Context& context, const fs::path& root, const std::string& name) {
  const fs::path folder = root / name;
  HONE_CHECK(context.disk->make_directories(folder));
  HONE_CHECK(write_task(*context.disk, folder, name));
  Stand stand;
  HONE_TRY(stand.task, task::require_task(folder));
  auto bench = open_bench(context, stand.task, Calibration::never);
  const bool may_lack = stand.task.kernel.language != task::Language::cpp;
  if (!bench && may_lack && bench.error().code == ErrorCode::environment) {
    stand.missing = bench.error().what;
    return stand;
  }
  HONE_TRY(stand.bench, std::move(bench));
  HONE_TRY(stand.own, task::read_candidate(stand.task, folder));
  return stand;
}

Result<task::Candidate> candidate_of(const Stand& stand, const Specimen& specimen) {
  std::vector<task::CandidateFile> files = stand.own.files;
  files.front().bytes = specimen.text;
  if (specimen.variant.empty()) return task::make_candidate(std::move(files), stand.own.variant);
  HONE_TRY(task::Variant variant, task::read_variant(stand.task, specimen.variant, specimen.id));
  return task::make_candidate(std::move(files), std::move(variant));
}

// What this machine lacks for the specimen; nothing when it can be asked about.
std::optional<std::string> lacks(const device::Identity& identity, const Specimen& specimen) {
  if (specimen.layer && !sandbox::available_layers().has(*specimen.layer))
    return fmt::format("this machine refuses the layer that stops it: {}", name_of(*specimen.layer));
  if (identity.is_of_cores() && static_cast<int>(identity.cores.size()) < specimen.cores)
    return fmt::format("needs {}", counted(static_cast<size_t>(specimen.cores), "core"));
  return std::nullopt;
}

// A verdict that needed no checker is no matter of whether there is one.
bool was_checked(const campaign::Verdict& verdict) {
  const auto ended = [](const campaign::SanitizerCheck& one) { return one.state == "finished"; };
  return verdict.outcome != campaign::Outcome::faster ||
         (verdict.sanitizer && std::ranges::any_of(verdict.sanitizer->checks, ended));
}

Result<campaign::Verdict> judge(const Context& context, const Stand& stand, const Specimen& specimen) {
  HONE_TRY(const task::Candidate candidate, candidate_of(stand, specimen));
  HONE_TRY(judge::JudgingJob job, job_about(stand.task, specimen.question, candidate, stand.bench));
  if (specimen.question == campaign::Question::compare) job.incumbent = judge::to_text(stand.own);
  return ask(
      context, stand.bench, job, [](const judge::RoundRecord&) { return ok(); },
      fmt::format("{}: {}", specimen.kind == Specimens::cheats ? "cheat" : "honest", specimen.id));
}

CheatRow row_about(const Specimen& specimen) {
  CheatRow row;
  row.id = specimen.id;
  row.kind = name_of(specimen.kind);
  row.group = specimen.group;
  row.says = specimen.says;
  row.expected = to_text(specimen.expected);
  return row;
}

Result<CheatRow> try_one(const Context& context, const Stand& stand, const Specimen& specimen) {
  CheatRow row = row_about(specimen);
  if (stand.missing) {
    row.answer = CheatAnswer::skipped;
    row.message = *stand.missing;
    return row;
  }
  HONE_TRY(const device::Identity identity, stand.bench.executor->identity());
  if (const auto missing = lacks(identity, specimen)) {
    row.answer = CheatAnswer::skipped;
    row.message = *missing;
    return row;
  }
  const Nanoseconds began = context.clock->now();
  HONE_TRY(const campaign::Verdict verdict, judge(context, stand, specimen));
  row.seconds = to_seconds(context.clock->now() - began);
  row.outcome = name_of(verdict.outcome);
  row.reason = verdict.reason;
  row.message = verdict.message;
  row.answer = is_expected(specimen, verdict) ? CheatAnswer::as_expected : CheatAnswer::unexpected;
  if (row.answer == CheatAnswer::unexpected && specimen.needs_checker && !was_checked(verdict)) {
    row.answer = CheatAnswer::skipped;
    row.message = "this machine has no compute-sanitizer that works";
  }
  return row;
}

void count(const CheatRow& row, Specimens kind, CheatsDocument& document) {
  document.skipped += row.answer == CheatAnswer::skipped ? 1 : 0;
  if (row.answer == CheatAnswer::skipped) return;
  const uint64_t right = row.answer == CheatAnswer::as_expected ? 1 : 0;
  const bool cheat = kind == Specimens::cheats;
  document.cheats += cheat ? 1 : 0;
  document.cheats_rejected += cheat ? right : 0;
  document.honest += cheat ? 0 : 1;
  document.honest_passed += cheat ? 0 : right;
}

// A device that judges some of them beside the others.
void add_name(std::string& names, const std::string& name) {
  if (names.find(name) == std::string::npos) names += (names.empty() ? "" : "; ") + name;
}

Status describe_device(const Stand& stand, CheatsDocument& document) {
  if (stand.missing) return ok();
  HONE_TRY(const device::Identity identity, stand.bench.executor->identity());
  add_name(document.device, identity.name);
  add_name(document.toolchain, identity.toolchain);
  document.layers = names(sandbox::available_layers());
  return ok();
}

// The folders of the corpus, in its order.
std::string tasks_of(const std::vector<Specimen>& specimens) {
  std::vector<std::string> tasks;
  for (const Specimen& specimen : specimens) {
    const std::string task = specimen.id.substr(0, specimen.id.find('/'));
    if (tasks.empty() || tasks.back() != task) tasks.push_back(task);
  }
  return join(tasks, ", ");
}

Result<std::vector<Specimen>> chosen(const std::string& only) {
  HONE_TRY(std::vector<Specimen> specimens, read_corpus(corpus_files()));
  const std::string tasks = tasks_of(specimens);
  std::erase_if(specimens, [&](const Specimen& specimen) { return specimen.id.find(only) == std::string::npos; });
  if (!specimens.empty()) return specimens;
  return Error{ErrorCode::usage,
               fmt::format("no specimen's name contains '{}'", only),
               {},
               "",
               "names are TASK/NAME, for example axpy/plain; the tasks are " + tasks};
}

}  // namespace

Result<CheatsDocument> try_cheats(const Context& context, const std::string& only) {
  HONE_TRY(const std::vector<Specimen> specimens, chosen(only));
  HONE_TRY(const TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-cheats-"));
  CheatsDocument document;
  std::optional<Stand> stand;
  for (const Specimen& specimen : specimens) {
    if (!stand || stand->task.name != specimen.task) {
      HONE_TRY(stand, set_up(context, folder.path(), specimen.task));
      HONE_CHECK(describe_device(*stand, document));
    }
    HONE_TRY(CheatRow row, try_one(context, *stand, specimen));
    count(row, specimen.kind, document);
    document.rows.push_back(std::move(row));
  }
  document.passed = document.cheats_rejected == document.cheats && document.honest_passed == document.honest;
  return document;
}

std::string to_text(const CheatsDocument& document) {
  std::vector<std::vector<std::string>> table{{"specimen", "class", "answer", "reason", "", "seconds"}};
  for (const CheatRow& row : document.rows)
    table.push_back({row.id, row.group, row.outcome.empty() ? "-" : row.outcome,
                     row.answer == CheatAnswer::skipped ? row.message : row.reason, std::string(name_of(row.answer)),
                     fmt::format("{:.1f}", row.seconds)});
  std::string text = align_table(table);
  for (const CheatRow& row : document.rows) {
    if (row.answer != CheatAnswer::unexpected) continue;
    text += fmt::format("\n{}: {}\n  expected {}\n  {}\n", row.id, row.says, row.expected, row.message);
  }
  text += fmt::format("\n{} · {} · confinement: {}\n", document.device, document.toolchain,
                      document.layers.empty() ? "none" : join(document.layers, ", "));
  text += fmt::format("{} of {} cheats rejected for their reason, {} of {} honest candidates passed",
                      document.cheats_rejected, document.cheats, document.honest_passed, document.honest);
  if (document.skipped > 0) text += fmt::format(", {} skipped", document.skipped);
  return text + (document.passed ? "\n" : "\nFAILED: verdicts of this machine can be bought\n");
}

}  // namespace hone::cli
