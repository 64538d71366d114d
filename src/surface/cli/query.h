// A query: one question of verify, measure or compare, asked where it belongs.
// Inside: a campaign with a baseline works under the same contract and knows every candidate of the query; then its
// store answers or its judge is asked (loop/visit.h). Outside: nothing is stored and k = 1. Notes of the verdict say
// which, where a campaign could have been meant. Failures: as loop::visit and ask(); usage for --again outside.
#pragma once

#include <optional>
#include <string>

#include "campaign/verdict.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

inline constexpr ArgumentRow k_candidate_argument{
    "CANDIDATE", false, false, "a folder, vK, best, baseline or a digest prefix; the present folder by default"};
inline constexpr OptionRow k_again_option{"--again", "", "", "in a campaign: measure anew what its store would answer"};

struct Query {
  campaign::Question question = campaign::Question::verify;
  Calibration calibration = Calibration::never;
  std::string candidate;                 // CANDIDATE words
  std::optional<std::string> incumbent;  // compare alone
};
// About CANDIDATE as typed, which is the present folder by default.
Query query_about_candidate(const Context& context, campaign::Question question, Calibration calibration);

struct Answered {
  task::Task task;
  campaign::Verdict verdict;
};
Result<Answered> answer_of(const Context& context, const Query& query);

}  // namespace hone::cli
