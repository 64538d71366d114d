#include "surface/selftest/gate.h"

#include <fmt/format.h>

#include "judge/constants.h"
#include "surface/selftest/journal.h"
#include "surface/selftest/summary.h"

namespace hone::cli {

namespace {

std::string title_of(const Trial& trial, size_t number, size_t of) {
  const int extra = std::max(trial.incumbent_extra, trial.candidate_extra);
  const std::string gain = extra == 0 ? "" : fmt::format(" of {} %", extra / 10.0);
  return fmt::format("{}{} ({} of {})", name_of(trial.family), gain, number, of);
}

// Answers in memory when nothing is kept.
class Answers {
 public:
  static Result<Answers> open(const Context& context, const Subject& subject, const std::optional<fs::path>& path) {
    Answers answers;
    if (!path) return answers;
    HONE_TRY(answers.journal_, Journal::open(*context.disk, *path,
                                             {.judge_version = std::string(judge::k_judge_version),
                                              .device_key = subject.identity().key().hex(),
                                              .task_digest = subject.task_digest()}));
    return answers;
  }
  bool has(const Trial& trial) const { return journal_ && journal_->has(trial); }
  Status add(const TrialRecord& record) {
    if (journal_) return journal_->append(record);
    records_.push_back(record);
    return ok();
  }
  const std::vector<TrialRecord>& records() const { return journal_ ? journal_->records() : records_; }

 private:
  std::optional<Journal> journal_;
  std::vector<TrialRecord> records_;
};

fs::path result_path(const std::string& device_key) { return user_data_folder() / "selftest" / (device_key + ".json"); }

}  // namespace

Result<SelftestDocument> run_gate(const Context& context, const Sizes& sizes, const std::optional<fs::path>& journal,
                                  std::optional<Nanoseconds> length) {
  HONE_TRY(const TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-selftest-"));
  HONE_TRY(const Subject subject, Subject::open(context, folder.path(), length));
  HONE_TRY(Answers answers, Answers::open(context, subject, journal));
  const std::vector<Trial> trials = plan(sizes);
  for (size_t i = 0; i < trials.size(); ++i) {
    if (answers.has(trials[i])) continue;
    HONE_TRY(const TrialRecord record, subject.ask(trials[i], title_of(trials[i], i + 1, trials.size())));
    HONE_CHECK(answers.add(record));
  }
  SelftestDocument document = summarise(answers.records());
  document.device = subject.identity().name;
  document.toolchain = subject.identity().toolchain;
  document.device_key = subject.identity().key().hex();
  document.finished = to_iso8601(context.clock->wall_time());
  return document;
}

Status keep_result(Disk& disk, const SelftestDocument& document) {
  const fs::path path = result_path(document.device_key);
  HONE_CHECK(disk.make_directories(path.parent_path()));
  return write_file(disk, path, json::pretty(json::to_text(document)), Durable::yes);
}

std::optional<SelftestDocument> kept_result(const std::string& device_key) {
  const auto text = read_file(result_path(device_key));
  if (!text) return std::nullopt;
  auto document = json::from_text<SelftestDocument>(*text);
  return document ? std::optional(std::move(*document)) : std::nullopt;
}

}  // namespace hone::cli
