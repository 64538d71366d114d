// The worked example of docs/script.md is a script.
#include <gtest/gtest.h>

#include "base/disk.h"
#include "propose/script.h"

namespace hone::propose {
namespace {

// What stands between ```jsonl and ``` in the page.
std::string example() {
  constexpr std::string_view k_begin = "```jsonl\n";
  const std::string page = read_file(fs::path(HONE_SOURCE_DIR) / "docs/script.md").value_or("");
  const size_t begin = page.find(k_begin);
  if (begin == std::string::npos) return "";
  return page.substr(begin + k_begin.size(), page.find("```", begin + k_begin.size()) - begin - k_begin.size());
}

Result<std::unique_ptr<Proposer>> read_text(const std::string& text) {
  HONE_TRY(const TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-script-"));
  Disk disk;
  HONE_CHECK(write_file(disk, folder.path() / "script.jsonl", text));
  return make_script(folder.path() / "script.jsonl");
}

std::optional<Plan> plan_of(Proposer& script, uint64_t turn) {
  Brief brief;
  brief.turn = turn;
  return script.plan(brief).value_or(std::nullopt);
}

TEST(ScriptPage, ItsExampleIsAScript) {
  const auto script = read_text(example());
  ASSERT_TRUE(script) << to_text(script.error());
  const auto first = plan_of(**script, 1);
  const auto second = plan_of(**script, 2);
  ASSERT_TRUE(first && second && plan_of(**script, 3));
  EXPECT_EQ(first->group, "script/1");
  EXPECT_EQ(first->hypothesis, "as the script says");
  EXPECT_EQ(first->change, "blocks of 8");
  EXPECT_EQ(second->tier, 3);
  EXPECT_EQ(second->group, "optimisation");
}

TEST(ScriptPage, EndsAfterItsLastLine) {
  const auto script = read_text(example());
  ASSERT_TRUE(script);
  EXPECT_FALSE(plan_of(**script, 4));
}

TEST(ScriptPage, AnUnknownKeyIsRefusedWithItsLine) {
  const auto script = read_text(example() + "{\"tier\":1,\"change\":\"x\",\"value\":{}}\n");
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().code, ErrorCode::contract);
  EXPECT_EQ(script.error().where.line, 4u);
}

}  // namespace
}  // namespace hone::propose
