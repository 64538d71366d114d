#include "judge/complete_checks.h"

#include <algorithm>
#include <numeric>

#include "judge/constants.h"
#include "stats/rule.h"

namespace hone::judge {

namespace {

bool is_drawn_round(const Secret& secret, const PairsOfRound& round) {
  const uint64_t block = planned_rounds(round.stage);
  std::vector<uint64_t> rounds(block);
  std::iota(rounds.begin(), rounds.end(), uint64_t{0});
  Draws draws(secret.sub_key({"complete-rounds", "", round.stage, round.round / block, 0, 0}));
  draws.shuffle(rounds);
  const auto chosen_end = rounds.begin() + static_cast<ptrdiff_t>(std::min(k_slow_checks_per_stage, block));
  return std::find(rounds.begin(), chosen_end, round.round % block) != chosen_end;
}

}  // namespace

uint64_t planned_rounds(std::string_view stage) {
  const stats::Rule rule;
  return stage == "confirmation" ? rule.confirmation_rounds : rule.looks.front().rounds;
}

std::vector<uint64_t> complete_checks(const Secret& secret, const PairsOfRound& round, OracleSpeed speed) {
  const uint64_t wanted = speed == OracleSpeed::fast      ? k_checked_pairs_per_round
                          : is_drawn_round(secret, round) ? 1
                                                          : 0;
  std::vector<uint64_t> pairs(round.pairs);
  std::iota(pairs.begin(), pairs.end(), uint64_t{0});
  Draws draws(secret.sub_key({"complete-pairs", "", round.stage, round.round, round.attempt, 0}));
  draws.shuffle(pairs);
  pairs.resize(std::min<uint64_t>(wanted, round.pairs));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace hone::judge
