// A whole small campaign on disk for tests of commands: a task folder, beside it a campaign with v0, v1 (other source
// and a tunable) and a final confirmation, made by folding events through loop::Store; blobs, store.git and views are
// real. Also how a test calls a command: words in, exit status and output out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "loop/contract.h"
#include "loop/history.h"
#include "surface/cli/parser.h"
#include "surface/cli/reports.h"
#include "task/task_folder_for_tests.h"
#include "views/testing/example_campaign.h"
#include "views/views.h"

namespace hone::cli::testing {

struct Called {
  int status = 0;
  std::string output;
  std::string error;  // to_text of the Error
};

// As `hone WORDS` with the given commands.
inline Called call(std::vector<Command> commands, std::vector<std::string> words) {
  Disk disk;
  FakeClock clock;
  Processes processes;
  auto parsed = parse(commands, words);
  if (!parsed) return {exit_code(parsed.error().code), "", to_text(parsed.error())};
  Context context;
  context.arguments = std::move(parsed->arguments);
  context.output = context.arguments.has("json") ? Output::json : Output::text;
  context.command_line = "hone " + words.front();
  context.disk = &disk;
  context.clock = &clock;
  context.processes = &processes;
  ::testing::internal::CaptureStdout();
  const auto status = parsed->command->run(context);
  std::string output = ::testing::internal::GetCapturedStdout();
  if (!status) return {exit_code(status.error().code), std::move(output), to_text(status.error())};
  return {*status, std::move(output), ""};
}

inline constexpr std::string_view k_old_kernel = "extern \"C\" int scale(float a, const float* x, float* y, int n);\n";
inline constexpr std::string_view k_new_kernel =
    "extern \"C\" int scale(float a, const float* x, float* y, int n);  // better\n";

class SmallCampaign {
 public:
  SmallCampaign() : root_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-cli-")) {
    for (const auto& [name, text] : task::scale_files()) write(task_folder() / name, text);
    make();
  }

  fs::path task_folder() const { return root_.path() / "scale"; }
  fs::path folder() const { return root_.path() / "scale.hone"; }
  fs::path log() const { return folder() / "log.jsonl"; }
  fs::path kernel() const { return task_folder() / "kernel.cpp"; }
  const fs::path& root() const { return root_.path(); }

  static void write(const fs::path& file, std::string_view text) {
    Disk disk;
    ASSERT_TRUE(disk.make_directories(file.parent_path()));
    ASSERT_TRUE(write_file(disk, file, text));
  }
  static std::string read(const fs::path& file) { return read_file(file).value_or("(absent)"); }
  campaign::State state() const { return loop::read_campaign(folder())->state; }
  void add(const campaign::EventBody& body) {
    auto store = loop::Store::open(disk_, clock_, folder(), "hone test");
    ASSERT_TRUE(store);
    add(*store, body);
    write_views();
  }
  void write_views() {
    const auto read = read_whole(folder());
    ASSERT_TRUE(read) << to_text(read.error());
    const auto files = views::make_views(read->log.state, read->task, read->blobs);
    ASSERT_TRUE(files) << to_text(files.error());
    ASSERT_TRUE(views::write_views(disk_, folder(), *files));
  }

 private:
  static void add(loop::Store& store, campaign::EventBody body) {
    const Status added = store.append(std::move(body));
    ASSERT_TRUE(added) << to_text(added.error());
  }
  static std::string put(loop::Store& store, const campaign::Verdict& verdict) { return *store.put_json(verdict); }

  void make() {
    auto store = loop::Store::open(disk_, clock_, folder(), "hone run scale");
    ASSERT_TRUE(store) << to_text(store.error());
    const auto task = task::require_task(task_folder());
    ASSERT_TRUE(task) << to_text(task.error());
    open_campaign(*store, *task);
    auto history = loop::History::open(*store, processes_, clock_);
    ASSERT_TRUE(history) << to_text(history.error());
    const task::Candidate first = *task::read_candidate(*task, task_folder());
    set_baseline(*store, *history, first);
    promote(*store, *history, first);
    confirm(*store, first);
    const Status followed = history->follow();
    ASSERT_TRUE(followed) << to_text(followed.error());
    write_views();
  }

