#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace hone {

enum class Colour { red, green };
template <>
struct EnumNames<Colour> {
  static constexpr EnumName<Colour> table[] = {{Colour::red, "red"}, {Colour::green, "green"}};
};

namespace {

struct Inner {
  int8_t small = 0;
  std::optional<double> maybe;
};
template <class A>
void describe(A& a, Inner& v) {
  a.field("small", v.small);
  a.field("maybe", v.maybe);
}

struct Outer {
  std::string name;
  Colour colour = Colour::red;
  std::vector<Inner> items;
  std::map<std::string, uint64_t> counts;
  bool flag = false;
  json::Raw extra;
};
template <class A>
void describe(A& a, Outer& v) {
  a.field("name", v.name);
  a.field("colour", v.colour);
  a.field("items", v.items);
  a.field("counts", v.counts);
  a.field("flag", v.flag);
  a.field("extra", v.extra);
}

const std::string k_text = R"({"name":"a\"\n\u0001é","colour":"green","items":[{"small":-5,"maybe":0.1},{"small":7}],)"
                           R"("counts":{"big":18446744073709551615},"flag":true,"extra":{"any":[1,2.5,null]}})";

TEST(Json, RoundTripIsByteIdentical) {
  const auto value = json::from_text<Outer>(k_text);
  ASSERT_TRUE(value) << to_text(value.error());
  EXPECT_EQ(value->items[0].maybe, 0.1);
  EXPECT_FALSE(value->items[1].maybe);
  EXPECT_EQ(json::to_text(*value), k_text);
}

TEST(Json, PrettyChangesNothingButSpace) {
  const std::string indented = json::pretty(k_text);
  EXPECT_NE(indented.find("\n  \"colour\": \"green\",\n"), std::string::npos) << indented;
  const auto again = json::from_text<Outer>(indented);
  ASSERT_TRUE(again);
  EXPECT_EQ(json::to_text(*again), k_text);
  EXPECT_EQ(json::pretty(R"({"a":[],"b":{}})"), "{\n  \"a\": [],\n  \"b\": {}\n}\n");
}

struct Bad {
  std::string text;
  std::string message_part;
};
void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.message_part; }  // names the test

class JsonRejects : public testing::TestWithParam<Bad> {};

TEST_P(JsonRejects, WithAPointer) {
  const auto value = json::from_text<Outer>(GetParam().text);
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().what.find(GetParam().message_part), std::string::npos) << value.error().what;
}

std::string with(std::string_view from, std::string_view to) {
  std::string text = k_text;
  return text.replace(text.find(from), from.size(), to);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, JsonRejects,
    testing::Values(Bad{"{", "not valid JSON at byte"}, Bad{k_text + "x", "not valid JSON"}, Bad{"[]", "an object"},
                    Bad{with("\"small\":-5", "\"small\":-500"), "/items/0/small is -500"},
                    Bad{with("\"small\":-5", "\"smal\":-5"), "/items/0 lacks the key 'small'"},
                    Bad{with("\"flag\":true", "\"flag\":true,\"flags\":1"),
                        "unknown key 'flags', did you mean 'flag'?"},
                    Bad{with("green", "greeen"), "did you mean 'green'?"}, Bad{with("true", "1"), "/flag must be true"},
                    Bad{with("0.1", "null"), "/items/0/maybe must be a number"},
                    Bad{with("18446744073709551615", "-1"), "/counts/big"}, Bad{with("é", "\xff"), "not valid JSON"}));

