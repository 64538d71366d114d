// A campaign on a tape for the tests of this room: a small task folder, a tape and a script made of texts, a clock that
// stands still and a display that remembers. Nothing physical: a run takes a fraction of a second. Also what a campaign
// adds up to, as text, so that an interrupted run can be compared with one that was not.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "execute/tape.h"
#include "loop/contract.h"
#include "loop/run.h"
#include "propose/manual.h"
#include "propose/script.h"
#include "propose/tuner.h"
#include "record/git_store.h"
#include "task/task_folder_for_tests.h"

namespace hone::loop::testing {

inline constexpr std::string_view k_device_line = "{\"device\":\"tape CPU\",\"cores\":[0]}\n";
// ITEMS = 8 is 25 % faster than v0, O3 on top of it another third; ITEMS = 2 is wrong; BLOCK = 256 is slower.
inline constexpr std::string_view k_tape =
    R"({"device":"tape CPU","cores":[0]}
{"candidate":"*","times_ns":[[8000,8010,7990,8000]],"noise":0.004}
{"options":["O3"],"times_ns":[[7900]],"noise":0.004}
{"values":{"BLOCK":"256"},"times_ns":[[8600]],"noise":0.004}
{"values":{"ITEMS":"8"},"times_ns":[[6000,6010],[6020,5990]],"noise":0.004}
{"values":{"ITEMS":"8"},"options":["O3"],"times_ns":[[4000]],"noise":0.004}
{"values":{"ITEMS":"2"},"verify":"INCORRECT_NUMERICAL","times_ns":[[3000]]}
)";
// A promotion, a rejection, a failure, a second promotion.
inline constexpr std::string_view k_script =
    R"({"tier":2,"group":"items","change":"eight items","values":{"ITEMS":"8"}}
{"tier":1,"group":"block","change":"larger blocks","values":{"ITEMS":"2","BLOCK":"256"}}
{"tier":2,"group":"two","change":"two items","values":{"ITEMS":"2"}}
{"tier":1,"group":"slower","change":"larger blocks, one item","values":{"BLOCK":"256"}}
{"tier":3,"group":"optimisation","change":"O3 on top","options":["O3"]}
)";

// The same figures on another device.
inline std::string replaced_device() { return task::replaced(std::string(k_tape), "tape CPU", "another tape CPU"); }

class RecordingDisplay final : public Display {
 public:
  void phase(const std::string& text) override { phases.push_back(text); }
  void note(const std::string& text) override { notes.push_back(text); }
  std::optional<TargetAnswer> ask_target(std::optional<double>) override {
    ++asked;
    return target;
  }
  std::vector<std::string> phases;
  std::vector<std::string> notes;
  std::optional<TargetAnswer> target;
  int asked = 0;
};

// Passes jobs on; a test looks at them, answers in the executor's place or lets time pass.
class WatchedExecutor final : public execute::Executor {
 public:
  using Watch =
      std::function<std::optional<Result<campaign::Verdict>>(const judge::JudgingJob&, const judge::Observer&)>;
  explicit WatchedExecutor(std::unique_ptr<execute::Executor> inner) : inner_(std::move(inner)) {}
  Result<campaign::Verdict> run(const judge::JudgingJob& job, const judge::Observer& observer) override {
    asked.push_back(job.question);
    if (auto answer = watch(job, observer)) return *std::move(answer);
    return inner_->run(job, observer);
  }
  Result<device::Identity> identity() override {
    HONE_TRY(device::Identity identity, inner_->identity());
    if (uuid) identity.uuid = *uuid;
    return identity;
  }
  size_t times_asked(campaign::Question question) const {
    return static_cast<size_t>(std::count(asked.begin(), asked.end(), question));
  }

  Watch watch = [](const auto&, const auto&) { return std::nullopt; };
  std::vector<campaign::Question> asked;
  std::optional<std::string> uuid;

 private:
  std::unique_ptr<execute::Executor> inner_;
};

