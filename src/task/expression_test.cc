#include "task/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <string>

namespace hone::task {
namespace {

using testing::HasSubstr;

constexpr int64_t k_min = std::numeric_limits<int64_t>::min();
constexpr int64_t k_max = std::numeric_limits<int64_t>::max();

Scope scope() {
  return {{"n", {int64_t{10}}}, {"x", {2.5}}, {"s", {std::string("abc")}}, {"l", {List{{int64_t{3}}, {int64_t{1}}}}}};
}

struct GoodRow {
  std::string text;
  Value value;
};

void PrintTo(const GoodRow& row, std::ostream* out) { *out << row.text; }

class Evaluates : public testing::TestWithParam<GoodRow> {};

TEST_P(Evaluates, ToTheValue) {
  const auto expression = Expression::parse(GetParam().text);
  ASSERT_TRUE(expression) << to_text(expression.error());
  const auto value = expression->evaluate(scope());
  ASSERT_TRUE(value) << to_text(value.error());
  EXPECT_EQ(*value, GetParam().value);
  const auto again = Expression::parse(expression->canonical());
  ASSERT_TRUE(again) << expression->canonical();
  EXPECT_EQ(*again, *expression);
  EXPECT_EQ(*again->evaluate(scope()), GetParam().value);
}

Value i(int64_t value) { return {value}; }
Value d(double value) { return {value}; }
Value b(bool value) { return {value}; }

INSTANTIATE_TEST_SUITE_P(
    Table, Evaluates,
    testing::Values(
        GoodRow{"1", i(1)}, GoodRow{"1_000", i(1000)}, GoodRow{"1.5", d(1.5)}, GoodRow{".5", d(0.5)},
        GoodRow{"2.", d(2.0)}, GoodRow{"1e3", d(1000.0)}, GoodRow{"1E-2", d(0.01)},
        GoodRow{"'a b'", {std::string("a b")}}, GoodRow{"\"it's\"", {std::string("it's")}}, GoodRow{"true", b(true)},
        GoodRow{"false", b(false)}, GoodRow{"9223372036854775807", i(k_max)}, GoodRow{"-9223372036854775808", i(k_min)},
        GoodRow{"- 9223372036854775808", i(k_min)}, GoodRow{"1 + 2 * 3", i(7)}, GoodRow{"(1 + 2) * 3", i(9)},
        GoodRow{"10 - 3 - 2", i(5)}, GoodRow{"10 - (3 - 2)", i(9)}, GoodRow{"2 ** 3 ** 2", i(512)},
        GoodRow{"(2 ** 3) ** 2", i(64)}, GoodRow{"-2 ** 2", i(-4)}, GoodRow{"(-2) ** 2", i(4)},
        GoodRow{"(-2) ** 63", i(k_min)}, GoodRow{"2 ** 62", i(int64_t{1} << 62)}, GoodRow{"0 ** 0", i(1)},
        GoodRow{"1 ** 9223372036854775807", i(1)}, GoodRow{"(-1) ** 9223372036854775807", i(-1)},
        GoodRow{"2.0 ** 3", d(8.0)}, GoodRow{"7 / 2", d(3.5)}, GoodRow{"6 / 2", d(3.0)}, GoodRow{"7 // 2", i(3)},
        GoodRow{"-7 // 2", i(-4)}, GoodRow{"7 // -2", i(-4)}, GoodRow{"-7 // -2", i(3)}, GoodRow{"7 % 3", i(1)},
        GoodRow{"-7 % 3", i(2)}, GoodRow{"7 % -3", i(-2)}, GoodRow{"-7 % -3", i(-1)},
        GoodRow{"-9223372036854775808 % -1", i(0)}, GoodRow{"-7.5 // 2", d(-4.0)}, GoodRow{"-7.5 % 2", d(0.5)},
        GoodRow{"7.5 % -2", d(-0.5)}, GoodRow{"-9223372036854775807 - 1", i(k_min)}, GoodRow{"--5", i(5)},
        GoodRow{"+5", i(5)}, GoodRow{"-n", i(-10)}, GoodRow{"1 + 2.0", d(3.0)}, GoodRow{"1 == 1.0", b(true)},
        GoodRow{"9007199254740993 == 9007199254740992.0", b(false)}, GoodRow{"1 < 2 < 3", b(true)},
        GoodRow{"1 < 2 > 3", b(false)}, GoodRow{"'a' < 'b'", b(true)}, GoodRow{"s == 'abc'", b(true)},
        GoodRow{"l == [3, 1]", b(true)}, GoodRow{"l != [3]", b(true)}, GoodRow{"true != false", b(true)},
        GoodRow{"n >= 10 and n <= 10", b(true)}, GoodRow{"not n == 10", b(false)}, GoodRow{"not 0", b(true)},
        GoodRow{"0 or 0.0 or 3", b(true)}, GoodRow{"false and 1 // 0 == 0", b(false)},
        GoodRow{"true or missing", b(true)}, GoodRow{"min(3, 1.5, 2)", d(1.5)}, GoodRow{"max(l)", i(3)},
        GoodRow{"max(1, 1.0)", i(1)}, GoodRow{"ceildiv(7, 2)", i(4)}, GoodRow{"ceildiv(-7, 2)", i(-3)},
        GoodRow{"ceildiv(6, -2)", i(-3)}, GoodRow{"abs(-3)", i(3)}, GoodRow{"abs(-2.5)", d(2.5)},
        GoodRow{"len(range(5))", i(5)}, GoodRow{"range(2, 8, 3)", {List{i(2), i(5)}}},
        GoodRow{"range(3, 0, -1)", {List{i(3), i(2), i(1)}}}, GoodRow{"range(-1)", {List{}}},
        GoodRow{"len('abc')", i(3)}, GoodRow{"len([])", i(0)},
        GoodRow{"[1, 'a', [2.0],]", {List{i(1), {std::string("a")}, {List{d(2.0)}}}}}, GoodRow{"log2(1)", i(0)},
        GoodRow{"log2(4611686018427387904)", i(62)}, GoodRow{"len(range(10000))", i(10000)},
        GoodRow{"9223372036854775807 // -1", i(-k_max)}, GoodRow{"4611686018427387904 * -2", i(k_min)},
        GoodRow{" ( n ) ", i(10)}, GoodRow{"(1 < 2) == true", b(true)}, GoodRow{"not (1 < 2) or 5 > 4", b(true)},
        GoodRow{"x * 2", d(5.0)}));

struct BadRow {
  std::string text;
  uint32_t column;
  std::string words;
};

void PrintTo(const BadRow& row, std::ostream* out) { *out << row.text; }

class Refuses : public testing::TestWithParam<BadRow> {};

TEST_P(Refuses, WithTheColumn) {
  const auto expression = Expression::parse(GetParam().text);
  const auto value = expression ? expression->evaluate(scope()) : Result<Value>(expression.error());
  ASSERT_FALSE(value) << GetParam().text;
  EXPECT_EQ(value.error().code, ErrorCode::contract);
  EXPECT_EQ(value.error().where.column, GetParam().column) << to_text(value.error());
  EXPECT_THAT(value.error().what, HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Refuses,
    testing::Values(
        BadRow{"", 1, "ends too early"}, BadRow{"1 +", 4, "ends too early"}, BadRow{"1 2", 3, "unexpected '2'"},
        BadRow{"(1", 3, "ends too early"}, BadRow{"1)", 2, "unexpected ')'"}, BadRow{"a = 1", 3, "'=' has no meaning"},
        BadRow{"!a", 1, "'!' has no meaning"}, BadRow{"1 $ 2", 3, "unexpected character '$'"},
        BadRow{"'abc", 1, "no end"}, BadRow{"'a\\n'", 1, "no escapes"}, BadRow{"007", 1, "start with 0"},
        BadRow{"1.2.3", 4, "a number ends here"}, BadRow{"12abc", 3, "a number ends here"},
        BadRow{"1__0", 2, "a number ends here"}, BadRow{"9223372036854775808", 1, "64 bits"},
        BadRow{"1e999", 1, "double's range"}, BadRow{"foo(1)", 1, "unknown function 'foo'"},
        BadRow{"mun(1)", 1, "did you mean 'min'"}, BadRow{"abs(1, 2)", 1, "does not take 2"},
        BadRow{"min()", 1, "does not take 0"}, BadRow{"f", 1, "unknown name 'f'"},
        BadRow{"1 + and", 5, "unexpected 'and'"}, BadRow{"1 + m", 5, "unknown name 'm'"},
        BadRow{"9223372036854775807 + 1", 21, "does not fit"}, BadRow{"-9223372036854775808 - 1", 22, "does not fit"},
        BadRow{"9223372036854775807 * 2", 21, "does not fit"}, BadRow{"--9223372036854775808", 1, "does not fit"},
        BadRow{"-9223372036854775808 // -1", 22, "does not fit"},
        BadRow{"abs(-9223372036854775808)", 1, "does not fit"},
        BadRow{"ceildiv(-9223372036854775808, -1)", 1, "does not fit"}, BadRow{"2 ** 63", 3, "does not fit"},
        BadRow{"2 ** -1", 3, "non-negative"}, BadRow{"2 ** 0.5", 3, "non-negative"},
        BadRow{"1 / 0", 3, "division by zero"}, BadRow{"1 // 0", 3, "division by zero"},
        BadRow{"1 % 0", 3, "division by zero"}, BadRow{"1.0 / 0", 5, "division by zero"},
        BadRow{"ceildiv(1, 0)", 1, "division by zero"}, BadRow{"1e308 * 10", 7, "double's range"},
        BadRow{"1e308 ** 2", 7, "double's range"}, BadRow{"1 + 's'", 3, "takes numbers"},
        BadRow{"1 + true", 3, "takes numbers"}, BadRow{"-'s'", 1, "takes numbers"},
        BadRow{"1 < 's'", 3, "cannot compare"}, BadRow{"[1] < [2]", 5, "cannot compare"},
        BadRow{"not 's'", 5, "neither true nor false"}, BadRow{"1 and []", 7, "neither true nor false"},
        BadRow{"max([])", 1, "empty list"}, BadRow{"min('a')", 1, "takes numbers"},
        BadRow{"range(1, 2, 0)", 1, "step of zero"}, BadRow{"range(1000001)", 1, "longer than"},
        BadRow{"range(9223372036854775807)", 1, "longer than"}, BadRow{"range(1.0)", 1, "takes integers"},
        BadRow{"len(1)", 1, "takes a list"}, BadRow{"log2(3)", 1, "power of two"}, BadRow{"log2(0)", 1, "power of two"},
        BadRow{"log2(-8)", 1, "power of two"}, BadRow{"log2(4.0)", 1, "takes integers"},
        BadRow{"[1, 2", 6, "ends too early"}, BadRow{"[1 2]", 4, "unexpected '2'"},
        BadRow{"(not) 1", 5, "unexpected ')'"}, BadRow{"1 + not 2", 5, "unexpected 'not'"},
        BadRow{"n[0]", 2, "unexpected '['"}, BadRow{"x.y", 2, "unexpected character '.'"}));

std::string nested(size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); }

TEST(Expression, NestsToTheLimitAndNoFurther) {
  EXPECT_TRUE(Expression::parse(nested(64)));
  const auto deep = Expression::parse(nested(65));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().where.column, 66u);
  EXPECT_THAT(deep.error().what, HasSubstr("nested deeper than 64"));
  EXPECT_FALSE(Expression::parse(std::string(65, '-') + "n"));
  EXPECT_TRUE(Expression::parse(std::string(64, '-') + "n"));
  EXPECT_FALSE(Expression::parse(std::string(50'000, '[')));
}

TEST(Expression, ALongFlatChainIsNotDeep) {
  std::string text = "1";
  for (int k = 0; k < 10'000; ++k) text += " + 1";
  const auto expression = Expression::parse(text);
  ASSERT_TRUE(expression);
  EXPECT_EQ(*expression->integer({}), 10'001);
}

TEST(Expression, StopsAfterTheStepLimit) {
  std::string text = "len(range(10000))";
  for (int k = 0; k < 8; ++k) text += " + len(range(10000))";
  EXPECT_TRUE(Expression::parse(text)->integer({}));  // 9 million elements and a few nodes
  const auto many = Expression::parse(text + " + len(range(10000))")->integer({});
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().what, HasSubstr("100000 steps"));
}

TEST(Expression, RefusesAnEndlessText) { EXPECT_FALSE(Expression::parse(std::string(65 << 10, ' ') + "1")); }

TEST(Expression, ErrorsShowTheTextTheyBelongTo) {
  const auto fault = Expression::parse("n // 0")->integer(scope());
  EXPECT_THAT(to_text(fault.error()), HasSubstr("expression 'n // 0':1:3: division by zero"));
}

TEST(Expression, TypedAccessRefusesOtherTypes) {
  EXPECT_FALSE(Expression::parse("4 / 2")->integer({}));
  EXPECT_EQ(*Expression::parse("4")->number({}), 4.0);
  EXPECT_FALSE(Expression::parse("'4'")->number({}));
  EXPECT_FALSE(Expression::parse("[]")->truth({}));
  EXPECT_TRUE(*Expression::parse("0.5")->truth({}));
}

TEST(Expression, ListsItsNamesOnce) {
  EXPECT_EQ(Expression::parse("b + a * b + min(c, a)")->names(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Expression, PrintsOneTextForOneMeaning) {
  const auto same = [](std::string_view a, std::string_view b) {
    return *Expression::parse(a) == *Expression::parse(b);
  };
  EXPECT_TRUE(same("a*b+c", "( a * b ) + c"));
  EXPECT_TRUE(same("(a-b)-c", "a - b - c"));
  EXPECT_FALSE(same("a-(b-c)", "a - b - c"));
  EXPECT_TRUE(same("\"x\"", "'x'"));
  EXPECT_TRUE(same("1_000", "1000"));
  EXPECT_FALSE(same("2", "2.0"));
  EXPECT_EQ(Expression::parse("a**-b*(c+1)")->canonical(), "a ** -b * (c + 1)");
  EXPECT_EQ(Expression::constant(int64_t{-3}).canonical(), "-3");
  EXPECT_EQ(Expression::constant(2.0).canonical(), "2.0");
}

// Random texts of the grammar, of bounded depth.
std::string random_text(int depth) {
  if (depth == 0) {
    return *rc::gen::elementOf(
        std::vector<std::string>{"1", "0", "7", "n", "x", "2.5", "'s'", "true", "9223372036854775807", "-3"});
  }
  const auto sub = [depth] { return random_text(depth - 1); };
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return "(" + sub() + ")";
    case 1:
      return "-" + sub();
    case 2:
      return "(not " + sub() + ")";
    case 3:
      return "min(" + sub() + ", " + sub() + ")";
    case 4:
      return "[" + sub() + "," + sub() + "]";
    default: {
      const auto op =
          *rc::gen::elementOf(std::vector<std::string>{"+", "-", "*", "/", "//", "%", "**", "<", "==", "and", "or"});
      return "(" + sub() + ") " + op + " (" + sub() + ")";
    }
  }
}

TEST(Expression, CanonicalTextRoundTrips) {
  rc::check([] {
    const auto expression = Expression::parse(random_text(*rc::gen::inRange(0, 5)));
    RC_ASSERT(expression.has_value());
    const auto again = Expression::parse(expression->canonical());
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->canonical() == expression->canonical());
    const auto value = expression->evaluate(scope()), other = again->evaluate(scope());
    RC_ASSERT(value.has_value() == other.has_value());
    if (value) RC_ASSERT(*value == *other);
  });
}

TEST(Expression, AnyBytesAreReadOrRefused) {
  rc::check([](const std::string& text) { std::ignore = Expression::parse(text); });
}

}  // namespace
}  // namespace hone::task
