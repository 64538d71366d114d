// Texts that the parser behind parse_toml has no plan for: they are faults with a place, never undefined.
#include "task/toml.h"

#include <gtest/gtest.h>

namespace hone::task {
namespace {

std::string utf8(char32_t point) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xc0 | point >> 6), byte(0x80 | (point & 0x3f))};
  if (point < 0x10000) return {byte(0xe0 | point >> 12), byte(0x80 | (point >> 6 & 0x3f)), byte(0x80 | (point & 0x3f))};
  return {byte(0xf0 | point >> 18), byte(0x80 | (point >> 12 & 0x3f)), byte(0x80 | (point >> 6 & 0x3f)),
          byte(0x80 | (point & 0x3f))};
}

// Every class that the parser knows has a neighbour here that is in none.
constexpr char32_t k_foreign[] = {0xa0,   0xa1,   0xe9,   0x133,  0x37e,  0x1680, 0x1681, 0x180e, 0x2000,  0x200c,
                                  0x2028, 0x202f, 0x2060, 0x3000, 0x3001, 0xd7ff, 0xe000, 0xfeff, 0x1f600, 0x10ffff};

TEST(Toml, AForeignCharacterInABareKeyIsAFaultOfItsLine) {
  for (const char32_t point : k_foreign) {
    for (const std::string& line : {utf8(point) + " = 1", "k" + utf8(point) + " = 1", "k = " + utf8(point)}) {
      const auto read = parse_toml("first = 1\n" + line + "\n", "task.toml");
      if (read) continue;  // white space of other scripts may be taken for white space
      EXPECT_EQ(read.error().where.line, 2u) << std::hex << static_cast<uint32_t>(point);
    }
  }
  EXPECT_FALSE(parse_toml(utf8(0x133) + "OCK = 64\n", "variant.toml"));
}

TEST(Toml, AForeignCharacterInAStringIsText) {
  for (const char32_t point : k_foreign) {
    const auto read = parse_toml("k = \"" + utf8(point) + "\"\n", "task.toml");
    ASSERT_TRUE(read) << std::hex << static_cast<uint32_t>(point);
    EXPECT_EQ(read->find("k")->text, utf8(point));
  }
}

}  // namespace
}  // namespace hone::task
