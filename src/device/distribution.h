// One element's value from one Philox block, for every distribution of device/fill.h: the single place where words
// become numbers. Floating types: a double that the caller rounds once to the element type. Integer types: a value
// inside the range that the contract's own fill allows, whatever the distribution, since an integer may be an index;
// drawn by multiply and shift (64-bit words, bias below 2^-32 for ranges below 2^32), never by a remainder. Pure
// functions, no failure; any thread.
#pragma once

#include <cstdint>

#include "device/fill.h"
#include "device/philox.h"

namespace hone::device {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

// 2^-24 per step of the top 24 bits: u in [0, 1).
constexpr double k_uniform_step = 0x1p-24;
// The sum of eight independent uniform 16-bit integers has mean 8 · 65535 ÷ 2 and variance 8 · (65536² − 1) ÷ 12 =
// 2863311530.
constexpr int32_t k_normal_centre = 262140;
constexpr double k_normal_scale = 0x1.3988e1412ed76p-16;  // 1 ÷ √2863311530, correctly rounded

constexpr int32_t sum_of_halves(uint32_t word) { return static_cast<int32_t>((word & 0xffffu) + (word >> 16)); }
constexpr double unit_uniform(uint32_t word) {
  return static_cast<double>(static_cast<int32_t>(word >> 8)) * k_uniform_step;
}
constexpr double unit_normal(const PhiloxBlock& words) {
  const int32_t sum =
      sum_of_halves(words[0]) + sum_of_halves(words[1]) + sum_of_halves(words[2]) + sum_of_halves(words[3]);
  return static_cast<double>(sum - k_normal_centre) * k_normal_scale;
}

// What the value of element `index` depends on. Rows have a block of their own, the same for all their elements.
struct Element {
  PhiloxBlock words{};
  uint64_t index = 0;
  PhiloxBlock row_words{};
};

// Both ends belong to the range. low ≤ high.
struct IntegerRange {
  Int128 low = 0;
  Int128 high = 0;
};

IntegerRange type_range(task::DType dtype);
// What the contract's fill can produce for an integer type, clipped to the type.
IntegerRange contract_range(const task::Fill& fill, task::DType dtype);
// What whole numbers are drawn from: the contract's range, in floating buffers within ±2^53, where doubles hold every
// one.
IntegerRange drawn_range(const task::Fill& fill, task::DType dtype);
// Integers of at most so many values are drawn from one word.
inline constexpr Int128 k_few_integers = Int128{1} << 16;
Int128 draw(const IntegerRange& range, uint64_t word);
// Round to nearest even, saturated to the type; bool is "not zero".
Int128 to_integer(double value, task::DType dtype);

// `distribution` is not contract. `dtype` is a floating type.
double floating_value(Distribution distribution, task::DType dtype, const Element& element);
Int128 integer_value(Distribution distribution, const IntegerRange& range, const Element& element);

}  // namespace hone::device
