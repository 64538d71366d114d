// The worked example of docs/tape.md is a tape.
#include <gtest/gtest.h>

#include "base/disk.h"
#include "execute/tape.h"

namespace hone::execute {
namespace {

// What stands between ```jsonl and ``` in the page.
std::string example() {
  constexpr std::string_view k_begin = "```jsonl\n";
  const std::string page = read_file(fs::path(HONE_SOURCE_DIR) / "docs/tape.md").value_or("");
  const size_t begin = page.find(k_begin);
  if (begin == std::string::npos) return "";
  return page.substr(begin + k_begin.size(), page.find("```", begin + k_begin.size()) - begin - k_begin.size());
}

Result<Tape> read_text(const std::string& text) {
  HONE_TRY(const TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-tape-"));
  Disk disk;
  HONE_CHECK(write_file(disk, folder.path() / "tape.jsonl", text));
  return read_tape(folder.path() / "tape.jsonl");
}

TEST(TapePage, ItsExampleIsATape) {
  const auto tape = read_text(example());
  ASSERT_TRUE(tape) << to_text(tape.error());
  EXPECT_EQ(tape->identity.name, "tape CPU");
  ASSERT_EQ(tape->lines.size(), 5u);
  EXPECT_EQ(tape->lines[0].candidate, "*");
  EXPECT_EQ(tape->lines[1].times_ns->size(), 2u);
  EXPECT_EQ(tape->lines[2].case_id, "big");
  EXPECT_EQ(tape->lines[4].verify, "COMPILE_ERROR");
}

TEST(TapePage, AnUnknownKeyIsRefusedWithItsLine) {
  const auto tape = read_text(example() + "{\"candidate\":\"*\",\"times\":[[1]]}\n");
  ASSERT_FALSE(tape);
  EXPECT_EQ(tape.error().code, ErrorCode::contract);
  EXPECT_EQ(tape.error().where.line, 7u);
}

TEST(TapePage, AnUnknownOutcomeIsRefusedWithItsLine) {
  const auto tape = read_text(example() + "\n{\"candidate\":\"*\",\"verify\":\"CORECT\"}\n");
  ASSERT_FALSE(tape);
  EXPECT_EQ(tape.error().code, ErrorCode::contract);
  EXPECT_EQ(tape.error().where.line, 8u);
  EXPECT_NE(tape.error().what.find("CORECT"), std::string::npos);
}

TEST(TapePage, ALineMustSayOfWhomItSpeaks) {
  const auto tape = read_text(example() + "{\"times_ns\":[[1]]}\n");
  ASSERT_FALSE(tape);
  EXPECT_EQ(tape.error().where.line, 7u);
}

TEST(TapePage, WithoutADeviceItIsNone) { EXPECT_FALSE(read_text("{\"candidate\":\"*\",\"times_ns\":[[1]]}\n")); }

}  // namespace
}  // namespace hone::execute
