#include "judge/times.h"

#include <algorithm>

#include "stats/estimate.h"

namespace hone::judge {

namespace {

// ABBA = incumbent, candidate, candidate, incumbent; BAAB the reverse.
bool belongs_to(ArmName arm, const std::string& order, size_t position) {
  return (order[position] == 'A') == (arm == ArmName::incumbent);
}

}  // namespace

void add_round(LaunchTimes& times, const RoundRecord& round, ArmName arm) {
  for (const CaseSamples& samples : round.cases) {
    std::vector<double>& into = times[samples.case_id];
    for (size_t quad = 0; quad < samples.orders.size(); ++quad) {
      for (size_t i = 0; i < 4; ++i) {
        if (belongs_to(arm, samples.orders[quad], i)) into.push_back(samples.times_ns[quad][i]);
      }
    }
  }
}

campaign::CaseTimes case_times(const std::string& case_id, double weight, std::vector<double> times_ns) {
  campaign::CaseTimes out;
  out.case_id = case_id;
  out.weight = weight;
  out.launches = times_ns.size();
  const stats::Quantiles quantiles = stats::quantiles(times_ns);
  out.p50_s = 1e-9 * quantiles.p50;
  out.p95_s = 1e-9 * quantiles.p95;
  out.p99_s = 1e-9 * quantiles.p99;
  out.mean_s = 1e-9 * stats::mean(times_ns);
  out.minimum_s = 1e-9 * *std::min_element(times_ns.begin(), times_ns.end());
  return out;
}

}  // namespace hone::judge
