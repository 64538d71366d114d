#pragma once

// Simulated comparisons: what the rule promotes, and how often, under a given noise.
// Used by selftest (the smallest promotable gain), by bench/decision_power and by the tests.
// Same seed, same result, on every platform: the distributions are written out here because the
// standard library's differ between vendors. Not thread-safe: one Random per thread.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "stats/decision.h"

namespace hone::stats {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform();      // in (0, 1)
  double normal();       // mean 0, sd 1
  double exponential();  // mean 1, sd 1
  bool happens(double probability) { return uniform() < probability; }

 private:
  std::mt19937_64 engine_;
};

// Deviation of a round's d from its true value, in ln units.
using Noise = std::function<double(Random&)>;

enum class LongSide { slow, fast };

Noise gaussian(double sd);
Noise heavy_tail(double sd);                    // Student's t with 3 degrees of freedom, scaled to sd
Noise exponential(double sd, LongSide side);    // mean 0; its pseudo-median is about 0.16 sd off
Noise resampled(std::vector<double> observed);  // draws from measured d of identical kernels

// Produces the next round of a comparison.
using RoundSource = std::function<RoundSummary(Random&)>;

// Rounds of one case known by d = -ln(1 + gain) + noise alone (no tails, no carry-over).
RoundSource rounds_with(double gain_fraction, Noise noise);

// Rounds made launch by launch: what only the untrimmed sums can see.
struct LaunchModel {
  double gain_fraction = 0.0;  // of the candidate's ordinary launches
  double round_sd = 0.01;      // Gaussian, of the arms' difference in a round
  double launch_sd = 0.01;     // Gaussian, of each launch
  std::size_t quads = 10;
  double slow_share = 0.0;  // of the candidate's launches take slow_factor times as long
  double slow_factor = 1.0;
  double spike_share = 0.0;  // of either arm's launches take spike_factor times as long
  double spike_factor = 1.0;
};

Round simulate_round(const LaunchModel& model, Random& random);
RoundSource rounds_with(const Rule& rule, const LaunchModel& model);

struct Tally {
  std::size_t campaigns = 0;
  std::size_t stage1 = 0;  // passed stage 1
  std::size_t rounds = 0;  // taken, of both stages
  std::array<std::size_t, k_reasons> by_reason{};

  std::size_t count(Reason reason) const { return by_reason[static_cast<std::size_t>(reason)]; }
  double share(std::size_t n) const { return static_cast<double>(n) / static_cast<double>(campaigns); }
  double promoted_share() const { return share(count(Reason::confirmed)); }
  double stage1_share() const { return share(stage1); }
  double mean_rounds() const { return share(rounds); }
};

// One comparison, step by step as an executor takes it; adds the rounds it took to `rounds`.
Step simulate_comparison(const Rule& rule, const Question& question, const RoundSource& source, Random& random,
                         std::size_t& rounds);

Tally simulate(const Rule& rule, const Question& question, const RoundSource& source, std::size_t campaigns,
               std::uint64_t seed);

// Smallest true gain (a fraction, to 0.0005) that is promoted with the asked probability as the
// first comparison of a campaign; none if even 100 % is not.
std::optional<double> smallest_promotable_gain(const Rule& rule, const Noise& noise, double power,
                                               std::size_t campaigns, std::uint64_t seed);

}  // namespace hone::stats
