#include "stats/decision.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

#include "stats/simulate.h"

namespace hone::stats {
namespace {

using Rounds = std::vector<RoundSummary>;

const Rule k_rule;

// Gains as fractions, one per case; the launches' sums agree with them unless tails say otherwise.
RoundSummary round_of(const Weighting& weighting, const std::vector<double>& gains) {
  RoundSummary round;
  std::vector<double> d;
  for (const double gain : gains) {
    d.push_back(-std::log1p(gain));
    round.cases.push_back({d.back(), 0.0, 1.0, LaunchSums{std::exp(d.back()), 1.0, 1.0}});
  }
  round.d = combine(weighting, d, std::vector<double>(gains.size(), 1.0));
  round.tail = round.d;
  round.kept = {5, 5};
  return round;
}

RoundSummary round_of(double gain) { return round_of(Weighting{}, {gain}); }

// n rounds around a gain, symmetric and without ties: gain -spread .. +spread.
Rounds rounds_around(double gain, double spread, std::size_t n) {
  Rounds rounds;
  for (std::size_t i = 0; i < n; ++i) {
    const double step = static_cast<double>(i / 2 + 1) / static_cast<double>(n);
    rounds.push_back(round_of(gain + (i % 2 == 0 ? step : -step) * 2.0 * spread));
  }
  return rounds;
}

Step decide_on(const Rounds& stage1, const Rounds& confirmation = {}, const Question& question = {}) {
  return decide(k_rule, question, std::span<const RoundSummary>(stage1), std::span<const RoundSummary>(confirmation));
}

void expect_answer(const Step& step, Outcome outcome, Reason reason) {
  ASSERT_TRUE(step.answer.has_value());
  ASSERT_EQ(step.action, Action::done);
  EXPECT_EQ(name_of(step.answer->outcome), name_of(outcome));
  EXPECT_EQ(name_of(step.answer->reason), name_of(reason));
}

// ---- Looks of stage 1

TEST(Decision, AsksForTheFirstTwelveRounds) {
  const Step step = decide_on({});
  EXPECT_EQ(step.action, Action::measure_stage1);
  EXPECT_EQ(step.rounds, 12U);
  EXPECT_DOUBLE_EQ(step.alpha, 0.001);
  EXPECT_FALSE(step.answer.has_value());
  EXPECT_TRUE(step.evidence.looks.empty());
}

TEST(Decision, AsksOnlyForTheRoundsThatAreMissing) {
  EXPECT_EQ(decide_on(rounds_around(0.02, 0.0, 5)).rounds, 7U);
  EXPECT_EQ(decide_on(rounds_around(0.02, 0.0, 11)).rounds, 1U);
}

TEST(Decision, AClearGainGoesToTheConfirmationAtTheFirstLook) {
  const Step step = decide_on(rounds_around(0.05, 0.005, 12));
  EXPECT_EQ(step.action, Action::verify_and_confirm);
  EXPECT_EQ(step.rounds, 24U);
  EXPECT_DOUBLE_EQ(step.alpha, 0.05);
  ASSERT_EQ(step.evidence.looks.size(), 1U);
  EXPECT_DOUBLE_EQ(step.evidence.looks[0].test.p, std::ldexp(1.0, -12));
  EXPECT_TRUE(step.evidence.looks[0].passed());
}

// One contrary round of rank 2 leaves a sum of 2, of rank 3 a sum of 3: the critical sum is 2.
TEST(Decision, FirstLookPassesAtAContrarySumOfTwoAndNotAtThree) {
  Rounds rounds;
  for (std::size_t i = 1; i <= 12; ++i) rounds.push_back(round_of(0.01 + 0.001 * static_cast<double>(i)));
  rounds[1] = round_of(0.01 - 0.002);  // rank 2
  EXPECT_DOUBLE_EQ(decide_on(rounds).evidence.looks[0].test.contrary_sum, 2.0);
  EXPECT_EQ(decide_on(rounds).action, Action::verify_and_confirm);
  rounds[1] = round_of(0.01 + 0.002);
  rounds[2] = round_of(0.01 - 0.003);  // rank 3
  EXPECT_DOUBLE_EQ(decide_on(rounds).evidence.looks[0].test.contrary_sum, 3.0);
  EXPECT_EQ(decide_on(rounds).action, Action::measure_stage1);
}

TEST(Decision, AGainOfExactlyDeltaNeverPasses) {
  const Step step = decide_on(Rounds(48, round_of(0.01)));
  ASSERT_EQ(step.evidence.looks.size(), 3U);
  for (const LookEvidence& look : step.evidence.looks) EXPECT_DOUBLE_EQ(look.test.p, 1.0);
}

TEST(Decision, NoGainIsFutileAtTheFirstLook) {
  const Step step = decide_on(rounds_around(0.0, 0.002, 12));
  expect_answer(step, Outcome::not_faster, Reason::futility);
  EXPECT_LT(step.evidence.looks[0].median_gain, std::log1p(0.005));
}

TEST(Decision, FutilityBeginsBelowHalfOfDelta) {
  EXPECT_EQ(decide_on(Rounds(12, round_of(0.0051))).action, Action::measure_stage1);
  expect_answer(decide_on(Rounds(12, round_of(0.0049))), Outcome::not_faster, Reason::futility);
}

TEST(Decision, FutilityAtTheSecondLook) {
  Rounds rounds(12, round_of(0.006));
  rounds.resize(24, round_of(-0.004));
  rounds[5] = round_of(-0.004);
  const Step step = decide_on(rounds);
  expect_answer(step, Outcome::not_faster, Reason::futility);
  EXPECT_EQ(step.evidence.looks.size(), 2U);
}

TEST(Decision, TheThirdLookAnswersByItsInterval) {
  expect_answer(decide_on(rounds_around(0.007, 0.0005, 48)), Outcome::not_faster, Reason::bounded_below_delta);
  expect_answer(decide_on(rounds_around(0.0105, 0.012, 48)), Outcome::inconclusive, Reason::too_noisy);
}

// A low median is futility at an early look only; at the last one the wide interval still holds delta.
TEST(Decision, TheThirdLookKnowsNoFutility) {
  Rounds rounds = rounds_around(0.008, 0.1, 24);
  for (const RoundSummary& round : rounds_around(-0.008, 0.1, 24)) rounds.push_back(round);
  const Step step = decide_on(rounds);
  expect_answer(step, Outcome::inconclusive, Reason::too_noisy);
  EXPECT_LT(step.evidence.looks[2].median_gain, std::log1p(0.005));
}

TEST(Decision, AnUndecidedFirstLookAsksForTwelveMore) {
  const Step step = decide_on(rounds_around(0.012, 0.02, 12));
  EXPECT_EQ(step.action, Action::measure_stage1);
  EXPECT_EQ(step.rounds, 12U);
  EXPECT_DOUBLE_EQ(step.alpha, 0.003);
  EXPECT_EQ(decide_on(rounds_around(0.012, 0.02, 24)).rounds, 24U);
}

TEST(Decision, AProvenLossIsReportedWithItsInterval) {
  const Step step = decide_on(rounds_around(-0.01, 0.002, 12));
  expect_answer(step, Outcome::not_faster, Reason::futility);
  const auto gain = reported_gain(step.evidence).value();
  EXPECT_LT(gain.interval->upper, 0.0);
}

// ---- Several cases

Question two_cases() { return {1, 1, Weighting{Objective::geomean, {1.0, 1.0}}}; }

Rounds two_case_rounds(double first, double second, std::size_t n) {
  return Rounds(n, round_of(two_cases().weighting, {first, second}));
}

TEST(Decision, OneCaseMuchWorseStopsAPassingLook) {
  const Step step = decide_on(two_case_rounds(0.20, -0.03, 12), {}, two_cases());
  expect_answer(step, Outcome::not_faster, Reason::case_worse);
  EXPECT_TRUE(step.evidence.looks[0].passed());
  EXPECT_GT(step.evidence.looks[0].case_worse_p[0], 0.5);
  EXPECT_LE(step.evidence.looks[0].case_worse_p[1], 0.001);
}

TEST(Decision, OneCaseALittleWorseGoesOn) {
  EXPECT_EQ(decide_on(two_case_rounds(0.20, -0.015, 12), {}, two_cases()).action, Action::verify_and_confirm);
}

TEST(Decision, ACaseThatCannotBeClearedFailsTheConfirmation) {
  const auto confirmation = two_case_rounds(0.20, -0.0201, 24);  // slower by 2.05 %
  const Step step = decide_on(two_case_rounds(0.20, -0.015, 12), confirmation, two_cases());
  expect_answer(step, Outcome::not_faster, Reason::case_not_cleared);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_LE(step.evidence.confirmation->cases[0].no_harm_p, 0.05);
  EXPECT_GT(step.evidence.confirmation->cases[1].no_harm_p, 0.05);
}

TEST(Decision, ACaseWithinTwoPercentIsCleared) {
  const auto rounds = two_case_rounds(0.20, -0.015, 24);
  expect_answer(decide_on(rounds, rounds, two_cases()), Outcome::faster, Reason::confirmed);
}

TEST(Decision, TheSecondCasesTailIsItsOwn) {
  auto rounds = two_case_rounds(0.20, 0.0, 24);
  for (RoundSummary& round : rounds) round.cases[1].sums.candidate_ns *= 1.03;
  const Step step = decide_on(two_case_rounds(0.20, 0.0, 12), rounds, two_cases());
  expect_answer(step, Outcome::not_faster, Reason::tail);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_LT(step.evidence.confirmation->tail.pooled, 0.0);
  EXPECT_NEAR(step.evidence.confirmation->cases[1].tail.pooled, std::log(1.03), 1e-9);
}

// ---- Confirmation

TEST(Decision, ConfirmedGainIsFaster) {
  const Step step = decide_on(rounds_around(0.05, 0.005, 12), rounds_around(0.04, 0.005, 24));
  expect_answer(step, Outcome::faster, Reason::confirmed);
  EXPECT_NEAR(speed_up(reported_gain(step.evidence)->value), 1.04, 0.001);
  EXPECT_NEAR(speed_up(step.evidence.stage1_gain->value), 1.05, 0.001);
  EXPECT_EQ(step.evidence.confirmation->rounds, 24U);
  EXPECT_DOUBLE_EQ(step.evidence.confirmation->alpha, 0.05);
}

// Launches of so many nanoseconds.
Rounds lasting(Rounds rounds, double launch_ns) {
  for (RoundSummary& round : rounds) {
    for (CaseSummary& one : round.cases) {
      one.incumbent_ns *= launch_ns;
      one.sums.incumbent_ns *= launch_ns;
      one.sums.candidate_ns *= launch_ns;
    }
  }
  return rounds;
}

TEST(Decision, AGainWithinTheHandOverIsNoGain) {
  const Question question{1, 1, {}, 2000};
  const auto of = [&](double gain, double launch_ns) {
    const Rounds rounds = lasting(rounds_around(gain, 0.005, 24), launch_ns);
    return decide_on(rounds, rounds, question);
  };
  expect_answer(of(0.04, 40e3), Outcome::inconclusive, Reason::hand_over);  // 5 %
  expect_answer(of(0.04, 100e3), Outcome::faster, Reason::confirmed);       // 2 %
  expect_answer(of(0.30, 1e3), Outcome::inconclusive, Reason::hand_over);   // nothing but hand-over
  EXPECT_NEAR(of(0.04, 100e3).evidence.confirmation->hand_over_gain, -std::log1p(-0.02), 1e-9);
}

TEST(Decision, WithoutAHandOverEveryProvenGainCounts) {
  const Rounds rounds = lasting(rounds_around(0.04, 0.005, 24), 100);
  expect_answer(decide_on(rounds, rounds), Outcome::faster, Reason::confirmed);
}

TEST(Decision, TheHandOverOfSeveralCasesIsTheirObjectives) {
  const Question question{1, 1, {Objective::geomean, {1.0, 3.0}}, 2000};
  Rounds rounds;
  for (int i = 0; i < 24; ++i) rounds.push_back(round_of(question.weighting, {0.04 + 1e-4 * i, 0.04 - 1e-4 * i}));
  for (RoundSummary& round : rounds) {
    for (size_t c = 0; c < 2; ++c) {
      const double launch_ns = c == 0 ? 20e3 : 200e3;
      round.cases[c].sums.incumbent_ns *= launch_ns;
      round.cases[c].sums.candidate_ns *= launch_ns;
    }
  }
  const Step step = decide_on(rounds, rounds, question);
  EXPECT_NEAR(step.evidence.confirmation->hand_over_gain, -(std::log1p(-0.1) + 3 * std::log1p(-0.01)) / 4, 1e-9);
}

TEST(Decision, ABegunConfirmationGoesOn) {
  const Step step = decide_on(rounds_around(0.05, 0.005, 12), rounds_around(0.05, 0.005, 7));
  EXPECT_EQ(step.action, Action::confirm);
  EXPECT_EQ(step.rounds, 17U);
}

TEST(Decision, AFailedConfirmationIsInconclusive) {
  const Step step = decide_on(rounds_around(0.05, 0.005, 12), rounds_around(0.005, 0.002, 24));
  expect_answer(step, Outcome::inconclusive, Reason::not_confirmed);
}

TEST(Decision, TheConfirmationUsesTheComparisonsLevel) {
  Question late;
  late.comparison = 40;  // 5 / 1640 = 0.00305
  const Step ask = decide_on(rounds_around(0.05, 0.005, 12), {}, late);
  EXPECT_NEAR(ask.alpha, 5.0 / 1640.0, 1e-12);
  EXPECT_EQ(ask.rounds, 24U);
  // Contrary sum between the critical sums of 0.05 (91) and of 0.003 (56).
  Rounds confirmation;
  for (std::size_t i = 1; i <= 24; ++i) confirmation.push_back(round_of(0.01 + 0.0005 * static_cast<double>(i)));
  for (const std::size_t rank : {24U, 23U, 22U}) {
    confirmation[rank - 1] = round_of(0.01 - 0.0005 * static_cast<double>(rank) - 1e-6);
  }
  expect_answer(decide_on(rounds_around(0.05, 0.005, 12), confirmation), Outcome::faster, Reason::confirmed);
  expect_answer(decide_on(rounds_around(0.05, 0.005, 12), confirmation, late), Outcome::inconclusive,
                Reason::not_confirmed);
}

TEST(Decision, SmallLevelsTakeFortyEightRounds) {
  Question very_late;
  very_late.comparison = 100;
  EXPECT_EQ(decide_on(rounds_around(0.05, 0.005, 12), {}, very_late).rounds, 48U);
}

TEST(Decision, APortfolioDividesTheLevel) {
  Question portfolio;
  portfolio.portfolio = 100;
  const Step step = decide_on(rounds_around(0.05, 0.005, 12), {}, portfolio);
  EXPECT_DOUBLE_EQ(step.alpha, 0.05 / 100.0);
  EXPECT_EQ(step.rounds, 48U);
}

TEST(Decision, SkewedFirstRoundsDoubleTheConfirmation) {
  auto rounds = rounds_around(0.05, 0.002, 12);
  rounds[0] = round_of(0.5);
  const Step step = decide_on(rounds);
  EXPECT_GT(std::abs(step.evidence.soundness->skewness.value()), 1.0);
  EXPECT_EQ(step.rounds, 48U);
}

// ---- Tail

TEST(Decision, ATailInEveryRoundIsCaughtByTheRounds) {
  auto confirmation = rounds_around(0.02, 0.002, 24);
  for (RoundSummary& round : confirmation) round.tail = 0.15;
  const Step step = decide_on(rounds_around(0.02, 0.002, 12), confirmation);
  expect_answer(step, Outcome::not_faster, Reason::tail);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_GT(step.evidence.confirmation->tail.p, 0.9);
}

// One launch in 480 that takes 50 times as long: 23 rounds of 24 see nothing.
TEST(Decision, ARareHugeTailIsCaughtByThePooledSum) {
  auto confirmation = rounds_around(0.02, 0.002, 24);
  confirmation[7].tail = std::log(0.98 + 49.0 / 20.0);
  confirmation[7].cases[0].sums.candidate_ns = 0.98 + 49.0 / 20.0;
  const Step step = decide_on(rounds_around(0.02, 0.002, 12), confirmation);
  expect_answer(step, Outcome::not_faster, Reason::tail);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_LE(step.evidence.confirmation->tail.p, 0.05);
  EXPECT_GT(step.evidence.confirmation->tail.pooled, 0.0);
}

// The confirmation was lucky and met no slow launch; stage 1 met several.
TEST(Decision, ATailThatOnlyStageOneMetStillRejects) {
  auto stage1 = rounds_around(0.02, 0.002, 12);
  stage1[2].cases[0].sums.candidate_ns *= 3.0;
  const Step step = decide_on(stage1, rounds_around(0.02, 0.002, 24));
  expect_answer(step, Outcome::not_faster, Reason::tail);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_LT(step.evidence.confirmation->tail.pooled, 0.0);
  EXPECT_GT(step.evidence.confirmation->tail.pooled_with_stage1, 0.0);
}

TEST(Decision, AFastStageOneCannotMakeUpForATailOfTheConfirmation) {
  auto stage1 = rounds_around(0.02, 0.002, 12);
  for (RoundSummary& round : stage1) round.cases[0].sums.incumbent_ns *= 5.0;
  auto confirmation = rounds_around(0.02, 0.002, 24);
  confirmation[7].cases[0].sums.candidate_ns *= 3.0;
  const Step step = decide_on(stage1, confirmation);
  expect_answer(step, Outcome::not_faster, Reason::tail);
  ASSERT_TRUE(step.evidence.confirmation.has_value());
  EXPECT_LT(step.evidence.confirmation->tail.pooled_with_stage1, 0.0);
}

// ---- Soundness

TEST(Decision, UnequalDiscardsSpoilEveryAnswer) {
  const auto spoil = [](Rounds rounds) {
    for (RoundSummary& round : rounds) round.discarded = {2, 0};
    return rounds;
  };
  const auto faster = rounds_around(0.05, 0.005, 12);
  expect_answer(decide_on(spoil(faster)), Outcome::inconclusive, Reason::unequal_discards);
  expect_answer(decide_on(spoil(rounds_around(0.0, 0.002, 12))), Outcome::inconclusive, Reason::unequal_discards);
  expect_answer(decide_on(faster, spoil(rounds_around(0.05, 0.005, 24))), Outcome::inconclusive,
                Reason::unequal_discards);
}

TEST(Decision, EqualDiscardsAreHarmless) {
  auto rounds = rounds_around(0.05, 0.005, 24);
  for (RoundSummary& round : rounds) round.discarded = {2, 2};
  expect_answer(decide_on(rounds, rounds), Outcome::faster, Reason::confirmed);
}

Rounds with_carry_over(Rounds rounds, double effect, double spread) {
  for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i].carry_over = effect + (i % 2 == 0 ? spread : -spread);
  return rounds;
}

// Gains around 0.0125, a little above delta, with an interval that ends near 0.0115.
Rounds small_gain() { return rounds_around(0.0125, 0.001, 24); }

TEST(Decision, CarryOverMustBeLargeAndCertain) {
  const auto go = [&](double effect, double spread) {
    return decide_on(with_carry_over(small_gain(), effect, spread), with_carry_over(small_gain(), effect, spread));
  };
  expect_answer(go(0.006, 0.001), Outcome::inconclusive, Reason::carry_over);
  expect_answer(go(-0.006, 0.0), Outcome::inconclusive, Reason::carry_over);
  expect_answer(go(0.0049, 0.0), Outcome::faster, Reason::confirmed);  // too small
  expect_answer(go(0.006, 0.02), Outcome::faster, Reason::confirmed);  // not certain
}

TEST(Decision, CarryOverThatCannotChangeTheAnswerHoldsNothingBack) {
  const auto go = [&](const Rounds& rounds, double effect) {
    return decide_on(with_carry_over(rounds, effect, 0.0), with_carry_over(rounds, effect, 0.0));
  };
  expect_answer(go(rounds_around(0.90, 0.01, 24), 0.05), Outcome::faster, Reason::confirmed);
  expect_answer(go(rounds_around(0.90, 0.01, 24), -0.05), Outcome::faster, Reason::confirmed);
  expect_answer(go(rounds_around(0.90, 0.01, 24), 0.95), Outcome::inconclusive, Reason::carry_over);
  expect_answer(go(rounds_around(-0.20, 0.01, 12), 0.05), Outcome::not_faster, Reason::case_worse);
  expect_answer(go(rounds_around(-0.20, 0.01, 12), 0.25), Outcome::inconclusive, Reason::carry_over);
}

// A candidate that slows whoever follows it: all of its gain is carry-over, twice as large as the gain.
TEST(Decision, AGainMadeOfCarryOverIsNoGain) {
  const auto rounds = with_carry_over(rounds_around(0.30, 0.005, 24), -0.60, 0.001);
  expect_answer(decide_on(rounds, rounds), Outcome::inconclusive, Reason::carry_over);
}

TEST(Decision, AnUnsoundPassIsNotCharged) {
  EXPECT_EQ(decide_on(with_carry_over(rounds_around(0.05, 0.005, 12), 0.06, 0.0)).action, Action::done);
}

// ---- Surprising results

TEST(Decision, ALargeLossMustBeRepeated) {
  EXPECT_TRUE(decide_on(rounds_around(-0.40, 0.01, 12)).needs_repetition);
  EXPECT_FALSE(decide_on(rounds_around(-0.10, 0.01, 12)).needs_repetition);
}

TEST(Decision, TheConfirmationIsTheRepetitionOfAGain) {
  const Step step = decide_on(rounds_around(0.50, 0.005, 12), rounds_around(0.48, 0.005, 24));
  expect_answer(step, Outcome::faster, Reason::confirmed);
  EXPECT_FALSE(step.needs_repetition);
}

TEST(Decision, ALargeGainThatComesBackSmallIsUnstable) {
  const Step step = decide_on(rounds_around(0.50, 0.005, 12), rounds_around(0.10, 0.005, 24));
  expect_answer(step, Outcome::inconclusive, Reason::unstable);
}

TEST(Decision, GainsBeyondThreeTimesNeedScrutinyBeforeTheConfirmation) {
  const auto huge = rounds_around(3.0, 0.01, 24);
  EXPECT_TRUE(decide_on(huge).needs_scrutiny);
  EXPECT_EQ(decide_on(huge).action, Action::verify_and_confirm);
  EXPECT_TRUE(decide_on(huge, huge).needs_scrutiny);
  EXPECT_FALSE(decide_on(rounds_around(1.5, 0.01, 24)).needs_scrutiny);
}

// ---- Malformed rounds

TEST(Decision, RoundsWithoutSenseEndInconclusive) {
  Round broken{{CaseRound{0, {Quad{Order::incumbent_first, {1.0, 0.0, 1.0, 1.0}}}, {}}}};
  const std::vector<Round> rounds{broken};
  expect_answer(decide(k_rule, Question{}, std::span<const Round>(rounds), {}), Outcome::inconclusive,
                Reason::malformed);
}

TEST(Decision, SummariesOfAnotherQuestionAreMalformed) {
  expect_answer(decide_on(Rounds(12, round_of(0.05)), {}, two_cases()), Outcome::inconclusive, Reason::malformed);
}

TEST(Decision, AMalformedConfirmationIsNeverPromoted) {
  auto confirmation = rounds_around(0.05, 0.005, 24);
  confirmation[3].d = std::nan("");
  expect_answer(decide_on(rounds_around(0.05, 0.005, 12), confirmation), Outcome::inconclusive, Reason::malformed);
}

// ---- Properties over simulated comparisons

Round exchanged(Round round) {
  for (CaseRound& c : round.cases) {
    for (Quad& quad : c.quads) {
      quad.order = quad.order == Order::incumbent_first ? Order::candidate_first : Order::incumbent_first;
    }
  }
  return round;
}

std::vector<Round> simulated(const LaunchModel& model, std::size_t n, Random& random) {
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < n; ++i) rounds.push_back(simulate_round(model, random));
  return rounds;
}

