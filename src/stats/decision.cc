#include "stats/decision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "stats/fisher.h"
#include "stats/guards.h"

namespace hone::stats {
namespace {

using Rounds = std::span<const RoundSummary>;

// The rounds that a confirmed or failed gain rests on.
struct Stages {
  Rounds stage1;
  Rounds confirmation;

  std::vector<RoundSummary> all() const {
    std::vector<RoundSummary> rounds(stage1.begin(), stage1.end());
    rounds.insert(rounds.end(), confirmation.begin(), confirmation.end());
    return rounds;
  }
};

// ---- Reading columns of the rounds ---------------------------------------------------------------

template <typename Field>
std::vector<double> column(Rounds rounds, Field field) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const RoundSummary& round : rounds) values.push_back(field(round));
  return values;
}

std::vector<double> gains_of(Rounds rounds) {
  return column(rounds, [](const RoundSummary& r) { return -r.d; });
}

std::vector<double> gains_of_case(Rounds rounds, std::size_t i) {
  return column(rounds, [i](const RoundSummary& r) { return -r.cases[i].d; });
}

// H0 "values are centred at or below bound".
SignedRank test_above(std::vector<double> values, double bound) {
  for (double& value : values) value -= bound;
  return signed_rank_test(values);
}

// H0 "values are centred at or above bound".
SignedRank test_below(std::vector<double> values, double bound) {
  for (double& value : values) value = bound - value;
  return signed_rank_test(values);
}

double delta_of(const Rule& rule) { return std::log1p(rule.delta_fraction); }
double harm_of(const Rule& rule) { return std::log1p(rule.no_harm_fraction); }

// ---- Soundness -------------------------------------------------------------------------------------

double discards_p_of(Rounds rounds) {
  Table2x2 table{0, 0, 0, 0};
  for (const RoundSummary& round : rounds) {
    table.first_yes += round.discarded.incumbent_first;
    table.first_no += round.kept.incumbent_first;
    table.second_yes += round.discarded.candidate_first;
    table.second_no += round.kept.candidate_first;
  }
  return fisher_exact_p(table);
}

// Mean over rounds in units of its standard error; rounds that agree exactly are certain.
double z_of(std::span<const double> values) {
  const double centre = mean(values);
  const double error = standard_deviation(values).value_or(0.0) / std::sqrt(static_cast<double>(values.size()));
  if (error > 0.0) return centre / error;
  return centre == 0.0 ? 0.0 : std::copysign(std::numeric_limits<double>::max(), centre);
}

Soundness soundness_of(Rounds rounds) {
  const auto carry_over = column(rounds, [](const RoundSummary& r) { return r.carry_over; });
  return {discards_p_of(rounds), mean(carry_over), z_of(carry_over), skewness(gains_of(rounds))};
}

bool has_carry_over(const Rule& rule, const Soundness& seen) {
  const double limit = std::log1p(rule.carry_over_share_of_delta * rule.delta_fraction);
  return std::abs(seen.carry_over) > limit && std::abs(seen.carry_over_z) > rule.carry_over_z;
}

// Could the answer be the carry-over's work? It biases a gain by at most half its size; the whole of it is allowed for,
// in either direction.
bool rests_on_carry_over(const Rule& rule, const Answer& answer, const Evidence& evidence) {
  const double bias = std::abs(evidence.soundness->carry_over);
  const auto gain = reported_gain(evidence);
  if (!has_carry_over(rule, *evidence.soundness)) return false;
  if (!gain || !gain->interval) return true;
  if (answer.outcome == Outcome::faster) return gain->interval->lower - bias <= delta_of(rule);
  return gain->interval->upper + bias >= delta_of(rule);
}

std::optional<Reason> unsound(const Rule& rule, const Answer& answer, const Evidence& evidence) {
  if (evidence.soundness->discards_p < rule.unequal_discards_alpha) return Reason::unequal_discards;
  if (rests_on_carry_over(rule, answer, evidence)) return Reason::carry_over;
  return std::nullopt;
}

// ---- Steps -----------------------------------------------------------------------------------------

Step make_step(Action action, std::size_t rounds, double alpha, Evidence evidence) {
  Step step;
  step.action = action;
  step.rounds = rounds;
  step.alpha = alpha;
  step.evidence = std::move(evidence);
  return step;
}

Step malformed() {
  Step step;
  step.answer = Answer{Outcome::inconclusive, Reason::malformed};
  return step;
}

