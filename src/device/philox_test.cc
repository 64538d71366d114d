#include "device/philox.h"

#include <gtest/gtest.h>

namespace hone::device {
namespace {

// Known answers of the authors' own kat_vectors file, philox4x32 with 10 rounds.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox_block({{0, 0}, {0, 0}}, 0), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox_block({{~0u, ~0u}, {~0u, ~0u}}, ~0ull),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox_block({{0xa4093822, 0x299f31d0}, {0x13198a2e, 0x03707344}}, 0x85a308d3243f6a88ull),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, EveryPathGivesTheSameBits) {
  const PhiloxStream stream{{0x12345678, 0x9abcdef0}, {7, 0xdeadbeef}};
  for (const uint64_t first : std::vector<uint64_t>{0, 256, (1ull << 32) - 256, 1ull << 32, (1ull << 63) + 512}) {
    for (const PhiloxPath path : philox_paths()) {
      PhiloxBatch batch;
      philox_batch(batch, stream, first, path);
      for (size_t b = 0; b < k_philox_batch; ++b) {
        const PhiloxBlock expected = philox_block(stream, first + b);
        for (size_t w = 0; w < 4; ++w) ASSERT_EQ(batch.words[w][b], expected[w]) << static_cast<int>(path) << " " << b;
      }
    }
  }
}

TEST(Philox, ThePortablePathIsAlwaysThere) {
  EXPECT_EQ(philox_paths().front(), PhiloxPath::portable);
  EXPECT_EQ(philox_paths().back(), fastest_philox_path());
}

}  // namespace
}  // namespace hone::device
