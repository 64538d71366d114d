// The worked example of docs/log.md is a log.
#include "base/json.h"
#include "record/testing/sample_log.h"

namespace hone::record {
namespace {

using DocsTest = testing::LogTest;

// What stands between ```jsonl and ``` in a page.
std::string example_in(const fs::path& page) {
  constexpr std::string_view k_begin = "```jsonl\n";
  const auto text = read_file(page);
  if (!text) return "";
  const size_t begin = text->find(k_begin);
  if (begin == std::string::npos) return "";
  const size_t end = text->find("```", begin + k_begin.size());
  return text->substr(begin + k_begin.size(), end - begin - k_begin.size());
}

TEST_F(DocsTest, TheExampleIsAGoodLogByteForByte) {
  const std::string example = example_in(fs::path(HONE_SOURCE_DIR) / "docs" / "log.md");
  ASSERT_FALSE(example.empty());
  testing::put_bytes(path_, example);
  std::string again;
  Digest previous;
  const auto content = read_log(path_, [&](std::string_view line, uint64_t) -> Status {
    HONE_CHECK(json::parse(line));
    HONE_TRY(const auto sealed, seal(body_of(line), previous));
    again += sealed.text;
    previous = sealed.hash;
    return ok();
  });
  ASSERT_TRUE(content) << to_text(content.error());
  EXPECT_EQ(content->head.lines, 3u);
  EXPECT_EQ(content->torn, "");
  EXPECT_EQ(again, example);
}

}  // namespace
}  // namespace hone::record
