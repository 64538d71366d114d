// A campaign on a tape for the tests of this room: a small task folder, a tape and a script made of texts, a clock that
// stands still and a display that remembers. Nothing physical: a run takes a fraction of a second.
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
#include "loop/testing/autopsy.h"
#include "loop/testing/sample_texts.h"
#include "propose/manual.h"
#include "propose/script.h"
#include "propose/tuner.h"
#include "record/git_store.h"

namespace hone::loop::testing {

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
  std::vector<device::HeaderRoot> header_roots() override { return roots; }
  size_t times_asked(campaign::Question question) const {
    return static_cast<size_t>(std::count(asked.begin(), asked.end(), question));
  }

  Watch watch = [](const auto&, const auto&) { return std::nullopt; };
  std::vector<campaign::Question> asked;
  std::optional<std::string> uuid;
  std::vector<device::HeaderRoot> roots;

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
    services.device = device;
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
  std::optional<campaign::DeviceRecord> device;
  RecordingDisplay display;
  std::unique_ptr<WatchedExecutor> executor;
  std::function<bool()> cancelled = [] { return false; };

 private:
  TemporaryFolder root_;
  Processes processes_;
};

}  // namespace hone::loop::testing
