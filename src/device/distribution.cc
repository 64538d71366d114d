#include "device/distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hone::device {
namespace {

using task::DType;

// Where the extremes of a floating type lie.
struct FloatFacts {
  int mantissa_bits;
  int smallest_exponent;  // of the smallest subnormal number
  double largest;         // finite
  double offset;          // for uniform_offset: far above a spread of 1, which still moves the type's last bits
  double alternation;     // for alternating: cancels, and leaves a residue of 1 the lower half of the mantissa
};

FloatFacts facts_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return {52, -1074, 0x1.fffffffffffffp1023, 1000.0, 0x1p26};
    case DType::f16:
      return {10, -24, 65504.0, 1000.0, 0x1p5};
    case DType::bf16:
      return {7, -133, 0x1.fep127, 100.0, 0x1p4};
    default:
      return {23, -149, 0x1.fffffep127, 1000.0, 0x1p12};
  }
}

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52); }

uint64_t word64(const PhiloxBlock& words) { return static_cast<uint64_t>(words[1]) << 32 | words[0]; }

uint32_t below(uint32_t bound, uint32_t word) {
  return static_cast<uint32_t>((static_cast<uint64_t>(word) * bound) >> 32);
}

constexpr uint32_t k_one_in_ten = 429496730;  // 2^32 ÷ 10
bool is_kept_when_sparse(const Element& e) { return e.words[2] < k_one_in_ten; }

double signed_uniform(uint32_t word) { return 2.0 * unit_uniform(word) - 1.0; }

// ---- floating values, one function per distribution
// ------------------------------------------------------------------

using FloatingMaker = double (*)(const FloatFacts&, const Element&);

double make_normal(const FloatFacts&, const Element& e) { return unit_normal(e.words); }

double make_uniform_offset(const FloatFacts& facts, const Element& e) {
  return facts.offset + unit_uniform(e.words[0]);
}

// The ratio of two normals (each of four halves) has Cauchy's tails; 1000 keeps it inside every type.
double make_heavy_tail(const FloatFacts&, const Element& e) {
  constexpr double k_clip = 1000.0;
  constexpr int32_t k_centre = k_normal_centre / 2;
  const auto above = static_cast<double>(sum_of_halves(e.words[0]) + sum_of_halves(e.words[1]) - k_centre);
  const auto under = static_cast<double>(sum_of_halves(e.words[2]) + sum_of_halves(e.words[3]) - k_centre);
  if (under == 0.0) return std::copysign(k_clip, above);
  return std::clamp(above / under, -k_clip, k_clip);
}

int magnitude_of_row(const Element& e) { return static_cast<int>(below(21, e.row_words[0])) - 10; }

double make_mixed_magnitudes(const FloatFacts&, const Element& e) {
  return unit_normal(e.words) * power_of_two(magnitude_of_row(e));
}

double make_sparse(const FloatFacts&, const Element& e) {
  return is_kept_when_sparse(e) ? signed_uniform(e.words[0]) : 0.0;
}

double make_all_equal(const FloatFacts&, const Element& e) { return unit_normal(e.row_words); }

double make_alternating(const FloatFacts& facts, const Element& e) {
  const double large = e.index % 2 == 0 ? facts.alternation : -facts.alternation;
  return large + signed_uniform(e.words[0]);
}

// Mantissas 2^(m-4) … 2^m − 1 of the subnormal binade, built as bits for f64, whose doubles are subnormal themselves.
double make_denormal(const FloatFacts& facts, const Element& e) {
  const uint64_t least = 1ull << (facts.mantissa_bits - 4);
  const auto wide = static_cast<Unsigned128>(word64(e.words)) * (15 * least);
  const uint64_t mantissa = least + static_cast<uint64_t>(wide >> 64);
  const double magnitude = facts.mantissa_bits == 52
                               ? std::bit_cast<double>(mantissa)
                               : static_cast<double>(mantissa) * power_of_two(facts.smallest_exponent);
  return (e.words[2] & 1) != 0 ? -magnitude : magnitude;
}

double make_near_overflow(const FloatFacts& facts, const Element& e) {
  return signed_uniform(e.words[0]) * (facts.largest / 4.0);
}

double make_small_integer(const FloatFacts&, const Element& e) {
  return static_cast<double>(below(17, e.words[0])) - 8.0;
}

double make_ill_conditioned(const FloatFacts& facts, const Element& e) {
  static constexpr FloatingMaker k_makers[] = {
      make_normal,    make_uniform_offset, make_heavy_tail, make_mixed_magnitudes, make_sparse,
      make_all_equal, make_alternating,    make_denormal,   make_near_overflow,    make_small_integer};
  return k_makers[below(std::size(k_makers), e.row_words[1])](facts, e);
}

// ---- integer values: a narrower range each, then one draw
// ------------------------------------------------------------

Int128 span_of(const IntegerRange& range) { return range.high - range.low; }

IntegerRange lowest(const IntegerRange& range, Int128 span) {
  return {range.low, range.low + std::min(span, span_of(range))};
}
IntegerRange highest(const IntegerRange& range, Int128 span) {
  return {range.high - std::min(span, span_of(range)), range.high};
}

IntegerRange around_zero(const IntegerRange& range) {
  const IntegerRange near{std::max<Int128>(range.low, -8), std::min<Int128>(range.high, 8)};
  return near.low <= near.high ? near : lowest(range, 16);
}

IntegerRange zero_or_nearest(const IntegerRange& range) {
  const Int128 value = std::clamp<Int128>(0, range.low, range.high);
  return {value, value};
}

