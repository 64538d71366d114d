// What `hone selftest` asks the judge: a list of trials, comparisons of two kernels whose difference is known. The
// short gate and the long one (JUDGE.md 3, last paragraph) differ in their numbers alone. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enums.h"
#include "task/types.h"

namespace hone::cli {

enum class Family {
  exact,    // a candidate that is a byte copy of the incumbent
  renamed,  // the same code in another build: other digest, other symbols, other order
  loaded,   // an exact copy, and work on every core from the middle of stage 1 on
  ladder,   // a gain that was put in
  swapped,  // the ladder's highest step with the labels exchanged
};

// Work on top of the plain kernel, in thousandths; which of the builds each arm is.
struct Trial {
  Family family = Family::exact;
  uint64_t index = 0;  // within its family
  int incumbent_extra = 0;
  int candidate_extra = 0;
  uint64_t incumbent_build = 0;
  uint64_t candidate_build = 0;
};

struct Sizes {
  uint64_t exact = 5;
  uint64_t renamed = 0;
  uint64_t loaded = 0;
  uint64_t per_step = 1;  // of the ladder, and of the swap
  uint64_t builds = 1;    // pairs of builds that identical kernels take turns in
};

// The release gate: 0 of 300 bounds the rate at 1 %, 0 of 50 under load at 5.8 % (Clopper–Pearson, 95 %).
constexpr Sizes k_long_sizes{300, 300, 50, 20, 20};

// Gains of the ladder, in thousandths.
constexpr int k_ladder[] = {5, 10, 20, 50};

std::vector<Trial> plan(const Sizes& sizes);

// The kernel's text as build `number`; 0 is the text itself.
std::string build_of(const std::string& kernel, uint64_t number, task::Language language);

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::Family> {
  using T = cli::Family;
  static constexpr EnumName<T> table[] = {{T::exact, "exact copy"},
                                          {T::renamed, "renamed copy"},
                                          {T::loaded, "under load"},
                                          {T::ladder, "ladder"},
                                          {T::swapped, "labels swapped"}};
};
}  // namespace hone