Step decide_raw(std::span<const Round> stage1, std::span<const Round> confirmation) {
  return decide(k_rule, Question{}, stage1, confirmation);
}

// Everything that an executor could see of a step.
std::string shown(const Step& step) {
  std::string text = std::to_string(static_cast<int>(step.action)) + " " + std::to_string(step.rounds);
  if (step.answer) text += std::string(" ") + std::string(name_of(step.answer->reason));
  for (const LookEvidence& look : step.evidence.looks) text += " " + std::to_string(look.test.p);
  if (step.evidence.confirmation) text += " | " + std::to_string(step.evidence.confirmation->test.p);
  if (const auto gain = reported_gain(step.evidence)) text += " = " + std::to_string(gain->value);
  return text;
}

// Feeds the rounds one by one, asking each time, as after a crash at every round.
Step resumed_every_round(const std::vector<Round>& stage1, const std::vector<Round>& confirmation) {
  std::size_t first = 0;
  std::size_t second = 0;
  Step step = decide_raw({}, {});
  while (step.action != Action::done) {
    ++(step.action == Action::measure_stage1 ? first : second);
    step = decide_raw(std::span(stage1).first(first), std::span(confirmation).first(second));
  }
  return step;
}

TEST(DecisionProperty, OneByOneAnswersLikeAllAtOnce) {
  Random random(21);
  std::set<std::string> reasons;
  for (const double gain : {-0.05, 0.0, 0.008, 0.012, 0.02, 0.05}) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      const LaunchModel model{.gain_fraction = gain, .round_sd = 0.012};
      const auto stage1 = simulated(model, 48, random);
      const auto confirmation = simulated(model, 48, random);
      const Step whole = decide_raw(stage1, confirmation);
      EXPECT_EQ(shown(resumed_every_round(stage1, confirmation)), shown(whole));
      reasons.insert(std::string(name_of(whole.answer->reason)));
    }
  }
  EXPECT_GE(reasons.size(), 3U);  // the comparison above met more than one branch
}

