#include "device/cpu/flush.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hone::device::cpu {
namespace {

// That lines have left the caches shows in times alone, which no test asserts; bench/ and `hone calibrate` show those.
TEST(Flush, EveryPathKeepsTheBytes) {
  std::vector<std::byte> bytes(10007);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 31);
  const std::vector<std::byte> before = bytes;
  for (const FlushPath path : flush_paths()) {
    flush_to_memory(std::span(bytes).subspan(3), path);
    EXPECT_EQ(bytes, before) << static_cast<int>(path);
  }
  flush_to_memory(bytes);
  warm(bytes);
  EXPECT_EQ(bytes, before);
}

TEST(Flush, ACopyPastTheCachesIsACopy) {
  std::vector<std::byte> from(1000);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 37 + 1);
  for (const size_t offset : {0, 1, 63, 64}) {
    for (const size_t size : {0, 1, 63, 64, 65, 127, 128, 500, 900}) {
      std::vector<std::byte> to(1100);
      std::vector<std::byte> expected = to;
      std::copy_n(from.begin() + 3, size, expected.begin() + static_cast<long>(offset));
      copy_past_caches(std::span(to).subspan(offset, size), std::span(from).subspan(3, size));
      EXPECT_EQ(to, expected) << offset << " " << size;
    }
  }
}

TEST(Flush, NothingIsFine) {
  for (const FlushPath path : flush_paths()) flush_to_memory({}, path);
  warm({});
  EXPECT_EQ(flush_paths().front(), FlushPath::sweep);
}

}  // namespace
}  // namespace hone::device::cpu
