#include "device/tile_loops.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "device/distribution.h"
#include "device/fill.h"

namespace hone::device {
namespace {

PhiloxBatch some_batch(uint64_t first) {
  PhiloxBatch batch;
  philox_batch(batch, {{11, 22}, {33, 44}}, first, PhiloxPath::portable);
  return batch;
}

// Doubles of every exponent and sign, and the middles between neighbouring 16-bit numbers.
std::vector<double> hard_values() {
  std::vector<double> values;
  for (uint64_t first = 0; first < 64 * k_tile; first += k_tile) {
    const PhiloxBatch batch = some_batch(first);
    for (size_t b = 0; b < k_tile; ++b) {
      const double mantissa = 1.0 + unit_uniform(batch.words[0][b]);
      const int exponent = static_cast<int>(batch.words[1][b] % 330) - 165;
      values.push_back(std::ldexp(batch.words[2][b] % 2 == 0 ? mantissa : -mantissa, exponent));
    }
  }
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double low = from_f16_bits(static_cast<uint16_t>(bits));
    const double high = bits == 0x7bff ? 65536.0 : from_f16_bits(static_cast<uint16_t>(bits + 1));
    for (const double at :
         {low, (low + high) / 2, std::nextafter((low + high) / 2, 0.0), std::nextafter((low + high) / 2, 1e9)}) {
      values.push_back(at);
    }
  }
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) {
    const double low = from_bf16_bits(static_cast<uint16_t>(bits));
    const double high = bits == 0x7f7f ? 0x1p128 : from_bf16_bits(static_cast<uint16_t>(bits + 1));
    values.push_back((low + high) / 2);
    values.push_back(std::nextafter((low + high) / 2, std::numeric_limits<double>::infinity()));
  }
  values.insert(values.end(), {0.0, -0.0, std::numeric_limits<double>::infinity(), -1e300, 1e-300, 4.9e-324});
  values.resize((values.size() + k_tile - 1) / k_tile * k_tile, -0.0);
  return values;
}

TEST(TileLoops, SmallFormatsRoundAsTheScalarConversionDoes) {
  const std::vector<double> values = hard_values();
  for (size_t first = 0; first < values.size(); first += k_tile) {
    uint16_t f16[k_tile];
    uint16_t bf16[k_tile];
    tile_to_f16(f16, &values[first]);
    tile_to_bf16(bf16, &values[first]);
    for (size_t b = 0; b < k_tile; ++b) {
      ASSERT_EQ(f16[b], to_f16_bits(values[first + b])) << values[first + b];
      ASSERT_EQ(bf16[b], to_bf16_bits(values[first + b])) << values[first + b];
    }
  }
}

TEST(TileLoops, UniformAndNormalAreTheirDefinitions) {
  const PhiloxBatch batch = some_batch(512);
  double uniform[k_tile];
  double normal[k_tile];
  tile_uniform(uniform, batch.words[0].data(), -3.0, 7.0);
  tile_normal(normal, batch, 0.1, 3.0);
  for (size_t b = 0; b < k_tile; ++b) {
    const double scaled = 7.0 * (static_cast<double>(batch.words[0][b] >> 8) / 16777216.0);
    EXPECT_EQ(uniform[b], -3.0 + scaled);
    const double z = unit_normal({batch.words[0][b], batch.words[1][b], batch.words[2][b], batch.words[3][b]});
    const double stretched = 3.0 * z;
    EXPECT_EQ(normal[b], 0.1 + stretched);
  }
}

TEST(TileLoops, IntegersAgreeWithTheWideMultiplication) {
  const PhiloxBatch batch = some_batch(1024);
  for (const uint32_t count : {1u, 2u, 101u, 65536u, 0xffffffffu}) {
    uint64_t values[k_tile];
    tile_integers(values, batch.words[0].data(), batch.words[1].data(), static_cast<uint64_t>(-5), count);
    for (size_t b = 0; b < k_tile; ++b) {
      const uint64_t word = static_cast<uint64_t>(batch.words[1][b]) << 32 | batch.words[0][b];
      const Int128 expected = draw({-5, -5 + static_cast<Int128>(count) - 1}, word);
      ASSERT_EQ(values[b], static_cast<uint64_t>(expected));
    }
  }
}

TEST(TileLoops, FewIntegersAreTheHighWordOfTheProduct) {
  const PhiloxBatch batch = some_batch(2048);
  for (const uint32_t count : {1u, 2u, 101u, 65536u}) {
    uint64_t values[k_tile];
    tile_few_integers(values, batch.words[2].data(), static_cast<uint64_t>(-5), count);
    for (size_t b = 0; b < k_tile; ++b)
      ASSERT_EQ(static_cast<int64_t>(values[b]), -5 + static_cast<int64_t>(uint64_t{batch.words[2][b]} * count >> 32));
  }
}

TEST(TileLoops, NarrowingKeepsTheLowBits) {
  uint64_t values[k_tile];
  for (size_t b = 0; b < k_tile; ++b) values[b] = 0xfedcba9876543200ull + b;
  uint8_t bytes[k_tile];
  uint32_t words[k_tile];
  tile_narrow(bytes, values);
  tile_narrow(words, values);
  EXPECT_EQ(bytes[17], 17);
  EXPECT_EQ(words[255], 0x765432ffu);
}

}  // namespace
}  // namespace hone::device