// The sum of the eight halves, 0 … 524280, spread over the range: a bell in its middle.
Int128 draw_bell(const IntegerRange& range, const PhiloxBlock& words) {
  constexpr uint64_t k_step = ~0ull / (2 * k_normal_centre + 1);
  const int32_t sum =
      sum_of_halves(words[0]) + sum_of_halves(words[1]) + sum_of_halves(words[2]) + sum_of_halves(words[3]);
  return draw(range, static_cast<uint64_t>(sum) * k_step);
}

IntegerRange narrowed(Distribution distribution, const IntegerRange& range, const Element& e) {
  switch (distribution) {
    case Distribution::uniform_offset:
      return highest(range, span_of(range) / 16);
    case Distribution::heavy_tail:
      return lowest(range, span_of(range) >> below(16, e.words[2]));
    case Distribution::mixed_magnitudes:
      return lowest(range, span_of(range) >> (magnitude_of_row(e) + 10));
    case Distribution::sparse:
      return is_kept_when_sparse(e) ? range : zero_or_nearest(range);
    case Distribution::alternating:
      return e.index % 2 == 0 ? highest(range, 1) : lowest(range, 1);
    case Distribution::denormal:
      return lowest(range, 1);
    case Distribution::near_overflow:
      return highest(range, span_of(range) / 4);
    case Distribution::small_integers:
      return around_zero(range);
    default:
      return range;
  }
}

Distribution of_row(const Element& e) {
  constexpr auto k_first = static_cast<uint32_t>(Distribution::normal);
  constexpr auto k_count = static_cast<uint32_t>(Distribution::ill_conditioned) - k_first;
  return static_cast<Distribution>(k_first + below(k_count, e.row_words[1]));
}

// Saturating: anything beyond ±2^65 lies outside every type.
Int128 wide_integer(double value) {
  constexpr double k_limit = 0x1p65;
  if (std::isnan(value)) return 0;
  return static_cast<Int128>(std::clamp(value, -k_limit, k_limit));
}

IntegerRange clipped(Int128 low, Int128 high, DType dtype) {
  const IntegerRange type = type_range(dtype);
  low = std::clamp(low, type.low, type.high);
  return {low, std::clamp(high, low, type.high)};
}

}  // namespace

IntegerRange type_range(DType dtype) {
  if (dtype == DType::boolean) return {0, 1};
  const auto bits = static_cast<int>(8 * task::size_bytes(dtype));
  const bool is_signed = dtype == DType::i64 || dtype == DType::i32 || dtype == DType::i16 || dtype == DType::i8;
  const Int128 one = 1;
  if (is_signed) return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
  return {0, (one << bits) - 1};
}

IntegerRange contract_range(const task::Fill& fill, DType dtype) {
  constexpr double k_reach = 4.9;  // no draw of unit_normal lies further out: 262140 ÷ √2863311530 = 4.899
  switch (fill.kind) {
    case task::FillKind::integers:
      return clipped(wide_integer(std::ceil(fill.low)), wide_integer(std::floor(fill.high)), dtype);
    case task::FillKind::uniform:
      return clipped(wide_integer(std::ceil(fill.low)), wide_integer(std::ceil(fill.high)) - 1, dtype);
    case task::FillKind::normal:
      return clipped(wide_integer(std::floor(fill.mean - k_reach * std::abs(fill.deviation))),
                     wide_integer(std::ceil(fill.mean + k_reach * std::abs(fill.deviation))), dtype);
    default:
      return type_range(dtype);
  }
}

IntegerRange drawn_range(const task::Fill& fill, DType dtype) {
  if (!task::is_floating(dtype)) return contract_range(fill, dtype);
  constexpr Int128 k_exact = Int128{1} << 53;
  const IntegerRange range = contract_range(fill, DType::i64);
  return {std::clamp(range.low, -k_exact, k_exact), std::clamp(range.high, -k_exact, k_exact)};
}

Int128 draw(const IntegerRange& range, uint64_t word) {
  const auto count = static_cast<Unsigned128>(span_of(range)) + 1;  // at most 2^64
  return range.low + static_cast<Int128>((static_cast<Unsigned128>(word) * count) >> 64);
}

Int128 to_integer(double value, DType dtype) {
  if (dtype == DType::boolean) return value != 0.0 ? 1 : 0;
  const IntegerRange type = type_range(dtype);
  return std::clamp(wide_integer(std::nearbyint(value)), type.low, type.high);
}

double floating_value(Distribution distribution, DType dtype, const Element& element) {
  static constexpr FloatingMaker k_makers[] = {make_normal,        make_normal,           make_uniform_offset,
                                               make_heavy_tail,    make_mixed_magnitudes, make_sparse,
                                               make_all_equal,     make_alternating,      make_denormal,
                                               make_near_overflow, make_small_integer,    make_ill_conditioned};
  static_assert(std::size(k_makers) == static_cast<size_t>(Distribution::ill_conditioned) + 1);
  return k_makers[static_cast<size_t>(distribution)](facts_of(dtype), element);
}

Int128 integer_value(Distribution distribution, const IntegerRange& range, const Element& element) {
  if (distribution == Distribution::ill_conditioned) distribution = of_row(element);
  if (distribution == Distribution::normal) return draw_bell(range, element.words);
  const PhiloxBlock& words = distribution == Distribution::all_equal ? element.row_words : element.words;
  return draw(narrowed(distribution, range, element), word64(words));
}

}  // namespace hone::device
