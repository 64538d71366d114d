#include "record/log_line.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace hone::record {
namespace {

// The object {"a":"xxx…"} that makes a line of exactly `line_bytes` with its newline.
std::string body_for_line_of(size_t line_bytes) {
  const size_t empty_line = seal(R"({"a":""})", Digest{})->text.size();
  return R"({"a":")" + std::string(line_bytes - empty_line, 'x') + R"("})";
}

TEST(LogLine, HashCoversBodyAndPrev) {
  const auto line = seal(R"({"seq":1})", Digest{});
  ASSERT_TRUE(line);
  const std::string hashed = R"({"seq":1,"prev":")" + std::string(64, '0') + "\"";
  EXPECT_EQ(line->hash, sha256(hashed));
  EXPECT_EQ(line->text, hashed + R"(,"hash":")" + line->hash.hex() + "\"}\n");
}

TEST(LogLine, IsJsonAgain) {
  const auto line = seal(R"({"text":"{\"}\",\"hash\":\"","n":[1,{"x":2}]})", sha256("before"));
  ASSERT_TRUE(line);
  const auto parsed = json::parse(line->text.substr(0, line->text.size() - 1));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(std::string((*parsed)["prev"].GetString()), sha256("before").hex());
  EXPECT_EQ(std::string((*parsed)["hash"].GetString()), line->hash.hex());
}

TEST(LogLine, ComesApartAgain) {
  const std::string body = R"({"seq":1,"x":"ä"})";
  const auto line = seal(body, sha256("p"));
  const std::string_view text = std::string_view(line->text).substr(0, line->text.size() - 1);
  const auto chain = chain_of(text);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->prev, sha256("p").hex());
  EXPECT_EQ(chain->hash, line->hash.hex());
  EXPECT_EQ(sha256(chain->hashed), line->hash);
  EXPECT_EQ(body_of(text), body);
}

TEST(LogLine, DifferentPredecessorsGiveDifferentHashes) {
  EXPECT_NE(seal(R"({"a":1})", Digest{})->hash, seal(R"({"a":1})", sha256("x"))->hash);
}

TEST(LogLine, MayBeAsLongAsTheLimitAndNoLonger) {
  const auto longest = seal(body_for_line_of(k_max_line_bytes), Digest{});
  ASSERT_TRUE(longest);
  EXPECT_EQ(longest->text.size(), k_max_line_bytes);
  const auto longer = seal(body_for_line_of(k_max_line_bytes + 1), Digest{});
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, ErrorCode::internal);
  EXPECT_NE(longer.error().what.find("more goes to a blob"), std::string::npos);
}

class BadBody : public testing::TestWithParam<const char*> {};

TEST_P(BadBody, IsRefused) {
  const auto line = seal(GetParam(), Digest{});
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, ErrorCode::internal);
}

INSTANTIATE_TEST_SUITE_P(All, BadBody,
                         testing::Values("", "{}", "[1]", "1", "{\"a\":1", "{\"a\":1}\n", "{\"a\":\n1}", " {\"a\":1}",
                                         "{\"a\":1} ", "{\"a\":1}{\"b\":2}", "{\"prev\":1}", "{\"a\":1,\"hash\":\"x\"}",
                                         "{\"a\":NaN}", "{\"a\":\"\xff\"}"));

TEST(LogLine, WhatDoesNotEndInAChainHasNone) {
  const std::string good = seal(R"({"seq":1})", Digest{})->text;
  const std::string_view line = std::string_view(good).substr(0, good.size() - 1);
  EXPECT_FALSE(chain_of(""));
  EXPECT_FALSE(chain_of("{}"));
  EXPECT_FALSE(chain_of(line.substr(0, line.size() - 1)));
  EXPECT_FALSE(chain_of(std::string(line) + " "));
  EXPECT_FALSE(chain_of(std::string(200, 'x')));
  EXPECT_EQ(body_of("no chain"), "no chain");
}

}  // namespace
}  // namespace hone::record
