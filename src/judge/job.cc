#include "judge/job.h"

#include <algorithm>

namespace hone::judge {

CandidateText to_text(const task::Candidate& candidate) {
  CandidateText text;
  for (const task::CandidateFile& file : candidate.files)
    text.files.push_back({file.path, file.executable, file.bytes});
  text.values = candidate.variant.values;
  text.options = candidate.variant.options;
  text.launches = task::own_launches(candidate.variant);
  return text;
}

task::Candidate to_candidate(const CandidateText& text) {
  std::vector<task::CandidateFile> files;
  for (const CandidateText::File& file : text.files) files.push_back({file.path, file.executable, file.text});
  return task::make_candidate(std::move(files), {text.values, text.options, text.launches.value_or("")});
}

namespace {

stats::CaseRound to_case_round(const CaseSamples& samples, size_t case_index) {
  stats::CaseRound round;
  round.case_index = case_index;
  round.discarded = {samples.discarded_incumbent_first, samples.discarded_candidate_first};
  for (size_t i = 0; i < std::min(samples.orders.size(), samples.times_ns.size()); ++i) {
    stats::Quad quad{samples.orders[i] == "BAAB" ? stats::Order::candidate_first : stats::Order::incumbent_first, {}};
    for (size_t j = 0; j < std::min<size_t>(4, samples.times_ns[i].size()); ++j) quad.t_ns[j] = samples.times_ns[i][j];
    round.quads.push_back(quad);
  }
  return round;
}

}  // namespace

stats::Round to_round(const RoundRecord& record, const std::vector<std::string>& timed_cases) {
  stats::Round round;
  for (const CaseSamples& samples : record.cases) {
    const auto found = std::find(timed_cases.begin(), timed_cases.end(), samples.case_id);
    // A case that is not timed gets an index out of range, which the decision calls malformed.
    round.cases.push_back(to_case_round(samples, static_cast<size_t>(found - timed_cases.begin())));
  }
  return round;
}

}  // namespace hone::judge
