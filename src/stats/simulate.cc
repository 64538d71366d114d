#include "stats/simulate.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace hone::stats {
namespace {

// d alone makes a round whose sums agree with it.
RoundSummary round_from_d(double d) {
  RoundSummary round;
  round.d = d;
  round.tail = d;
  round.cases = {CaseSummary{d, 0.0, 1.0, LaunchSums{std::exp(d), 1.0, 1.0}}};
  return round;
}

double launch_ns(const LaunchModel& model, double ln_time, double slow_share, Random& random) {
  double t = std::exp(ln_time + model.launch_sd * random.normal());
  if (random.happens(slow_share)) t *= model.slow_factor;
  if (random.happens(model.spike_share)) t *= model.spike_factor;
  return t;
}

Quad simulate_quad(const LaunchModel& model, double d, Random& random) {
  const Order order = random.happens(0.5) ? Order::incumbent_first : Order::candidate_first;
  const auto incumbent = [&] { return launch_ns(model, 0.0, 0.0, random); };
  const auto candidate = [&] { return launch_ns(model, d, model.slow_share, random); };
  const std::array<double, 2> a{incumbent(), incumbent()};
  const std::array<double, 2> b{candidate(), candidate()};
  if (order == Order::incumbent_first) return {order, {a[0], b[0], b[1], a[1]}};
  return {order, {b[0], a[0], a[1], b[1]}};
}

void take(std::vector<RoundSummary>& rounds, std::size_t count, const RoundSource& source, Random& random) {
  for (std::size_t i = 0; i < count; ++i) rounds.push_back(source(random));
}

bool is_promotable(const Rule& rule, const Noise& noise, double gain, double power, std::size_t campaigns,
                   std::uint64_t seed) {
  return simulate(rule, Question{}, rounds_with(gain, noise), campaigns, seed).promoted_share() >= power;
}

}  // namespace

double Random::uniform() {
  constexpr double k_step = 0x1p-53;
  return (static_cast<double>(engine_() >> 11) + 0.5) * k_step;
}

// Box and Muller 1958; the second value is thrown away to keep Random without further state.
double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Random::exponential() { return -std::log(uniform()); }

Noise gaussian(double sd) {
  return [sd](Random& random) { return sd * random.normal(); };
}

// A t with 3 degrees of freedom is z / sqrt(chi-square / 3), of variance 3.
Noise heavy_tail(double sd) {
  return [sd](Random& random) {
    const double z = random.normal();
    const double w = random.normal();
    const double chi_square = 2.0 * random.exponential() + w * w;
    return sd * z / std::sqrt(chi_square);
  };
}

Noise exponential(double sd, LongSide side) {
  const double scale = side == LongSide::slow ? sd : -sd;
  return [scale](Random& random) { return scale * (random.exponential() - 1.0); };
}

Noise resampled(std::vector<double> observed) {
  return [observed = std::move(observed)](Random& random) {
    return observed[static_cast<std::size_t>(random.uniform() * static_cast<double>(observed.size()))];
  };
}

RoundSource rounds_with(double gain_fraction, Noise noise) {
  return [d = -std::log1p(gain_fraction), noise = std::move(noise)](Random& random) {
    return round_from_d(d + noise(random));
  };
}

Round simulate_round(const LaunchModel& model, Random& random) {
  const double d = -std::log1p(model.gain_fraction) + model.round_sd * random.normal();
  CaseRound round;
  for (std::size_t i = 0; i < model.quads; ++i) round.quads.push_back(simulate_quad(model, d, random));
  return Round{{std::move(round)}};
}

RoundSource rounds_with(const Rule& rule, const LaunchModel& model) {
  return [rule, model](Random& random) { return summarise(rule, Weighting{}, simulate_round(model, random)).value(); };
}

Step simulate_comparison(const Rule& rule, const Question& question, const RoundSource& source, Random& random,
                         std::size_t& rounds) {
  std::vector<RoundSummary> stage1;
  std::vector<RoundSummary> confirmation;
  using Rounds = std::span<const RoundSummary>;
  Step step = decide(rule, question, Rounds(stage1), Rounds(confirmation));
  while (step.action != Action::done) {
    take(step.action == Action::measure_stage1 ? stage1 : confirmation, step.rounds, source, random);
    step = decide(rule, question, Rounds(stage1), Rounds(confirmation));
  }
  rounds += stage1.size() + confirmation.size();
  return step;
}

Tally simulate(const Rule& rule, const Question& question, const RoundSource& source, std::size_t campaigns,
               std::uint64_t seed) {
  Tally tally;
  Random random(seed);
  for (tally.campaigns = 0; tally.campaigns < campaigns; ++tally.campaigns) {
    const Step step = simulate_comparison(rule, question, source, random, tally.rounds);
    tally.stage1 += step.evidence.confirmation ? 1 : 0;
    ++tally.by_reason[static_cast<std::size_t>(step.answer->reason)];
  }
  return tally;
}

std::optional<double> smallest_promotable_gain(const Rule& rule, const Noise& noise, double power,
                                               std::size_t campaigns, std::uint64_t seed) {
  constexpr double k_precision = 0.0005;
  double low = rule.delta_fraction;
  double high = 1.0;
  if (!is_promotable(rule, noise, high, power, campaigns, seed)) return std::nullopt;
  while (high - low > k_precision) {
    const double middle = 0.5 * (low + high);
    (is_promotable(rule, noise, middle, power, campaigns, seed) ? high : low) = middle;
  }
  return high;
}

}  // namespace hone::stats