std::string nested(size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (size_t i = 0; i < depth; ++i) text += open;
  for (size_t i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(Json, DeepNestingIsRefusedBeforeAnybodyRecursesIntoIt) {
  EXPECT_FALSE(json::parse(std::string(1'000'000, '[')));
  EXPECT_FALSE(json::parse(nested(1'000'000, "[", "]")));
  EXPECT_FALSE(json::parse(nested(json::k_most_nesting + 1, "[", "]")));
  EXPECT_FALSE(json::parse("{\"a\":" + nested(json::k_most_nesting, "[", "]") + "}"));
  EXPECT_TRUE(json::parse(nested(json::k_most_nesting, "[", "]")));
}

TEST(Json, BracketsSideBySideOrInStringsAreNotDeep) {
  const std::string in_string = "\"" + nested(1000, "[{\\\"", "]}") + "\"";
  EXPECT_TRUE(json::parse(in_string));
  EXPECT_TRUE(json::parse("[" + nested(1000, "[],", "") + "0]"));
  EXPECT_FALSE(json::parse("[" + in_string + "," + nested(json::k_most_nesting, "[", "]") + "]"));
}

TEST(Json, ZerosAreZeroWhateverTheirExponent) {
  for (const char* text : {"0e308", "0E5", "0.0e-7", "-0e300", "0.000e22"})
    EXPECT_EQ(json::parse(text)->GetDouble(), 0.0) << text;
}

TEST(Json, HalfASurrogatePairIsNoText) {
  EXPECT_STREQ(json::parse(R"("\ud83d\ude00")")->GetString(), "😀");
  EXPECT_STREQ(json::parse("\"\xed\x9f\xbf\"")->GetString(), "\xed\x9f\xbf") << "the last one before them";
  for (const char* text : {R"("\ude00")", R"("\ud83d")", R"({"\udfff":1})", R"(["a\\\ud800"])", "\"\xed\xa0\x80\""})
    EXPECT_FALSE(json::parse(text)) << text;
}

TEST(Json, NumbersKeepTheirKind) {
  EXPECT_EQ(json::parse("-9223372036854775808")->GetInt64(), INT64_MIN);
  EXPECT_EQ(json::parse("18446744073709551615")->GetUint64(), UINT64_MAX);
  EXPECT_TRUE(json::parse("-0")->IsInt64());
  EXPECT_TRUE(json::parse("7")->IsUint64());
  EXPECT_FALSE(json::parse("7.0")->IsInt64());
  EXPECT_FALSE(json::parse("18446744073709551616")->IsUint64()) << "one more is a double";
  EXPECT_EQ(json::parse("18446744073709551616")->GetDouble(), 0x1p64);
}

TEST(Json, BeyondTheDoublesIsRefusedAndBelowThemIsZero) {
  const auto large = json::parse("[1e309]");
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().what.find("Number too big"), std::string::npos) << large.error().what;
  EXPECT_FALSE(json::parse("-1" + std::string(400, '0')));
  EXPECT_EQ(json::parse("1e-400")->GetDouble(), 0.0);
  EXPECT_EQ(json::parse("3e-324")->GetDouble(), 5e-324) << "the nearest of the smallest";
}

TEST(Json, NotFiniteIsAProgrammersError) {
  EXPECT_THROW(json::to_text(std::nan("")), std::logic_error);
  EXPECT_THROW(json::to_text(std::numeric_limits<double>::infinity()), std::logic_error);
}

TEST(Json, NumbersAreShortestRoundTrip) {
  for (const double value : {0.1, 1e300, 5e-324, -0.0, 123456789.123456789, 1.0 / 3.0}) {
    const std::string text = json::to_text(value);
    EXPECT_EQ(json::parse(text)->GetDouble(), value) << text;
    EXPECT_EQ(std::signbit(json::parse(text)->GetDouble()), std::signbit(value)) << text;
    EXPECT_EQ(json::to_text(json::parse(text)->GetDouble()), text);
    EXPECT_LE(text.size(), 24u);
  }
  EXPECT_EQ(json::to_text(0.1), "0.1");
}

TEST(Json, SchemaNamesTypesAndRequiredKeys) {
  const std::string schema = json::schema_of<Outer>("hone.outer/1");
  EXPECT_NE(schema.find("\"$id\": \"hone.outer/1\""), std::string::npos);
  EXPECT_NE(schema.find("\"enum\": [\n        \"red\",\n        \"green\""), std::string::npos) << schema;
  EXPECT_NE(schema.find("\"additionalProperties\": false"), std::string::npos);
  EXPECT_TRUE(json::parse(schema));
}

}  // namespace
}  // namespace hone
