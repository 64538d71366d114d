// Conversions of single elements (declared in device/fill.h).
#include <bit>
#include <cassert>
#include <cstring>

#include "device/fill.h"

namespace hone::device {
namespace {

using task::DType;

// A 16-bit floating format: sign, exponent and mantissa, with IEEE 754's subnormals, infinities and NaNs.
struct SmallFormat {
  int mantissa_bits;
  int bias;
};
constexpr SmallFormat k_f16{10, 15};
constexpr SmallFormat k_bf16{7, 127};

constexpr uint64_t k_double_mantissa = (1ull << 52) - 1;

constexpr uint32_t infinity_of(SmallFormat format) { return 0x7fffu & ~((1u << format.mantissa_bits) - 1); }

// value ÷ 2^shift, rounded to nearest, ties to even. 0 < shift < 64.
constexpr uint64_t shift_rounded(uint64_t value, int shift) {
  const uint64_t half = 1ull << (shift - 1);
  const uint64_t rest = value & ((half << 1) - 1);
  const uint64_t kept = value >> shift;
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

// Magnitude of a finite double. Rounding may carry into the exponent and from there into infinity, which is right.
uint32_t round_finite(uint64_t magnitude, SmallFormat format) {
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const int smallest_normal = 1 - format.bias;
  const int target = exponent < smallest_normal ? smallest_normal : exponent;
  const int shift = 52 - format.mantissa_bits + (target - exponent);
  if (shift > 54) return 0;  // below half of the smallest subnormal
  const uint64_t significand = (magnitude & k_double_mantissa) | (1ull << 52);
  const uint64_t exponent_field = static_cast<uint64_t>(target + format.bias - 1) << format.mantissa_bits;
  const uint64_t bits = exponent_field + shift_rounded(significand, shift);
  return bits < infinity_of(format) ? static_cast<uint32_t>(bits) : infinity_of(format);
}

uint16_t to_small(double value, SmallFormat format) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint32_t sign = static_cast<uint32_t>(bits >> 63) << 15;
  const uint64_t magnitude = bits & ~(1ull << 63);
  const uint64_t infinity = 0x7ffull << 52;
  uint32_t result = infinity_of(format);
  if (magnitude > infinity) result |= 1u << (format.mantissa_bits - 1);
  if (magnitude < infinity) result = round_finite(magnitude, format);
  return static_cast<uint16_t>(sign | result);
}

double from_small(uint16_t bits, SmallFormat format) {
  const uint64_t sign = static_cast<uint64_t>(bits >> 15) << 63;
  const uint64_t mantissa = bits & ((1u << format.mantissa_bits) - 1);
  const uint32_t exponent = (bits & 0x7fffu) >> format.mantissa_bits;
  const uint32_t top_exponent = infinity_of(format) >> format.mantissa_bits;
  if (exponent == 0) {
    const double unit = std::bit_cast<double>(static_cast<uint64_t>(1024 - format.bias - format.mantissa_bits) << 52);
    const double magnitude = static_cast<double>(mantissa) * unit;
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint64_t wide_exponent =
      exponent == top_exponent ? 0x7ffu : exponent + 1023u - static_cast<uint32_t>(format.bias);
  return std::bit_cast<double>(sign | (wide_exponent << 52) | (mantissa << (52 - format.mantissa_bits)));
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
double load_as_double(const std::byte* at) {
  return static_cast<double>(load<T>(at));
}
double load_f16(const std::byte* at) { return from_f16_bits(load<uint16_t>(at)); }
double load_bf16(const std::byte* at) { return from_bf16_bits(load<uint16_t>(at)); }

using Loader = double (*)(const std::byte*);

Loader loader_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return load_as_double<double>;
    case DType::f32:
      return load_as_double<float>;
    case DType::f16:
      return load_f16;
    case DType::bf16:
      return load_bf16;
    case DType::i64:
      return load_as_double<int64_t>;
    case DType::i32:
      return load_as_double<int32_t>;
    case DType::i16:
      return load_as_double<int16_t>;
    case DType::i8:
      return load_as_double<int8_t>;
    case DType::u64:
      return load_as_double<uint64_t>;
    case DType::u32:
      return load_as_double<uint32_t>;
    case DType::u16:
      return load_as_double<uint16_t>;
    case DType::u8:
    case DType::boolean:
      return load_as_double<uint8_t>;
  }
  return load_as_double<uint8_t>;
}

// The common type deserves a loop that the compiler can vectorise.
void widen_f32(const std::byte* at, std::span<double> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(load<float>(at + i * sizeof(float)));
}

}  // namespace

uint16_t to_f16_bits(double value) { return to_small(value, k_f16); }
uint16_t to_bf16_bits(double value) { return to_small(value, k_bf16); }
double from_f16_bits(uint16_t bits) { return from_small(bits, k_f16); }
double from_bf16_bits(uint16_t bits) { return from_small(bits, k_bf16); }

double element_as_double(std::span<const std::byte> buffer, DType dtype, uint64_t index) {
  const size_t size = task::size_bytes(dtype);
  assert((index + 1) * size <= buffer.size());
  return loader_of(dtype)(buffer.data() + index * size);
}

void widen(std::span<const std::byte> buffer, DType dtype, std::span<double> out) {
  const size_t size = task::size_bytes(dtype);
  assert(out.size() * size <= buffer.size());
  if (dtype == DType::f32) return widen_f32(buffer.data(), out);
  const Loader load_one = loader_of(dtype);
  for (size_t i = 0; i < out.size(); ++i) out[i] = load_one(buffer.data() + i * size);
}

}  // namespace hone::device