// Ends a comparison; rounds that are not sound leave no other answer than INCONCLUSIVE.
Step finish(const Rule& rule, Answer answer, double alpha, Evidence evidence) {
  Step step = make_step(Action::done, 0, alpha, std::move(evidence));
  step.answer = answer;
  if (const auto reason = unsound(rule, answer, step.evidence)) {
    step.answer = Answer{Outcome::inconclusive, *reason};
  }
  const double gain = reported_gain(step.evidence)->value;
  step.needs_scrutiny = needs_scrutiny(rule, gain);
  step.needs_repetition = !step.evidence.confirmation && is_surprising(rule, gain);
  return step;
}

// ---- Confirmation ------------------------------------------------------------------------------------

std::vector<double> tails_of_case(Rounds rounds, std::size_t i) {
  return column(rounds, [i](const RoundSummary& r) {
    return std::log(r.cases[i].sums.candidate_ns / r.cases[i].sums.incumbent_ns);
  });
}

TailEvidence whole_tail(const Question& question, const Stages& stages) {
  const auto tails = column(stages.confirmation, [](const RoundSummary& r) { return r.tail; });
  return {pooled_tail(question.weighting, stages.confirmation), pooled_tail(question.weighting, stages.all()),
          test_below(tails, 0.0).p};
}

TailEvidence case_tail(const Rule& rule, const Stages& stages, std::size_t i) {
  return {pooled_tail_of_case(stages.confirmation, i), pooled_tail_of_case(stages.all(), i),
          test_below(tails_of_case(stages.confirmation, i), harm_of(rule)).p};
}

CaseEvidence examine_case(const Rule& rule, const Stages& stages, std::size_t i) {
  const auto gains = gains_of_case(stages.confirmation, i);
  return {hodges_lehmann(gains, rule.confidence), test_above(gains, -harm_of(rule)).p, case_tail(rule, stages, i)};
}

double hand_over_gain(const Question& question, Rounds rounds) {
  constexpr double k_most = 0.99;  // a shorter launch is nothing but hand-over
  std::vector<double> ln_ratios, incumbent_ns;
  for (std::size_t i = 0; i < question.weighting.weights.size(); ++i) {
    const LaunchSums sums = pooled_sums(rounds, i);
    incumbent_ns.push_back(sums.incumbent_ns / sums.launches);
    ln_ratios.push_back(std::log1p(-std::min(question.hand_over_ns / incumbent_ns.back(), k_most)));
  }
  return -combine(question.weighting, ln_ratios, incumbent_ns);
}

ConfirmationEvidence examine_confirmation(const Rule& rule, const Question& question, double alpha,
                                          const Stages& stages) {
  const auto gains = gains_of(stages.confirmation);
  ConfirmationEvidence seen;
  seen.rounds = gains.size();
  seen.alpha = alpha;
  seen.test = test_above(gains, delta_of(rule));
  seen.gain = hodges_lehmann(gains, rule.confidence);
  seen.hand_over_gain = hand_over_gain(question, stages.confirmation);
  seen.tail = whole_tail(question, stages);
  for (std::size_t i = 0; i < question.weighting.weights.size(); ++i) {
    seen.cases.push_back(examine_case(rule, stages, i));
  }
  return seen;
}

// The rounds' test sees a tail that most rounds meet; the pooled sums see one that few rounds meet
// but that costs more than the gain. Either alone misses the other kind.
bool is_clear_of_tail(const Rule& rule, const TailEvidence& tail, double bound) {
  return tail.p <= rule.condition_alpha && std::max(tail.pooled, tail.pooled_with_stage1) < bound;
}

bool harms_no_case(const Rule& rule, const ConfirmationEvidence& seen) {
  return std::all_of(seen.cases.begin(), seen.cases.end(),
                     [&](const CaseEvidence& c) { return c.no_harm_p <= rule.condition_alpha; });
}

bool has_no_tail(const Rule& rule, const ConfirmationEvidence& seen) {
  return is_clear_of_tail(rule, seen.tail, 0.0) &&
         std::all_of(seen.cases.begin(), seen.cases.end(),
                     [&](const CaseEvidence& c) { return is_clear_of_tail(rule, c.tail, harm_of(rule)); });
}

bool exceeds_hand_over(const ConfirmationEvidence& seen) {
  return seen.hand_over_gain <= 0.0 || (seen.gain.interval && seen.gain.interval->lower > seen.hand_over_gain);
}

bool is_unstable(const Rule& rule, const Evidence& evidence) {
  return is_surprising(rule, evidence.stage1_gain->value) &&
         !repetition_agrees(rule, *evidence.stage1_gain, evidence.confirmation->gain);
}