TEST(DecisionProperty, AskedRoundsAreNeverMoreThanTheNextLookNeeds) {
  Random random(22);
  const auto rounds = simulated({.gain_fraction = 0.012, .round_sd = 0.02}, 48, random);
  for (std::size_t n = 0; n < 48; ++n) {
    const Step step = decide_raw(std::span(rounds).first(n), {});
    if (step.action != Action::measure_stage1) continue;
    const std::size_t next = n + step.rounds;
    EXPECT_TRUE(next == 12 || next == 24 || next == 48) << n;
  }
}

TEST(DecisionProperty, ExchangedLabelsAreNeverBothFaster) {
  Random random(23);
  int faster = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const LaunchModel model{.gain_fraction = repeat % 2 == 0 ? 0.03 : 0.0, .round_sd = 0.01};
    const auto stage1 = simulated(model, 48, random);
    const auto confirmation = simulated(model, 48, random);
    auto other_stage1 = stage1;
    auto other_confirmation = confirmation;
    for (Round& round : other_stage1) round = exchanged(round);
    for (Round& round : other_confirmation) round = exchanged(round);
    const bool is_faster = decide_raw(stage1, confirmation).answer->outcome == Outcome::faster;
    const bool other_is = decide_raw(other_stage1, other_confirmation).answer->outcome == Outcome::faster;
    EXPECT_FALSE(is_faster && other_is);
    faster += is_faster ? 1 : 0;
  }
  EXPECT_GE(faster, 15);
}

