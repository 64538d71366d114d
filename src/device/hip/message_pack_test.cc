#include "device/hip/message_pack.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace hone::device::hip {
namespace {

using namespace std::string_literals;

std::optional<PackItem> first(const std::string& bytes) { return PackReader(bytes_of(bytes)).next(); }

struct IntegerRow {
  std::string bytes;
  uint64_t number;
};

// The examples of the specification's table of formats.
TEST(MessagePack, WholeNumbers) {
  const IntegerRow rows[] = {{"\x00"s, 0},
                             {"\x7f"s, 127},
                             {"\xcc\xff"s, 255},
                             {"\xcd\x01\x02"s, 0x102},
                             {"\xce\x01\x02\x03\x04"s, 0x1020304},
                             {"\xcf\x01\x02\x03\x04\x05\x06\x07\x08"s, 0x102030405060708},
                             {"\xff"s, 0},
                             {"\xd1\xff\xfe"s, 0}};
  for (const IntegerRow& row : rows) {
    const auto item = first(row.bytes);
    ASSERT_TRUE(item) << row.bytes.size();
    EXPECT_EQ(item->kind, PackKind::integer);
    EXPECT_EQ(item->number, row.number);
  }
}

TEST(MessagePack, Texts) {
  EXPECT_EQ(first("\xa3"
                  "abc"s)
                ->text,
            "abc");
  EXPECT_EQ(first("\xa0"s)->text, "");
  EXPECT_EQ(first("\xd9\x02"
                  "ab"s)
                ->text,
            "ab");
  EXPECT_EQ(first("\xda\x00\x02"
                  "ab"s)
                ->text,
            "ab");
  EXPECT_EQ(first("\xdb\x00\x00\x00\x02"
                  "ab"s)
                ->text,
            "ab");
}

TEST(MessagePack, ArraysAndMapsSayHowMuchFollows) {
  const IntegerRow arrays[] = {{"\x93"s, 3}, {"\xdc\x01\x00"s, 256}, {"\xdd\x00\x01\x00\x00"s, 65536}};
  for (const IntegerRow& row : arrays) {
    EXPECT_EQ(first(row.bytes)->kind, PackKind::array);
    EXPECT_EQ(first(row.bytes)->number, row.number);
  }
  const IntegerRow maps[] = {{"\x82"s, 2}, {"\xde\x01\x00"s, 256}, {"\xdf\x00\x01\x00\x00"s, 65536}};
  for (const IntegerRow& row : maps) {
    EXPECT_EQ(first(row.bytes)->kind, PackKind::map);
    EXPECT_EQ(first(row.bytes)->number, row.number);
  }
}

// Each is followed by the number 7.
TEST(MessagePack, AnythingIsSkipped) {
  const std::string all[] = {"\xc0"s,
                             "\xc3"s,
                             "\xc4\x02xy"s,
                             "\xca"
                             "1234"s,
                             "\xcb"
                             "12345678"s,
                             "\xd3"
                             "12345678"s,
                             "\xe0"s,
                             "\x92\x01\x92\x02\x03"s,
                             "\x81\xa1"
                             "a\x92\x01\x81\x01\x02"s,
                             "\xd9\x03xyz"s};
  for (const std::string& bytes : all) {
    const std::string text = bytes + "\x07";
    PackReader reader(bytes_of(text));
    ASSERT_TRUE(reader.skip());
    const auto next = reader.next();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->number, 7u);
    EXPECT_FALSE(reader.next()) << "and then there is nothing";
  }
}

TEST(MessagePack, FieldsAndElementsAreTaken) {
  const std::string text =
      "\x82\xa1"
      "a\x92\x01\x02\xa1"
      "b\x03"s;
  PackReader reader(bytes_of(text));
  std::vector<uint64_t> numbers;
  EXPECT_TRUE(each_field(reader, [&](std::string_view key, PackReader& value) {
    if (key == "b") return value.skip();
    return each_element(value, [&](PackReader& one) {
      numbers.push_back(one.next()->number);
      return true;
    });
  }));
  EXPECT_THAT(numbers, testing::ElementsAre(1, 2));
  PackReader other(bytes_of(text));
  EXPECT_FALSE(each_element(other, [](PackReader& one) { return one.skip(); })) << "it is no array";
}

TEST(MessagePack, WhatIsCutShortIsNothing) {
  const std::string all[] = {""s,
                             "\xcd\x01"s,
                             "\xa3"
                             "ab"s,
                             "\xc4\x05"
                             "a"s,
                             "\xcb"
                             "1"s,
                             "\xd3"
                             "1"s,
                             "\xc1"s,
                             "\xc7\x01\x01\x01"s};
  for (const std::string& bytes : all) EXPECT_FALSE(first(bytes)) << bytes.size();
  const std::string lies = "\xdf\xff\xff\xff\xff\x01"s;
  EXPECT_FALSE(PackReader(bytes_of(lies)).skip());
}

}  // namespace
}  // namespace hone::device::hip
