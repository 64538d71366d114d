#include "campaign/verdict.h"

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
