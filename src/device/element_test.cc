#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "device/fill.h"

namespace hone::device {
namespace {

using task::DType;

struct Half {
  const char* name;
  uint16_t (*to)(double);
  double (*from)(uint16_t);
  uint16_t infinity;
};
const Half k_halves[] = {{"f16", to_f16_bits, from_f16_bits, 0x7c00}, {"bf16", to_bf16_bits, from_bf16_bits, 0x7f80}};

bool is_nan_bits(const Half& half, uint32_t bits) { return (bits & 0x7fffu) > half.infinity; }

TEST(Element, EveryHalfRoundTrips) {
  for (const Half& half : k_halves) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const double value = half.from(static_cast<uint16_t>(bits));
      if (is_nan_bits(half, bits)) {
        EXPECT_TRUE(std::isnan(value));
        EXPECT_TRUE(is_nan_bits(half, half.to(value)));
      } else {
        ASSERT_EQ(half.to(value), bits) << half.name;
      }
    }
  }
}

// Between every two neighbours: the middle goes to the even one, a hair to either side goes to that side.
TEST(Element, TiesGoToEvenBetweenAllNeighbours) {
  for (const Half& half : k_halves) {
    for (uint32_t low = 0; low + 1 < half.infinity; ++low) {
      const double a = half.from(static_cast<uint16_t>(low));
      const double b = half.from(static_cast<uint16_t>(low + 1));
      const double middle = a + (b - a) / 2;
      const uint32_t even = (low & 1) == 0 ? low : low + 1;
      ASSERT_EQ(half.to(middle), even) << half.name;
      ASSERT_EQ(half.to(std::nextafter(middle, a)), low) << half.name;
      ASSERT_EQ(half.to(std::nextafter(middle, b)), low + 1) << half.name;
      ASSERT_EQ(half.to(-middle), even | 0x8000u) << half.name;
    }
  }
}

TEST(Element, OverflowGoesToInfinityFromTheMiddleOn) {
  EXPECT_EQ(to_f16_bits(65504.0), 0x7bff);
  EXPECT_EQ(to_f16_bits(65519.99), 0x7bff);
  EXPECT_EQ(to_f16_bits(65520.0), 0x7c00);
  EXPECT_EQ(to_f16_bits(-1e300), 0xfc00);
  EXPECT_EQ(to_bf16_bits(std::numeric_limits<double>::infinity()), 0x7f80);
  EXPECT_EQ(to_bf16_bits(static_cast<double>(std::numeric_limits<float>::max())), 0x7f80);
}

TEST(Element, TinyValuesGoToZeroWithTheirSign) {
  EXPECT_EQ(to_f16_bits(0x1p-25), 0u);
  EXPECT_EQ(to_f16_bits(std::nextafter(0x1p-25, 1.0)), 1u);
  EXPECT_EQ(to_f16_bits(-std::numeric_limits<double>::denorm_min()), 0x8000u);
  EXPECT_EQ(to_bf16_bits(0x1p-134), 0u);
  EXPECT_EQ(to_bf16_bits(0x1p-133), 1u);
}

template <class T>
double widened(DType dtype, T value) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  double out[1];
  widen(bytes, dtype, out);
  EXPECT_EQ(std::bit_cast<uint64_t>(out[0]), std::bit_cast<uint64_t>(element_as_double(bytes, dtype, 0)));
  return out[0];
}

TEST(Element, EveryTypeWidens) {
  EXPECT_EQ(widened(DType::f64, -1.5), -1.5);
  EXPECT_EQ(widened(DType::f32, 0.1f), static_cast<double>(0.1f));
  EXPECT_EQ(widened<uint16_t>(DType::f16, 0x3c00), 1.0);
  EXPECT_EQ(widened<uint16_t>(DType::bf16, 0xc000), -2.0);
  EXPECT_EQ(widened<int64_t>(DType::i64, -(1ll << 53)), -0x1p53);
  EXPECT_EQ(widened<int32_t>(DType::i32, -7), -7.0);
  EXPECT_EQ(widened<int16_t>(DType::i16, -300), -300.0);
  EXPECT_EQ(widened<int8_t>(DType::i8, -128), -128.0);
  EXPECT_EQ(widened<uint64_t>(DType::u64, ~0ull), 0x1p64);
  EXPECT_EQ(widened<uint32_t>(DType::u32, 4000000000u), 4e9);
  EXPECT_EQ(widened<uint16_t>(DType::u16, 65535), 65535.0);
  EXPECT_EQ(widened<uint8_t>(DType::u8, 255), 255.0);
  EXPECT_EQ(widened<uint8_t>(DType::boolean, 1), 1.0);
}

TEST(Element, IndexCountsElementsNotBytes) {
  const int32_t values[] = {3, 5, 7};
  EXPECT_EQ(element_as_double(std::as_bytes(std::span(values)), DType::i32, 2), 7.0);
}

}  // namespace
}  // namespace hone::device
