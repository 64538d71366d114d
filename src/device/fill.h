// The content of buffers, made from a sub-key: the same bytes on every backend and machine.
// Pure: no allocation kept, no failure (a plan that names a file must carry its bytes). Any thread.
//
// Generator: Philox4x32-10 (Random123), in blocks of four words.
//   key      bytes 0-3 and 4-7 of the sub-key; all words little-endian
//   counter  low 32 bits of the block's number, high 32 bits, argument index XOR bytes 8-11, use XOR bytes 12-15
//   use      0 elements, 1 rows (blocks are numbered by row, for what a row has in common), 2 poison
// An element takes c words, w0 to w(c-1): 1 for uniform and for integers of at most 2^16 values, 2 for other integers,
// 4 for all else. 256 neighbouring elements take theirs from 256 neighbouring blocks, and 4 ÷ c such tiles share them:
// element i of tile t = ⌊i ÷ 256⌋ has the words from c · (t mod 4 ÷ c) of block 256 · ⌊t · c ÷ 4⌋ + i mod 256.
// What is the same in all calls of a block has bytes 16-31 of the sub-key for bytes 0-15: keys of one block share them.
// Values are doubles from exactly rounded operations without contraction, in the order written, rounded once to the
// element type:
//   uniform   low + (high - low) · u, u = ⌊w0 ÷ 2^8⌋ · 2^-24; the one rounding may give `high` itself
//   normal    mean + deviation · z, z = (S - 262140) ÷ √2863311530, S = sum of the eight 16-bit halves; |z| < 4.9
//   integers  low + ⌊w · n ÷ 2^64⌋, w = w1 · 2^32 + w0, n = high - low + 1: no remainder, bias below n ÷ 2^64;
//             with one word low + ⌊w0 · n ÷ 2^32⌋, bias below n ÷ 2^32
// Integer types: `uniform` draws the whole numbers in [low, high), `normal` rounds to the nearest and clips; every
// range is clipped to the type, and the distributions below stay inside the contract's own range, since an integer may
// be an index. bool is 0 or 1. A golden hash per fill and type stands in fill_golden.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enums.h"
#include "base/hash.h"
#include "device/philox.h"
#include "task/bind.h"
#include "task/types.h"

namespace hone::device {

// What verification asks of every input besides the contract's own fill (JUDGE.md 4).
enum class Distribution {
  contract,          // the argument's own fill
  normal,            // mean 0, deviation 1
  uniform_offset,    // mean far above the spread: 1000 + [0, 1), for bf16 100 + [0, 1)
  heavy_tail,        // ratio of two normals (four halves each), clipped to ±1000
  mixed_magnitudes,  // per row a scale 2^k, k in −10 … 10
  sparse,            // 90 % zeros, else uniform in [-1, 1)
  all_equal,         // one value everywhere
  alternating,  // +L, −L, … plus uniform in [-1, 1): cancellation; L = 2^26, 2^12, 2^5, 2^4 for f64, f32, f16, bf16
  denormal,     // below the smallest normal number, for f32: 2^-130 … 2^-126, either sign
  near_overflow,    // up to a quarter of the largest finite value
  small_integers,   // −8 … 8: sums are exact in any order
  ill_conditioned,  // per row one of the above
};

// One argument's content. `row_length` is the innermost extent, for the distributions that speak of rows.
struct FillPlan {
  task::DType dtype = task::DType::f32;
  uint64_t count = 0;
  uint64_t row_length = 1;
  task::Fill fill;  // used for Distribution::contract
  Distribution distribution = Distribution::contract;
  bool same_in_block = false;                           // made from what the sub-keys of a block share
  std::shared_ptr<const std::vector<std::byte>> bytes;  // FillKind::file and golden inputs: taken as they are
  std::vector<double> formula_values;                   // FillKind::formula: evaluated by the judge, rounded here
};

// Contents that the contract fixes (constant, formula, file) stay what they are, whatever the distribution. The caller
// adds `bytes` or `formula_values` where the fill needs them.
FillPlan plan_for(const task::BoundArgument& argument, Distribution distribution);

// Writes plan.count elements into `out` (exactly count × element size bytes). `argument_index` separates arguments of
// one content.
void fill(std::span<std::byte> out, const FillPlan& plan, const Digest& sub_key, uint32_t argument_index);

// The key whose first half an argument's elements are made from.
Digest element_key(const FillPlan& plan, const Digest& sub_key);
// The sub-key as one of a block's, which is named by the first half of `block`; and that name.
Digest in_block(Digest sub_key, const Digest& block);
Digest block_key(const Digest& sub_key);

// The streams that these bytes come from, for those who make them elsewhere: four words, key first.
PhiloxStream element_stream(const Digest& sub_key, uint32_t argument_index);
PhiloxStream poison_stream(const Digest& sub_key, uint32_t argument_index);

// Poison for outputs and scratch: for floating types one quiet NaN whose payload is drawn from the key, else random
// bytes; either way the same again after this many bytes.
inline constexpr size_t k_poison_period_bytes = 4096;
void poison(std::span<std::byte> out, task::DType dtype, const Digest& sub_key, uint32_t argument_index);

// Little-endian f16/bf16 conversions, round to nearest even; used by fills and by comparisons.
uint16_t to_f16_bits(double value);
uint16_t to_bf16_bits(double value);
double from_f16_bits(uint16_t bits);
double from_bf16_bits(uint16_t bits);
// Element `index` of a buffer as a double (integers up to 2^53 exactly; comparisons of integers go through bytes).
double element_as_double(std::span<const std::byte> buffer, task::DType dtype, uint64_t index);
// The reverse: rounded to a floating type, cut to an integer one, negative values of an unsigned one are 0.
void set_element(std::span<std::byte> buffer, task::DType dtype, uint64_t index, double value);
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