TEST(DecisionProperty, TheOrderOfCasesInARoundDoesNotMatter) {
  Random random(24);
  Question question = two_cases();
  std::vector<Round> rounds;
  std::vector<Round> shuffled;
  for (int i = 0; i < 12; ++i) {
    auto first = simulate_round({.gain_fraction = 0.05}, random).cases[0];
    auto second = simulate_round({.gain_fraction = 0.02}, random).cases[0];
    second.case_index = 1;
    rounds.push_back({{first, second}});
    shuffled.push_back({{second, first}});
  }
  EXPECT_EQ(shown(decide(k_rule, question, std::span<const Round>(rounds), {})),
            shown(decide(k_rule, question, std::span<const Round>(shuffled), {})));
}

// A candidate that is faster in every round can only do better: p never rises.
RC_GTEST_PROP(DecisionProperty, MoreGainNeverRaisesP, (const std::array<unsigned char, 12>& noise)) {
  Rounds slower;
  Rounds faster;
  for (const unsigned char one : noise) {
    const double gain = 0.0001 * static_cast<double>(one);
    slower.push_back(round_of(gain));
    faster.push_back(round_of(gain + 0.002));
  }
  RC_ASSERT(decide_on(faster).evidence.looks[0].test.p <= decide_on(slower).evidence.looks[0].test.p + 1e-12);
}

