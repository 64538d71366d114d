// The content of buffers, made from a sub-key: the same bytes on every backend and machine.
// Generator: Philox4x32-10 (Random123) keyed by the sub-key, element i from counter i. uniform = top 24 bits; normal = centred sum of the
// eight 16-bit halves of one block, scaled; integer arithmetic and exactly rounded operations only (no libm), then one rounding to the
// element type. A golden hash per fill and type stands in the tests.
// Pure: no allocation kept, no failure (a plan that names a file must carry its bytes). Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enums.h"
#include "base/hash.h"
#include "task/bind.h"
#include "task/types.h"

namespace hone::device {

// What verification asks of every input besides the contract's own fill (JUDGE.md 4).
enum class Distribution {
  contract,          // the argument's own fill
  normal,            // mean 0, deviation 1
  uniform_offset,    // mean far above the spread: 1000 + [0, 1)
  heavy_tail,        // clipped ratio of two normals
  mixed_magnitudes,  // per row a scale 2^k, k in −10 … 10
  sparse,            // 90 % zeros
  all_equal,         // one value everywhere
  alternating,       // ±large with small residue: cancellation
  denormal,          // below the smallest normal number, for f32: 2^-130 … 2^-126
  near_overflow,     // up to a quarter of the largest finite value
  small_integers,    // −8 … 8: sums are exact in any order
  ill_conditioned,   // per row one of the above
};

// One argument's content. `row_length` is the innermost extent, for the distributions that speak of rows.
struct FillPlan {
  task::DType dtype = task::DType::f32;
  uint64_t count = 0;
  uint64_t row_length = 1;
  task::Fill fill;                                     // used for Distribution::contract
  Distribution distribution = Distribution::contract;
  std::shared_ptr<const std::vector<std::byte>> bytes;  // FillKind::file and golden inputs: taken as they are
  std::vector<double> formula_values;                   // FillKind::formula: evaluated by the judge, rounded here
};

FillPlan plan_for(const task::BoundArgument& argument, Distribution distribution);

// Writes plan.count elements into `out` (exactly count × element size bytes). `argument_index` separates arguments of one content.
void fill(std::span<std::byte> out, const FillPlan& plan, const Digest& sub_key, uint32_t argument_index);

// Poison for outputs and scratch: for floating types quiet NaNs with a payload drawn from the key, else random bytes.
void poison(std::span<std::byte> out, task::DType dtype, const Digest& sub_key, uint32_t argument_index);

// Little-endian f16/bf16 conversions, round to nearest even; used by fills and by comparisons.
uint16_t to_f16_bits(double value);
uint16_t to_bf16_bits(double value);
double from_f16_bits(uint16_t bits);
double from_bf16_bits(uint16_t bits);
// Element `index` of a buffer as a double (integers up to 2^53 exactly; comparisons of integers go through bytes).
double element_as_double(std::span<const std::byte> buffer, task::DType dtype, uint64_t index);
// All elements widened; `out` has `count` places.
void widen(std::span<const std::byte> buffer, task::DType dtype, std::span<double> out);

}  // namespace hone::device

namespace hone {
template <>
struct EnumNames<device::Distribution> {
  using T = device::Distribution;
  static constexpr EnumName<T> table[] = {{T::contract, "contract"},
                                          {T::normal, "normal"},
                                          {T::uniform_offset, "uniform_offset"},
                                          {T::heavy_tail, "heavy_tail"},
                                          {T::mixed_magnitudes, "mixed_magnitudes"},
                                          {T::sparse, "sparse"},
                                          {T::all_equal, "all_equal"},
                                          {T::alternating, "alternating"},
                                          {T::denormal, "denormal"},
                                          {T::near_overflow, "near_overflow"},
                                          {T::small_integers, "small_integers"},
                                          {T::ill_conditioned, "ill_conditioned"}};
};
}  // namespace hone
