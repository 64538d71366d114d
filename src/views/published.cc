#include "views/published.h"

#include <fmt/format.h>

#include "base/text.h"
#include "views/markdown.h"

namespace hone::views {

namespace {

json::Raw number_or_null(const std::optional<double>& value, double factor = 1) {
  return value ? json::Raw{json::to_text(rounded(*value * factor))} : json::Raw{};
}

struct Vendor {
  std::string_view part;  // of the device's name
  std::string_view vendor;
};
constexpr Vendor k_vendors[] = {{"NVIDIA", "nvidia"}, {"AMD", "amd"},   {"Radeon", "amd"},
                                {"EPYC", "amd"},      {"Ryzen", "amd"}, {"Intel", "intel"}};

std::string dtype_of(const task::Task& task) {
  for (const task::Argument& argument : task.arguments) {
    if (task::is_written(argument.role) && task::is_floating(argument.dtype))
      return std::string(name_of(argument.dtype));
  }
  return task.arguments.empty() ? "none" : std::string(name_of(task.arguments.front().dtype));
}

std::string value_text(const task::BoundValue& value) {
  return std::visit([](auto number) { return json::to_text(number); }, value);
}

// "m=512,n=512"; a hidden case shows its id alone.
std::string shape_of(const task::Task& task) {
  const auto timed = task.cases_for(task::Purpose::time);
  if (timed.empty()) return "none";
  if (timed.front()->hidden) return timed.front()->id;
  std::vector<std::string> parts;
  for (const auto& [name, value] : timed.front()->bind) parts.push_back(fmt::format("{}={}", name, value_text(value)));
  return join(parts, ",");
}

}  // namespace

std::string vendor_of(std::string_view device_name) {
  for (const Vendor& row : k_vendors) {
    if (device_name.find(row.part) != std::string_view::npos) return std::string(row.vendor);
  }
  return "none";
}

Benchmark benchmark_of(const task::Task& task, const campaign::Verdict& verdict) {
  const Arm arm = arm_of(verdict.candidate_times);
  const bool correct = !campaign::is_failure(verdict.outcome) && !campaign::is_task_fault(verdict.outcome);
  Benchmark out;
  out.kernel = plain_text(task.name);
  out.gpu = plain_text(verdict.device_name);
  out.vendor = vendor_of(verdict.device_name);
  out.correctness = correct;
  out.latency_us = number_or_null(arm.seconds, 1e6);
  out.tflops = number_or_null(arm.tflops());
  out.gbps = number_or_null(arm.gbps());
  out.dtype = dtype_of(task);
  out.shape = shape_of(task);
  out.status = correct ? "pass" : "fail";
  return out;
}

Benchmark benchmark_of(const Story& story) {
  Benchmark out = benchmark_of(*story.task, story.best()->verdict);
  const Arm arm = final_figures(story).best;
  out.latency_us = number_or_null(arm.seconds, 1e6);
  out.tflops = number_or_null(arm.tflops());
  out.gbps = number_or_null(arm.gbps());
  return out;
}

Metrics metrics_of(const Story& story) {
  const Arm arm = final_figures(story).best;
  Metrics out;
  out.kernel = plain_text(story.task->name);
  out.gpu = plain_text(story.best()->verdict.device_name);
  out.latency_us = number_or_null(arm.seconds, 1e6);
  out.tflops = number_or_null(arm.tflops());
  out.gbps = number_or_null(arm.gbps());
  out.roofline_pct = number_or_null(arm.fraction_of_floor(), 100);
  if (story.state->diagnosis) out.bottleneck = {json::to_text(story.state->diagnosis->bottleneck)};
  return out;
}

}  // namespace hone::views