// ---- Names and headline

TEST(Decision, EveryReasonHasItsOwnName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < k_reasons; ++i) names.insert(name_of(static_cast<Reason>(i)));
  EXPECT_EQ(names.size(), k_reasons);
  EXPECT_EQ(name_of(Reason::malformed), "malformed");
  EXPECT_EQ(name_of(Reason::tail), "tail");
  EXPECT_EQ(name_of(Reason::unequal_discards), "unequal_discards");
  EXPECT_EQ(name_of(Outcome::not_faster), "NOT_FASTER");
}

TEST(Decision, SmallGainsAreHeadlinedByTheirLowerEnd) {
  const auto small = Estimate{std::log(1.025), Interval{std::log(1.015), std::log(1.035)}};
  const auto large = Estimate{std::log(1.10), Interval{std::log(1.08), std::log(1.12)}};
  EXPECT_NEAR(headline_speed_up(k_rule, small), 1.015, 1e-12);
  EXPECT_NEAR(headline_speed_up(k_rule, large), 1.10, 1e-12);
  EXPECT_NEAR(headline_speed_up(k_rule, {std::log(1.02), std::nullopt}), 1.02, 1e-12);
}

// ---- One confirmation without a stage 1

Round measured_round(double gain, std::size_t index, double slow_launch = 1.0) {
  const double wobble = 0.002 * (static_cast<double>((index * 7 + 3) % 11) - 5.0) / 5.0;
  const double candidate_ns = 1e6 * std::exp(-std::log1p(gain) - wobble);
  CaseRound one;
  for (int quad = 0; quad < 10; ++quad) {
    const bool led_by_candidate = quad % 2 == 1;
    if (led_by_candidate) one.quads.push_back({Order::candidate_first, {candidate_ns, 1e6, 1e6, candidate_ns}});
    if (!led_by_candidate) one.quads.push_back({Order::incumbent_first, {1e6, candidate_ns, candidate_ns, 1e6}});
  }
  one.quads[0].t_ns[1] *= slow_launch;
  return {{one}};
}