class TapeCampaign {
 public:
  TapeCampaign() : root_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-loop-")) {
    for (const auto& [name, text] : task::scale_files()) write(task_folder() / name, text);
    write_tape(k_tape);
    write_script(k_script);
  }

  const fs::path& root() const { return root_.path(); }
  fs::path task_folder() const { return root() / "scale"; }
  fs::path folder() const { return root() / "scale.hone"; }
  fs::path log() const { return folder() / "log.jsonl"; }
  fs::path tape() const { return root() / "tape.jsonl"; }
  fs::path script_file() const { return root() / "script.jsonl"; }

  static void write(const fs::path& file, std::string_view text) {
    Disk disk;
    ASSERT_TRUE(disk.make_directories(file.parent_path()));
    ASSERT_TRUE(write_file(disk, file, text));
  }
  void write_tape(std::string_view text) {
    write(tape(), text);
    const auto read = execute::read_tape(tape());
    ASSERT_TRUE(read) << to_text(read.error());
    executor = std::make_unique<WatchedExecutor>(execute::make_tape_executor(*read));
  }
  void write_script(std::string_view text) const { write(script_file(), text); }

  Result<RunReport> run(propose::Proposer& proposer) {
    request.task_folder = task_folder();
    request.campaign_folder = folder();
    request.command = "hone run scale";
    RunServices services;
    services.disk = disk;
    services.clock = &clock;
    services.processes = &processes_;
    services.display = &display;
    services.executor = executor.get();
    services.proposer = &proposer;
    services.device_reason = "the tape";
    services.cancelled = cancelled;
    return loop::run(request, services);
  }
  Result<RunReport> tune() { return run(*propose::make_tuner()); }
  Result<RunReport> manual() { return run(*propose::make_manual(task_folder())); }
  Result<RunReport> script() {
    HONE_TRY(const auto proposer, propose::make_script(script_path.empty() ? script_file() : script_path));
    return run(*proposer);
  }

  campaign::State state() const {
    const auto read = read_campaign(folder());
    EXPECT_TRUE(read) << to_text(read.error());
    return read ? read->state : campaign::State();
  }
  record::GitStore git() { return *record::GitStore::open(own_disk, processes_, folder() / "store.git"); }
  record::Refs refs() { return git().refs().value_or(record::Refs()); }
  std::vector<std::string> log_lines() const {
    std::vector<std::string> lines = split_lines(read_file(log()).value_or(""));
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
  }
  // As a death after the n-th event would leave the log; store.git and views may be ahead, so they go.
  void keep_events(size_t count) const {
    const std::vector<std::string> lines = log_lines();
    std::string kept;
    for (size_t i = 0; i < count; ++i) kept += lines.at(i) + "\n";
    write(log(), kept);
    fs::remove_all(folder() / "store.git");
  }
  void copy_to(const TapeCampaign& other) const { fs::copy(folder(), other.folder(), fs::copy_options::recursive); }

  fs::path script_path;  // when it is another campaign's
  RunRequest request;
  Disk own_disk;
  Disk* disk = &own_disk;
  FakeClock clock;
  RecordingDisplay display;
  std::unique_ptr<WatchedExecutor> executor;
  std::function<bool()> cancelled = [] { return false; };

 private:
  TemporaryFolder root_;
  Processes processes_;
};

inline std::string status_of(const campaign::Experiment& one) {
  return one.decided ? std::string(name_of(one.decided->status)) : "open";
}

inline std::vector<std::string> statuses(const campaign::State& state) {
  std::vector<std::string> all;
  for (const campaign::Experiment& one : state.experiments) all.push_back(status_of(one));
  return all;
}

// What a campaign adds up to, whatever happened on the way: no times, no sessions, no job names.
inline std::string outcome_of(const campaign::State& state) {
  std::string out = fmt::format("incumbent v{}, k = {}, {} reserved\n", state.incumbent_version, state.comparisons,
                                state.reserved.size());
  for (const campaign::Version& one : state.versions)
    out += fmt::format("v{} {} of experiment {}{}\n", one.number, one.candidate, one.experiment,
                       one.demoted ? ", demoted" : "");
  for (const campaign::Experiment& one : state.experiments)
    out += fmt::format("experiment {} {} {} {} {}\n", one.started.experiment, one.started.group, one.started.parent,
                       one.candidate.value_or("-"), status_of(one));
  for (const auto& charged : state.ledger)
    out += fmt::format("k {} {} {}\n", charged.k, charged.candidate, charged.incumbent);
  for (const auto& [context, group] : state.dead_ends) out += fmt::format("closed {} from {}\n", group, context);
  for (const auto& [digest, parked] : state.parked) out += fmt::format("parked {} in {}\n", digest, parked.experiment);
  if (state.final_confirmation) out += fmt::format("confirmed {}\n", state.final_confirmation->candidate);
  if (state.terminal) out += fmt::format("{}\n", name_of(*state.terminal));
  return out;
}

}  // namespace hone::loop::testing
