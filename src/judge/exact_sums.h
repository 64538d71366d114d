// Exact sums: with small whole numbers as inputs a linear kernel has nothing to round, so its answer must be the truth
// bit for bit. That finds what an error bound must forgive in a long sum: a dropped term, a wrong stride, an
// accumulator of half the width.
//
// When it may be demanded is read off the truth alone. Let g be the finest binary place that occurs in any y or S of
// the output (S = Σ|terms|): all terms are then multiples of g, and if 2·S ≤ g·2^p (p bits in the accumulator: 24 for
// f32, 53, 11 or 8), every partial sum in every order is held exactly; the factor 2 leaves room for an order that
// subtracts first. Of a kernel that is not linear g is the last bit of a double and the condition fails by itself. An
// output needs 16 elements, so that g is seen; elements that the output's type cannot hold are left to the bound.
// An honest kernel may still leave the whole numbers (a transform with thirds in it): the caller rejects only where v0
// is exact on the same content, and a contract can say exact_sums = false. Zeros have no sign here. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "judge/checker.h"

namespace hone::judge {

// True when every order of summation gives this truth exactly.
bool sums_are_exact(const OutputRule& rule, const Truth& truth);

// The first element that is not the truth, where the sums are exact; nothing where nothing can be demanded.
std::optional<CheckFailure> find_inexact(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth);

}  // namespace hone::judge