Answer answer_of_confirmation(const Rule& rule, const ConfirmationEvidence& seen) {
  if (seen.test.p > seen.alpha) return {Outcome::inconclusive, Reason::not_confirmed};
  if (!harms_no_case(rule, seen)) return {Outcome::not_faster, Reason::case_not_cleared};
  if (!has_no_tail(rule, seen)) return {Outcome::not_faster, Reason::tail};
  if (!exceeds_hand_over(seen)) return {Outcome::inconclusive, Reason::hand_over};
  return {Outcome::faster, Reason::confirmed};
}

// Stage 1 has its say once more: a large gain must come back with its size.
Answer answer_of_both(const Rule& rule, const Evidence& evidence) {
  const Answer answer = answer_of_confirmation(rule, *evidence.confirmation);
  if (answer.outcome == Outcome::faster && is_unstable(rule, evidence))
    return {Outcome::inconclusive, Reason::unstable};
  return answer;
}

double confirmation_alpha(const Rule& rule, const Question& question) {
  const auto portfolio = static_cast<double>(std::max<std::size_t>(question.portfolio, 1));
  return alpha_of_comparison(rule, question.comparison) / portfolio;
}

Step ask_for_confirmation(const Rule& rule, std::size_t taken, std::size_t needed, double alpha, Evidence evidence) {
  const Action action = taken == 0 ? Action::verify_and_confirm : Action::confirm;
  const bool large = needs_scrutiny(rule, evidence.stage1_gain->value);
  Step step = make_step(action, needed - taken, alpha, std::move(evidence));
  step.needs_scrutiny = large;
  return step;
}

Step confirm(const Rule& rule, const Question& question, Stages stages, Evidence evidence) {
  const double alpha = confirmation_alpha(rule, question);
  const std::size_t needed = confirmation_rounds(rule, alpha, evidence.soundness->skewness.value_or(0.0));
  const std::size_t taken = stages.confirmation.size();
  if (taken < needed) return ask_for_confirmation(rule, taken, needed, alpha, std::move(evidence));
  stages.confirmation = stages.confirmation.first(needed);
  evidence.confirmation = examine_confirmation(rule, question, alpha, stages);
  evidence.soundness = soundness_of(stages.confirmation);
  const Answer answer = answer_of_both(rule, evidence);
  return finish(rule, answer, alpha, std::move(evidence));
}

// ---- Stage 1 -----------------------------------------------------------------------------------------

LookEvidence examine_look(const Rule& rule, const Question& question, const Look& look, Rounds rounds) {
  LookEvidence seen{
      look.rounds, look.alpha, test_above(gains_of(rounds), delta_of(rule)), median(gains_of(rounds)), {}};
  for (std::size_t i = 0; i < question.weighting.weights.size(); ++i) {
    seen.case_worse_p.push_back(test_below(gains_of_case(rounds, i), -harm_of(rule)).p);
  }
  return seen;
}

bool proves_case_worse(const Rule& rule, const LookEvidence& seen) {
  return std::any_of(seen.case_worse_p.begin(), seen.case_worse_p.end(),
                     [&](double p) { return p <= rule.case_worse_alpha; });
}

bool is_futile(const Rule& rule, const LookEvidence& seen) {
  return seen.median_gain < std::log1p(rule.futility_share_of_delta * rule.delta_fraction);
}

Answer answer_of_last_look(const Rule& rule, const Estimate& gain) {
  const bool below = gain.interval && gain.interval->upper < delta_of(rule);
  if (below) return {Outcome::not_faster, Reason::bounded_below_delta};
  return {Outcome::inconclusive, Reason::too_noisy};
}

enum class Place { early, last };

// Stops without a pass. Futility is no reason at the last look: there the interval answers.
std::optional<Reason> reason_to_stop(const Rule& rule, const LookEvidence& seen, Place place) {
  if (proves_case_worse(rule, seen)) return Reason::case_worse;
  if (place == Place::early && !seen.passed() && is_futile(rule, seen)) return Reason::futility;
  return std::nullopt;
}

void take_look(const Rule& rule, const Question& question, const Look& look, Rounds rounds, Evidence& evidence) {
  evidence.looks.push_back(examine_look(rule, question, look, rounds));
  evidence.stage1_gain = hodges_lehmann(gains_of(rounds), rule.confidence);
  evidence.soundness = soundness_of(rounds);
}

