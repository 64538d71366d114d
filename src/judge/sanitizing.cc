// The device's own checker of DeviceBench: which launches it is shown, and what becomes of its findings (JUDGE.md 4).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text.h"
#include "judge/device_bench.h"

namespace hone::judge {

namespace {

uint64_t bytes_of(const CaseContent& content) {
  const auto& arguments = content.bound().arguments;
  return std::accumulate(arguments.begin(), arguments.end(), uint64_t{0},
                         [](uint64_t sum, const task::BoundArgument& one) { return sum + one.bytes; });
}

// Two launches of one shape run the same instructions on the same places, as far as a checker of places can tell.
std::string shape_of(const CaseContent& content, const std::vector<device::LaunchStep>& steps) {
  std::string shape;
  for (const device::LaunchStep& step : steps)
    shape += fmt::format("{} {} {} {} {};", step.entry, fmt::join(step.grid, ","), fmt::join(step.block, ","),
                         fmt::join(step.cluster, ","), step.dynamic_shared_bytes);
  for (const task::BoundArgument& one : content.bound().arguments) shape += fmt::format("{} ", one.bytes);
  return shape;
}

campaign::SanitizerFinding record_of(const device::SanitizerFinding& found) {
  return {
      std::string(name_of(found.kind)), found.message, found.space, found.kernel, found.file, found.line, found.count};
}

campaign::SanitizerCheck record_of(const device::SanitizerRun& run) {
  campaign::SanitizerCheck check{std::string(name_of(run.tool)),
                                 std::string(name_of(run.state)),
                                 run.launches,
                                 run.asked,
                                 run.seconds,
                                 run.note,
                                 {}};
  for (const device::SanitizerFinding& found : run.findings) check.findings.push_back(record_of(found));
  return check;
}

std::string line_of(const device::SanitizerFinding& found) {
  std::string place = found.file;
  if (found.line) place += fmt::format(":{}", *found.line);
  return fmt::format("{}: {}, kernel {}{}{} ({})\n", name_of(found.tool), found.message, found.kernel,
                     place.empty() ? "" : ", ", place,
                     found.count == 1 ? "once" : fmt::format("{} times", found.count));
}

// The tool's words and the candidate's names stand in what is untrusted.
std::optional<Failure> failure_in(const device::SanitizerRun& run) {
  if (run.findings.empty()) return std::nullopt;
  Failure failure{campaign::Outcome::violation, ArmName::candidate, "sanitizer", {}, {}, std::nullopt};
  failure.message = fmt::format("compute-sanitizer's {} finds fault with {} of its kernels ({})", name_of(run.tool),
                                counted(run.findings.size(), "place"), name_of(run.findings.front().kind));
  for (const device::SanitizerFinding& found : run.findings) failure.details += line_of(found);
  return failure;
}

}  // namespace

// Buffers as large as this case alone asks for, from warm caches: making them cold takes long below a checker.
device::WatchedLaunch DeviceBench::watched(const CaseContent& content, Steps steps) const {
  const Digest key = secret_.sub_key({"sanitizer", content.bound().id, "", 0, attempts_, 0});
  device::WatchedLaunch one;
  one.load.artefact = arms_.at(ArmName::candidate).artefact;
  one.load.entry = task_.kernel.entry;
  one.load.steps = steps.all();
  one.load.parameters = parameter_layout(task_, {&content});
  one.load.sets = 1;
  one.load.memory_limit_bytes = task_.limits.device_bytes;
  one.plan = content.stage_plan(key, device::Distribution::contract, device::CacheState::warm);
  if (!steps.preparing.empty()) one.preparing = device::preparing(one.plan, std::move(steps.preparing));
  one.plan.steps = std::move(steps.running);
  return one;
}

// Small ones first, since time may not suffice for all. Hidden cases are left out: a finding tells what is launched.
Result<std::vector<device::WatchedLaunch>> DeviceBench::watched_launches() const {
  std::vector<const CaseContent*> cases = public_cases();
  std::ranges::stable_sort(cases, {}, [](const CaseContent* one) { return bytes_of(*one); });
  std::vector<device::WatchedLaunch> launches;
  std::set<std::string> shapes;
  for (const CaseContent* content : cases) {
    HONE_TRY(Steps steps, steps_of(ArmName::candidate, *content));
    if (!shapes.insert(shape_of(*content, steps.all())).second) continue;
    launches.push_back(watched(*content, std::move(steps)));
    HONE_TRY(launches.back().plan.tensor_maps, tensor_maps_of(ArmName::candidate, *content));
  }
  return launches;
}

Result<SanitizerAnswer> DeviceBench::sanitize() {
  SanitizerAnswer answer;
  const Stopwatch watching(report_.step_seconds["sanitizer"]);
  HONE_TRY(const auto launches, watched_launches());
  HONE_TRY(const auto runs, device_.sanitize(launches, from_seconds(task_.limits.sanitizer_seconds)));
  for (const device::SanitizerRun& run : runs) {
    if (!answer.record) answer.record.emplace();
    answer.record->checks.push_back(record_of(run));
    if (!answer.failure) answer.failure = failure_in(run);
  }
  return answer;
}

}  // namespace hone::judge