std::vector<Round> measured_rounds(double gain, std::size_t count, double slow_launch = 1.0) {
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < count; ++i) rounds.push_back(measured_round(gain, i, slow_launch));
  return rounds;
}

TEST(ConfirmAlone, AsksForTheRoundsOfAConfirmation) {
  EXPECT_EQ(confirm_alone(k_rule, {}, {}).rounds, 24u);
  const Step step = confirm_alone(k_rule, {}, measured_rounds(0.05, 10));
  EXPECT_EQ(step.action, Action::confirm);
  EXPECT_EQ(step.rounds, 14u);
}

TEST(ConfirmAlone, ConfirmsAtTheLevelOfAFirstComparison) {
  Question question;
  question.comparison = 90;
  const Step step = confirm_alone(k_rule, question, measured_rounds(0.05, 24));
  expect_answer(step, Outcome::faster, Reason::confirmed);
  EXPECT_EQ(step.alpha, 0.05);
  ASSERT_TRUE(reported_gain(step.evidence));
  EXPECT_NEAR(reported_gain(step.evidence)->value, std::log1p(0.05), 1e-3);
  EXPECT_TRUE(step.evidence.looks.empty());
}

TEST(ConfirmAlone, DoesNotConfirmWhatIsBelowDelta) {
  expect_answer(confirm_alone(k_rule, {}, measured_rounds(0.005, 24)), Outcome::inconclusive, Reason::not_confirmed);
}

TEST(ConfirmAlone, DoesNotConfirmASlowTail) {
  expect_answer(confirm_alone(k_rule, {}, measured_rounds(0.03, 24, 3.0)), Outcome::not_faster, Reason::tail);
}

TEST(ConfirmAlone, DoesNotConfirmWhatHarmsACase) {
  Question question;
  question.weighting.weights = {1.0, 1.0};
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < 24; ++i) {
    Round round = measured_round(0.30, i);
    CaseRound harmed = measured_round(-0.05, i).cases[0];
    harmed.case_index = 1;
    round.cases.push_back(harmed);
    rounds.push_back(round);
  }
  expect_answer(confirm_alone(k_rule, question, rounds), Outcome::not_faster, Reason::case_not_cleared);
}

TEST(ConfirmAlone, CallsARoundWithoutSenseMalformed) {
  auto rounds = measured_rounds(0.05, 24);
  rounds[3].cases[0].quads[0].t_ns[0] = -1.0;
  expect_answer(confirm_alone(k_rule, {}, rounds), Outcome::inconclusive, Reason::malformed);
}

}  // namespace
}  // namespace hone::stats
