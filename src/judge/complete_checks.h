// Which pairs of a round have their whole outputs checked by the oracle: drawn in secret before the round (JUDGE.md 2).
// Two pairs of every round; with a slow oracle one pair in four secret rounds of every planned block of a stage (12
// rounds of stage 1, 24 of a confirmation), so that no stage ends with fewer. Pure functions of the secret; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "judge/keys.h"

namespace hone::judge {

enum class OracleSpeed { fast, slow };

struct PairsOfRound {
  std::string_view stage;
  uint64_t round = 0;
  uint64_t attempt = 0;
  uint64_t pairs = 0;  // how many the round will have
};

// Rounds that a stage has at least: what is guaranteed for a stage is guaranteed within so many.
uint64_t planned_rounds(std::string_view stage);

// Numbers in [0, pairs), ascending, each once.
std::vector<uint64_t> complete_checks(const Secret& secret, const PairsOfRound& round, OracleSpeed speed);

}  // namespace hone::judge