  void open_campaign(loop::Store& store, const task::Task& task) {
    campaign::CampaignOpened opened;
    opened.task_name = task.name;
    opened.contract = *loop::freeze(store, task);
    opened.pins = campaign::testing::sample_pins();
    opened.pins.task_digest = task.digest.hex();
    opened.device_reason = "first in the list of devices";
    add(store, opened);
    campaign::SessionStarted session;
    session.command = "hone run scale";
    session.proposer = "tune";
    add(store, session);
  }

  static void set_baseline(loop::Store& store, loop::History& history, const task::Candidate& first) {
    add(store, *loop::record_candidate(store, first, {}, "baseline"));
    const std::string digest = first.digest.hex();
    const campaign::Verdict verdict = views::testing::measurement(digest, 2e-3);
    const std::string blob = put(store, verdict);
    campaign::Judged judged{
        "j0", "measure", campaign::Question::measure, digest, {}, verdict.outcome, "", blob, 2e-3, {}, {}, {}, 1.5};
    add(store, judged);
    const std::string anchor = loop::anchor_of(store.head());
    const auto commit = *history.prepare(first, {0, {}, blob, anchor, 1000});
    add(store, campaign::BaselineSet{digest, blob, commit.tree, commit.commit, anchor, 1000});
  }

  static campaign::Judged judge(loop::Store& store, const std::string& job, const campaign::Verdict& verdict) {
    campaign::Judged judged;
    judged.job = job;
    judged.key = "key " + job;
    judged.question = verdict.question;
    judged.candidate = verdict.candidate;
    judged.incumbent = verdict.incumbent;
    judged.outcome = verdict.outcome;
    judged.verdict = put(store, verdict);
    judged.candidate_s = 1e-3;
    judged.incumbent_s = 2e-3;
    judged.speedup = verdict.comparison->speedup;
    judged.speedup_interval = verdict.comparison->speedup_interval;
    add(store, judged);
    return judged;
  }

  static void promote(loop::Store& store, loop::History& history, const task::Candidate& first) {
    const task::Candidate better =
        task::make_candidate({{"kernel.cpp", false, std::string(k_new_kernel)}}, {{{"BLOCK", "64"}}, {}});
    const std::string digest = better.digest.hex();
    add(store, campaign::ExperimentStarted{1, first.digest.hex(), 1, "tunables of tier 1", "faster", "BLOCK 128 to 64",
                                           "5 %", "1 %"});
    add(store, *loop::record_candidate(store, better, first.digest.hex(), "tune"));
    add(store, campaign::CandidateOffered{1, digest});
    add(store, campaign::ComparisonCharged{"j1", 1, 0.05, digest, first.digest.hex()});
    const auto verdict =
        views::testing::comparison(campaign::Outcome::faster, digest, first.digest.hex(), 1, 2e-3, 1e-3);
    const campaign::Judged judged = judge(store, "j1", verdict);
    add(store, campaign::Decided{1, campaign::ExperimentStatus::improved, campaign::Outcome::faster, "confirmed", 1.0,
                                 judged.verdict});
    const std::string parent = store.state().incumbent()->commit;
    const std::string anchor = loop::anchor_of(store.head());
    const auto commit = *history.prepare(better, {1, parent, judged.verdict, anchor, 2000});
    add(store, campaign::Promoted{1, 1, digest, parent, commit.tree, commit.commit, judged.verdict, anchor, 2000});
  }

  static void confirm(loop::Store& store, const task::Candidate& first) {
    const std::string best = store.state().incumbent()->candidate;
    add(store, campaign::ComparisonCharged{"final", 2, 0.01, best, first.digest.hex()});
    const auto verdict = views::testing::comparison(campaign::Outcome::faster, best, first.digest.hex(), 2, 2e-3, 1e-3);
    const campaign::Judged judged = judge(store, "final", verdict);
    add(store, campaign::FinalConfirmed{best, judged.verdict, judged.speedup, judged.speedup_interval});
    add(store, campaign::Stopped{campaign::StopStatus::exhausted, "no tier is left", 40.5, 1.5});
  }

  TemporaryFolder root_;
  Disk disk_;
  FakeClock clock_;
  Processes processes_;
};

}  // namespace hone::cli::testing
