#include "campaign/verdict.h"

#include <algorithm>
#include <cmath>

namespace hone::campaign {

bool is_failure(Outcome outcome) {
  switch (outcome) {
    case Outcome::suspect:
    case Outcome::violation:
    case Outcome::incorrect_shape:
    case Outcome::incorrect_dtype:
    case Outcome::incorrect_numerical:
    case Outcome::compile_error:
    case Outcome::launch_error:
    case Outcome::runtime_error:
    case Outcome::timeout:
    case Outcome::out_of_memory:
      return true;
    default:
      return false;
  }
}

bool is_task_fault(Outcome outcome) {
  return outcome == Outcome::contract_error || outcome == Outcome::invalid_reference;
}

namespace {

void raise(std::optional<double>& worst, const std::optional<double>& value) {
  if (value && (!worst || *value > *worst)) worst = value;
}

}  // namespace

void add(Correctness& total, const Correctness& more) {
  total.trials += more.trials;
  total.cases = std::max(total.cases, more.cases);
  total.elements_compared += more.elements_compared;
  total.launches_checked_against_pair += more.launches_checked_against_pair;
  total.launches_checked_against_oracle += more.launches_checked_against_oracle;
  total.skipped_stress_cases += more.skipped_stress_cases;
  raise(total.worst_error_over_bound, more.worst_error_over_bound);
  raise(total.worst_absolute_error, more.worst_absolute_error);
  raise(total.worst_relative_error, more.worst_relative_error);
  if (!total.first_mismatch) total.first_mismatch = more.first_mismatch;
}

std::optional<double> summary_seconds(const std::vector<CaseTimes>& times) {
  double weights = 0;
  double logs = 0;
  for (const CaseTimes& one : times) {
    weights += one.weight;
    logs += one.weight * std::log(one.p50_s);
  }
  if (times.empty() || !(weights > 0)) return std::nullopt;
  return std::exp(logs / weights);
}

}  // namespace hone::campaign
