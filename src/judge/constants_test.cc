#include "judge/constants.h"

#include <gtest/gtest.h>

#include <set>

#include "base/disk.h"
#include "base/hash.h"
#include "base/text.h"
#include "stats/rule.h"

namespace hone::judge {
namespace {

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (const std::string& line : split_lines(text)) names.insert(line.substr(0, line.find('=')));
  return names;
}

// Numeric constants as they stand in the header: "inline constexpr TYPE k_NAME = …".
std::set<std::string> names_in_header() {
  std::set<std::string> names;
  const auto header = read_file(fs::path(HONE_SOURCE_DIR) / "src/judge/constants.h");
  for (const std::string& line : split_lines(header.value_or(""))) {
    const size_t at = line.find(" k_");
    if (!line.starts_with("inline constexpr ") || line.find("string_view") != std::string::npos) continue;
    names.insert(line.substr(at + 3, line.find(" =") - at - 3));
  }
  return names;
}

TEST(Constants, EveryOneOfTheTableIsInTheText) {
  const auto written = names_in(constants_text());
  const auto declared = names_in_header();
  EXPECT_GE(declared.size(), 30u);
  for (const std::string& name : declared) EXPECT_TRUE(written.contains(name)) << name;
}

TEST(Constants, TheTextHoldsValuesNotBytes) {
  const std::string text = constants_text();
  EXPECT_NE(text.find("bound_factor=4\n"), std::string::npos);
  EXPECT_NE(text.find("disturbed_fraction=0.05\n"), std::string::npos);
  EXPECT_NE(text.find("rule.delta_fraction=0.01\n"), std::string::npos);
  EXPECT_NE(text.find("rule.look=12 0.001\n"), std::string::npos);
  EXPECT_NE(text.find("rule.look=48 0.006\n"), std::string::npos);
}

TEST(Constants, NoNameStandsTwice) {
  const std::string text = constants_text();
  size_t lines = 0;
  for (const std::string& line : split_lines(text)) lines += line.starts_with("rule.look") ? 0 : 1;
  EXPECT_EQ(names_in(text).size(), lines + 1);
}

TEST(RuleDigest, IsOverVersionAndText) {
  EXPECT_EQ(rule_digest(), Sha256().add_field(k_judge_version).add_field(constants_text()).finish().hex());
  EXPECT_EQ(rule_digest(), rule_digest());
}

}  // namespace
}  // namespace hone::judge
