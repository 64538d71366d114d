// What an answer about "faster" costs on this device, and which step of a timed launch costs how much (JUDGE.md 2):
//
//   bench_judge_cost TASK_FOLDER [NAME=VALUE...]
//
// Compares the task's kernel with itself (a rejection), or with the given tunables (a promotion, if they are faster),
// and times every call of the device: load; stage, which is steps 1 to 4; launch, step 5; collect, step 6; scrub, step
// 7. Step 4 alone is measured beside it, on as many bytes. One line of a Markdown table.

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <span>

#include "device/backends.h"
#include "device/cpu/flush.h"
#include "judge/device_bench.h"
#include "judge/questions.h"
#include "surface/roles.h"
#include "task/read.h"

namespace {

using namespace hone;

struct Spent {
  std::map<std::string, double> seconds;
  double staged_bytes = 0;
  uint64_t stages = 0;
};

class Stopwatch {
 public:
  Stopwatch(Spent& spent, const char* step) : spent_(spent), step_(step), began_(SystemClock().now()) {}
  ~Stopwatch() { spent_.seconds[step_] += to_seconds(SystemClock().now() - began_); }

 private:
  Spent& spent_;
  const char* step_;
  Nanoseconds began_;
};

class TimedArm final : public device::Arm {
 public:
  TimedArm(std::unique_ptr<device::Arm> arm, Spent& spent) : arm_(std::move(arm)), spent_(spent) {}
  Status stage(int set, const device::StagePlan& plan) override {
    for (size_t i = 0; i < plan.plans.size(); ++i) {
      if (task::is_buffer(plan.roles[i]))
        spent_.staged_bytes += static_cast<double>(plan.plans[i].count * task::size_bytes(plan.plans[i].dtype));
    }
    ++spent_.stages;
    const Stopwatch watch(spent_, "stage");
    return arm_->stage(set, plan);
  }
  Result<device::LaunchOutcome> launch(std::span<const int> sets, Nanoseconds deadline) override {
    const Stopwatch watch(spent_, "launch");
    return arm_->launch(sets, deadline);
  }
  Result<device::Collected> collect(int set, std::span<const device::Range> ranges) override {
    const Stopwatch watch(spent_, "collect");
    return arm_->collect(set, ranges);
  }
  Status scrub(int set) override {
    const Stopwatch watch(spent_, "scrub");
    return arm_->scrub(set);
  }

 private:
  std::unique_ptr<device::Arm> arm_;
  Spent& spent_;
};

class TimedDevice final : public device::Device {
 public:
  TimedDevice(device::Device& device, Spent& spent) : device_(device), spent_(spent) {}
  const device::Identity& identity() const override { return device_.identity(); }
  Result<device::CompileOutcome> compile(const device::CompileRequest& request) override {
    const Stopwatch watch(spent_, "compile");
    return device_.compile(request);
  }
  Result<device::LoadOutcome> load(const device::LoadRequest& request) override {
    const Stopwatch watch(spent_, "load");
    HONE_TRY(device::LoadOutcome outcome, device_.load(request));
    if (outcome.arm) outcome.arm = std::make_unique<TimedArm>(std::move(outcome.arm), spent_);
    return outcome;
  }
  std::vector<std::string> active_layers() const override { return device_.active_layers(); }

 private:
  device::Device& device_;
  Spent& spent_;
};

// Step 4 on the bytes of an average launch, as often as the judge did it.
double flush_seconds(const Spent& spent) {
  std::vector<std::byte> bytes(static_cast<size_t>(spent.staged_bytes / static_cast<double>(spent.stages)));
  constexpr int repeats = 50;
  double seconds = 0;
  for (int i = 0; i < repeats; ++i) {
    std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(i));
    const Nanoseconds began = SystemClock().now();
    device::cpu::flush_to_memory(bytes);
    seconds += to_seconds(SystemClock().now() - began);
  }
  return seconds / repeats * static_cast<double>(spent.stages);
}

task::Candidate with_values(const task::Candidate& plain, std::span<char*> words) {
  task::Variant variant = plain.variant;
  for (const std::string word : words) variant.values[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  return task::with_variant(plain, variant);
}

Result<std::string> table_line(const std::string& folder, std::span<char*> words) {
  HONE_TRY(const task::Task task, task::require_task(folder));
  HONE_TRY(const task::Candidate plain, task::read_candidate(task, folder));
  judge::JudgingJob job;
  job.id = "cost";
  job.question = campaign::Question::compare;
  job.task_folder = folder;
  job.incumbent = job.baseline = judge::to_text(plain);
  job.candidate = judge::to_text(with_values(plain, words));
  HONE_TRY(const auto device, device::open_device({task.kernel.language, {}, task.limits.threads}));
  Spent spent;
  TimedDevice timed(*device, spent);
  HONE_TRY(const auto bench, judge::DeviceBench::make(task, job, timed));
  HONE_CHECK(device::pin_this_process(device->identity()));
  const Nanoseconds began = SystemClock().now();
  HONE_TRY(const campaign::Verdict verdict, judge::answer(task, job, *bench, {}));
  const double wall = to_seconds(SystemClock().now() - began);
  const auto& s = spent.seconds;
  const auto of = [&](const char* step) { return s.contains(step) ? s.at(step) : 0.0; };
  const double flush = flush_seconds(spent);
  const double all = of("stage") + of("launch") + of("collect") + of("scrub");
  return fmt::format(
      "| {} | {} ({}) | {:.1f} | {:.1f} | {:.0f} % | {:.0f} % | {:.0f} % | {:.0f} % | {:.0f} % | {:.2f} | {:.1f} |\n",
      task.name, name_of(verdict.outcome), verdict.reason, verdict.device_seconds, wall,
      100 * (of("stage") - flush) / all, 100 * flush / all, 100 * of("launch") / all, 100 * of("collect") / all,
      100 * of("scrub") / all, all / (flush + of("launch")), of("load"));
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = hone::surface::run_role(argc, argv)) return *status;  // runners are this very program
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_judge_cost TASK_FOLDER [NAME=VALUE...]\n");
    return 2;
  }
  const auto line = table_line(argv[1], std::span(argv, static_cast<size_t>(argc)).subspan(2));
  fmt::print("{}", line ? *line : to_text(line.error()) + "\n");
  return line ? 0 : 1;
}
