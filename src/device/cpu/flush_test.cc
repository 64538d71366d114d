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

TEST(Flush, NothingIsFine) {
  for (const FlushPath path : flush_paths()) flush_to_memory({}, path);
  warm({});
  EXPECT_EQ(flush_paths().front(), FlushPath::sweep);
}

}  // namespace
}  // namespace hone::device::cpu