// A pass of unsound rounds ends here: a confirmation of them would be charged for nothing.
Step pass(const Rule& rule, const Question& question, const Look& look, const Stages& stages, Evidence evidence) {
  const Answer hoped{Outcome::faster, Reason::confirmed};
  if (unsound(rule, hoped, evidence)) return finish(rule, hoped, look.alpha, std::move(evidence));
  return confirm(rule, question, stages, std::move(evidence));
}

bool fits(const Question& question, Rounds rounds) {
  return std::all_of(rounds.begin(), rounds.end(), [&](const RoundSummary& round) {
    return round.cases.size() == question.weighting.weights.size() && std::isfinite(round.d);
  });
}

std::optional<std::vector<RoundSummary>> summaries_of(const Rule& rule, const Question& question,
                                                      std::span<const Round> rounds) {
  std::vector<RoundSummary> summaries;
  for (const Round& round : rounds) {
    auto summary = summarise(rule, question.weighting, round);
    if (!summary) return std::nullopt;
    summaries.push_back(std::move(*summary));
  }
  return summaries;
}

}  // namespace

Step decide(const Rule& rule, const Question& question, std::span<const RoundSummary> stage1,
            std::span<const RoundSummary> confirmation) {
  if (!fits(question, stage1) || !fits(question, confirmation)) return malformed();
  Evidence evidence;
  for (const Look& look : rule.looks) {
    if (stage1.size() < look.rounds) {
      return make_step(Action::measure_stage1, look.rounds - stage1.size(), look.alpha, std::move(evidence));
    }
    const Stages stages{stage1.first(look.rounds), confirmation};
    take_look(rule, question, look, stages.stage1, evidence);
    const Place place = &look == &rule.looks.back() ? Place::last : Place::early;
    if (const auto reason = reason_to_stop(rule, evidence.looks.back(), place)) {
      return finish(rule, {Outcome::not_faster, *reason}, look.alpha, std::move(evidence));
    }
    if (evidence.looks.back().passed()) return pass(rule, question, look, stages, std::move(evidence));
  }
  const Answer answer = answer_of_last_look(rule, *evidence.stage1_gain);
  return finish(rule, answer, rule.looks.back().alpha, std::move(evidence));
}

Step decide(const Rule& rule, const Question& question, std::span<const Round> stage1,
            std::span<const Round> confirmation) {
  const auto first = summaries_of(rule, question, stage1);
  const auto second = summaries_of(rule, question, confirmation);
  if (!first || !second) return malformed();
  return decide(rule, question, std::span<const RoundSummary>(*first), std::span<const RoundSummary>(*second));
}

Step confirm_alone(const Rule& rule, const Question& question, std::span<const Round> confirmation) {
  const auto rounds = summaries_of(rule, question, confirmation);
  if (!rounds || !fits(question, *rounds)) return malformed();
  const double alpha = alpha_of_comparison(rule, 1);
  const std::size_t needed = rule.confirmation_rounds;
  if (rounds->size() < needed) return make_step(Action::confirm, needed - rounds->size(), alpha, {});
  const Stages stages{{}, Rounds(*rounds).first(needed)};
  Evidence evidence;
  evidence.confirmation = examine_confirmation(rule, question, alpha, stages);
  evidence.soundness = soundness_of(stages.confirmation);
  const Answer answer = answer_of_confirmation(rule, *evidence.confirmation);
  return finish(rule, answer, alpha, std::move(evidence));
}

std::optional<Estimate> reported_gain(const Evidence& evidence) {
  if (evidence.confirmation) return evidence.confirmation->gain;
  return evidence.stage1_gain;
}

double speed_up(double gain) { return std::exp(gain); }

double headline_speed_up(const Rule& rule, const Estimate& gain) {
  const bool small = gain.value < std::log1p(rule.headline_lower_end_below_fraction);
  return speed_up(small && gain.interval ? gain.interval->lower : gain.value);
}

std::string_view name_of(Outcome outcome) {
  static constexpr std::array<std::string_view, 3> k_names{"FASTER", "NOT_FASTER", "INCONCLUSIVE"};
  return k_names[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(Reason reason) {
  static constexpr std::array<std::string_view, k_reasons> k_names{
      "confirmed",     "futility", "bounded_below_delta", "case_worse", "case_not_cleared", "tail",     "too_noisy",
      "not_confirmed", "unstable", "unequal_discards",    "carry_over", "hand_over",        "malformed"};
  return k_names[static_cast<std::size_t>(reason)];
}

}  // namespace hone::stats
