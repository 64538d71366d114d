// Order statistics of launch times for people and reports. Nothing is decided here.
// Times in nanoseconds in, seconds out. Pure.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/enums.h"
#include "campaign/verdict.h"
#include "judge/job.h"

namespace hone::judge {

enum class ArmName { incumbent, candidate, baseline };

// All launches of one arm by case id.
using LaunchTimes = std::map<std::string, std::vector<double>>;

void add_round(LaunchTimes& times, const RoundRecord& round, ArmName arm);
campaign::CaseTimes case_times(const std::string& case_id, double weight, std::vector<double> times_ns);

}  // namespace hone::judge

namespace hone {
template <>
struct EnumNames<judge::ArmName> {
  using T = judge::ArmName;
  static constexpr EnumName<T> table[] = {
      {T::incumbent, "incumbent"}, {T::candidate, "candidate"}, {T::baseline, "baseline"}};
};
}  // namespace hone
