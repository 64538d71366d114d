#include "device/launcher/sanitize.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "device/cuda/sanitizer.h"
#include "device/cuda/sanitizer_report.h"
#include "device/launcher/launched_arm.h"
#include "device/launcher/loading.h"
#include "device/preparation.h"
#include "device/workshop.h"

namespace hone::device::launcher {

namespace {

constexpr size_t k_report_cap_bytes = 4 << 20;
constexpr size_t k_shown_output_bytes = 400;
// After the last launch the tool writes its summary, and racecheck goes through what it has recorded.
constexpr Nanoseconds k_finish_patience = std::chrono::seconds(20);

// Where the tool prints: a file in memory, as long as its profile allows.
class Output {
 public:
  Output() : file_(memfd_create("hone-sanitizer", MFD_CLOEXEC)) {}
  int descriptor() const { return file_.get(); }

  std::string text() const {
    std::string text(k_report_cap_bytes, '\0');
    size_t size = 0;
    while (size < text.size()) {
      const ssize_t got = pread(file_.get(), text.data() + size, text.size() - size, static_cast<off_t>(size));
      if (got <= 0) break;
      size += static_cast<size_t>(got);
    }
    text.resize(size);
    return text;
  }

 private:
  Fd file_;
};

std::string last_line(std::string_view text) {
  text = trim(text);
  return quote_untrusted(text.substr(text.rfind('\n') + 1), k_shown_output_bytes);
}

// One tool over some launches of one candidate.
class Session {
 public:
  Session(const SanitizerSetup& setup, SanitizerTool tool, std::span<const WatchedLaunch> launches, Nanoseconds limit)
      : setup_(setup), launches_(launches), until_(SystemClock().now() + limit) {
    run_.tool = tool;
    run_.asked = launches.size();
  }

  SanitizerRun run() {
    const Nanoseconds begin = SystemClock().now();
    const Status worked = watch();
    if (!worked) give_up(SanitizerState::failed, worked.error().what);
    finish();
    run_.seconds = to_seconds(SystemClock().now() - begin);
    return std::move(run_);
  }

 private:
  Status watch();
  Status launch(const WatchedLaunch& launch);
  Result<std::optional<Fault>> work(Arm& arm, const WatchedLaunch& launch);
  void finish();
  void judge(const cuda::SanitizerReport& report, const std::string& text);
  void give_up(SanitizerState state, const std::string& why);
  Nanoseconds left() const { return std::max(until_ - SystemClock().now(), Nanoseconds(0)); }

