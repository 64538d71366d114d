#pragma once

// "Is the candidate faster?": one pure sequential decision, shared by every executor.
// decide() is a function of all rounds logged so far and keeps nothing between calls, so a comparison
// can be resumed, replayed or fed in one piece and answers the same; further sound rounds change
// nothing. It never fails: a round that makes no sense ends as INCONCLUSIVE (malformed).
// Gains are ln(t_incumbent / t_candidate), positive = faster; speed_up() turns them into ratios.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stats/estimate.h"
#include "stats/rounds.h"
#include "stats/rule.h"
#include "stats/signed_rank.h"

namespace hone::stats {

struct Question {
  std::size_t comparison = 1;  // k: number of this comparison in its campaign, from 1
  std::size_t portfolio = 1;   // m: the confirmation's level is divided by it
  Weighting weighting;
  double hand_over_ns = 0.0;  // of each launch what a candidate might save without being faster
};

// Names: FASTER, NOT_FASTER, INCONCLUSIVE.
enum class Outcome { faster, not_faster, inconclusive };

// Why; each belongs to one outcome. Names as written here.
enum class Reason {
  confirmed,            // faster
  futility,             // not faster: median gain below delta / 2 at an early look
  bounded_below_delta,  // not faster: last look not passed and the interval lies below delta
  case_worse,           // not faster: stage 1 proved one case worse than allowed
  case_not_cleared,     // not faster: confirmed on the whole, but one case may be worse than allowed
  tail,                 // not faster: confirmed by trimmed means, lost over all launches
  too_noisy,            // inconclusive: last look not passed, delta inside the interval
  not_confirmed,        // inconclusive: stage 1 passed, the confirmation did not
  unstable,             // inconclusive: a large gain came back with another size
  unequal_discards,     // inconclusive: quads were lost by order
  carry_over,           // inconclusive: a launch's time depends on who ran before it
  hand_over,            // inconclusive: no more than could be saved of the hand-over between judge and process
  malformed,            // inconclusive: a round without sense (missing case, time not positive)
};

inline constexpr std::size_t k_reasons = 13;

struct Answer {
  Outcome outcome;
  Reason reason;
};

// One look of stage 1. Tests are of H0 "gain <= delta".
struct LookEvidence {
  std::size_t rounds = 0;
  double alpha = 0.0;
  SignedRank test;
  double median_gain = 0.0;
  std::vector<double> case_worse_p;  // per case: H0 "not worse than no_harm_fraction"

  bool passed() const { return test.p <= alpha; }
};

// No slow tail, untrimmed, against a bound: both pooled ratios below it, and H0 "centred at or above
// it" rejected.
struct TailEvidence {
  double pooled = 0.0;              // ln(sum candidate / sum incumbent) over the confirmation's launches
  double pooled_with_stage1 = 0.0;  // over all launches; may only reject, like everything of stage 1
  double p = 1.0;                   // signed-rank test over the rounds' untrimmed ratios
};

struct CaseEvidence {
  Estimate gain;
  double no_harm_p = 1.0;  // H0 "worse than no_harm_fraction"
  TailEvidence tail;       // against no_harm_fraction
};

struct ConfirmationEvidence {
  std::size_t rounds = 0;
  double alpha = 0.0;  // alpha_k / m
  SignedRank test;
  Estimate gain;                // what is reported
  double hand_over_gain = 0.0;  // of a candidate that saves all that it can of the hand-over, and nothing else
  TailEvidence tail;            // against 0
  std::vector<CaseEvidence> cases;
};

// Of the latest stage: conditions under which no answer but INCONCLUSIVE is sound.
struct Soundness {
  double discards_p = 1.0;
  double carry_over = 0.0;
  double carry_over_z = 0.0;
  std::optional<double> skewness;  // of d
};

struct Evidence {
  std::vector<LookEvidence> looks;
  std::optional<Estimate> stage1_gain;
  std::optional<ConfirmationEvidence> confirmation;
  std::optional<Soundness> soundness;
};

enum class Action {
  measure_stage1,      // take `rounds` more rounds of stage 1
  verify_and_confirm,  // second part of the verification, charge alpha, then `rounds` new rounds
  confirm,             // go on with a begun confirmation: `rounds` more
  done,                // see `answer`
};

struct Step {
  Action action = Action::done;
  std::size_t rounds = 0;        // still to take before the next call can say more
  double alpha = 0.0;            // level of what comes next or of what decided
  std::optional<Answer> answer;  // with Action::done alone
  Evidence evidence;

  // For the caller: examine before promotion (gain beyond scrutiny_speedup), and repeat with new
  // rounds before showing (|gain| beyond repeat_beyond_fraction and not repeated by a confirmation).
  bool needs_scrutiny = false;
  bool needs_repetition = false;
};

Step decide(const Rule& rule, const Question& question, std::span<const Round> stage1,
            std::span<const Round> confirmation);

// The same for rounds that were summarised before (with the question's weighting).
Step decide(const Rule& rule, const Question& question, std::span<const RoundSummary> stage1,
            std::span<const RoundSummary> confirmation);

// A confirmation without a stage 1, for the one direct comparison of a finished search with what it began with: the
// same test at the level of a first comparison and the same conditions. A confirmed gain answers `faster`.
Step confirm_alone(const Rule& rule, const Question& question, std::span<const Round> confirmation);

// The estimate that is reported: the confirmation's, else stage 1's, else none.
std::optional<Estimate> reported_gain(const Evidence& evidence);

double speed_up(double gain);

// What a headline says: the lower end for small gains, else the estimate. As a speed-up.
double headline_speed_up(const Rule& rule, const Estimate& gain);

std::string_view name_of(Outcome outcome);
std::string_view name_of(Reason reason);

}  // namespace hone::stats