  const SanitizerSetup& setup_;
  std::span<const WatchedLaunch> launches_;
  Nanoseconds until_;
  Output output_;
  std::shared_ptr<Launcher> launcher_;
  bool stopped_ = false;
  SanitizerRun run_;
};

// The first reason stays.
void Session::give_up(SanitizerState state, const std::string& why) {
  stopped_ = true;
  if (!run_.note.empty()) return;
  run_.state = state;
  run_.note = why;
}

Status Session::watch() {
  run_.state = SanitizerState::finished;
  LauncherRequest request = setup_.launcher;
  request.placing = Placing::exact;
  request.checker = Checker{cuda::sanitizer_command(*setup_.program, run_.tool),
                            cuda::sanitizer_mounts(*setup_.program), output_.descriptor()};
  HONE_TRY(launcher_, Launcher::start(request));
  HONE_CHECK(load_duties(*launcher_, setup_.duties));
  for (const WatchedLaunch& one : launches_) {
    if (left() == Nanoseconds(0)) give_up(SanitizerState::timed_out, "its time was over");
    if (stopped_) break;
    HONE_CHECK(launch(one));
  }
  return ok();
}

Result<std::optional<Fault>> Session::work(Arm& arm, const WatchedLaunch& launch) {
  StagePlan plan = launch.plan;
  if (launch.preparing) {
    HONE_TRY(Preparation made, prepare(arm, 0, *launch.preparing, left()));
    if (made.outcome.fault) return std::move(made.outcome.fault);
    hand_over(made.derived, plan);
  }
  const int sets[] = {0};
  HONE_CHECK(arm.stage(0, plan));
  HONE_TRY(LaunchOutcome outcome, arm.launch(sets, left()));
  return std::move(outcome.fault);
}

// A launch that fails here may fail of the tool: what the tool says decides.
Status Session::launch(const WatchedLaunch& launch) {
  HONE_TRY(const std::string binary, read_built(launch.load.artefact.folder / launch.load.artefact.objects[0]));
  LoadRequest load = launch.load;
  load.start_deadline = left();
  HONE_TRY(const Loaded loaded, load_into(*launcher_, binary, load));
  std::optional<Fault> fault = loaded.fault;
  if (!fault) {
    LaunchedArm arm(launcher_, loaded.arm, load, Trust::device_only, nullptr);
    HONE_TRY(fault, work(arm, launch));
  }
  if (!fault) {
    ++run_.launches;
    return ok();
  }
  const bool late = fault->kind == FaultKind::timed_out;
  give_up(late ? SanitizerState::timed_out : SanitizerState::failed, "a launch failed: " + fault->message);
  return ok();
}

void Session::finish() {
  if (launcher_ != nullptr) launcher_->finish(k_finish_patience);
  const std::string text = output_.text();
  judge(cuda::read_sanitizer_report(run_.tool, text), text);
}

// What it found counts however it ended; that it found nothing counts if it came to its end.
void Session::judge(const cuda::SanitizerReport& report, const std::string& text) {
  const std::vector<std::string> kernels =
      launches_.empty() ? std::vector<std::string>() : kernels_of(launches_.front().load.steps);
  std::ranges::copy_if(report.findings, std::back_inserter(run_.findings),
                       [&](const SanitizerFinding& one) { return cuda::counts_against(one, kernels); });
  if (!run_.findings.empty()) {
    run_.state = SanitizerState::finished;
    return;
  }
  if (run_.state == SanitizerState::finished && !report.is_complete)
    give_up(SanitizerState::failed, "it ended without a summary");
  if (run_.state == SanitizerState::finished && report.is_cut)
    give_up(SanitizerState::failed, "it met more than it prints, and nothing of what it printed is the kernel's");
  if (run_.state != SanitizerState::failed) return;
  const std::string said = report.complaint.empty() ? last_line(text) : report.complaint;
  if (!said.empty()) run_.note += "; it says: " + said;
}

SanitizerRun not_run(SanitizerTool tool, SanitizerState state, uint64_t asked, std::string why) {
  SanitizerRun run;
  run.tool = tool;
  run.state = state;
  run.asked = asked;
  run.note = std::move(why);
  return run;
}

}  // namespace

SanitizerRun run_sanitizer(const SanitizerSetup& setup, SanitizerTool tool, std::span<const WatchedLaunch> launches,
                           Nanoseconds limit) {
  if (setup.program) return Session(setup, tool, launches, limit).run();
  return not_run(tool, SanitizerState::absent, launches.size(),
                 fmt::format("{} is not on this machine", cuda::k_sanitizer));
}

std::vector<SanitizerRun> run_sanitizers(const SanitizerSetup& setup, std::span<const WatchedLaunch> launches,
                                         Nanoseconds limit) {
  const std::span tools(EnumNames<SanitizerTool>::table);
  std::vector<SanitizerRun> runs;
  for (const auto& tool : tools) {
    if (limit <= Nanoseconds(0)) {
      runs.push_back(not_run(tool.value, SanitizerState::disabled, launches.size(), "it was given no time"));
      continue;
    }
    runs.push_back(run_sanitizer(setup, tool.value, launches, limit / static_cast<int64_t>(tools.size())));
    if (!runs.back().findings.empty()) break;
  }
  return runs;
}

}  // namespace hone::device::launcher
