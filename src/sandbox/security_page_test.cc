// The tables of SECURITY.md are made from the code: this test writes them (HONE_REBASE=1) or holds them to what the
// code says. Each stands between a line `<!-- from the code: NAME -->` and a line `<!-- end -->`.
#include <fmt/format.h>

#include "base/testing/golden.h"
#include "base/text.h"
#include "sandbox/layers.h"
#include "sandbox/profile.h"
#include "sandbox/seccomp.h"

namespace hone::sandbox {
namespace {

std::string layers_table() {
  std::string text = "| layer | what it does | without it |\n| --- | --- | --- |\n";
  for (const LayerRow& row : layer_rows())
    text += fmt::format("| {} | {} | {} |\n", name_of(row.layer), row.gives, row.without);
  return text;
}

std::string amount(const std::optional<uint64_t>& bytes, std::string_view absent) {
  return bytes ? human_bytes(*bytes) : std::string(absent);
}

std::string profiles_table() {
  std::string text =
      "| profile | calls | `/tmp` | memory | processor time | one file | descriptors | processes |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ProfileRow& row : profiles()) {
    const Limits& limits = row.limits;
    // Drivers map address space without end; what candidates take of a device is counted by the judge.
    const bool has_driver = row.profile == Profile::launcher || row.profile == Profile::sanitizer;
    const char* no_limit = has_driver ? "none" : "the task's `[limits]`";
    text += fmt::format("| {} | {} | {} | {} | {} s | {} | {} | {} |\n", name_of(row.profile), name_of(row.rules),
                        amount(row.tmp_bytes, "none"), amount(limits.address_space_bytes, no_limit), limits.cpu_seconds,
                        human_bytes(limits.file_bytes), limits.open_files, limits.processes);
  }
  return text;
}

std::string calls_list(Rules rules) {
  std::string text;
  for (const AllowedCalls& row : allowed_calls(rules))
    text += fmt::format("- {}: {}\n", row.purpose, join(row.calls, ", "));
  return text;
}

std::string with_section(const std::string& page, const std::string& name, const std::string& content) {
  const std::string start = fmt::format("<!-- from the code: {} -->\n", name);
  const size_t from = page.find(start);
  const size_t to = page.find("<!-- end -->", from);
  EXPECT_NE(to, std::string::npos) << name << " has no place in the page";
  if (to == std::string::npos) return page;
  return page.substr(0, from) + start + content + page.substr(to);
}

TEST(SecurityPage, ItsTablesAreTheCodes) {
  const fs::path file = fs::path(HONE_SOURCE_DIR) / "SECURITY.md";
  std::string page = read_file(file).value_or("");
  page = with_section(page, "layers", layers_table());
  page = with_section(page, "profiles", profiles_table());
  page = with_section(page, "calls of a runner", calls_list(Rules::runner));
  page = with_section(page, "calls of a build", calls_list(Rules::build));
  testing::expect_golden(file, page);
}

TEST(SecurityPage, EveryLayerHasItsWords) {
  ASSERT_EQ(layer_rows().size(), std::size(EnumNames<Layer>::table));
  for (const auto& named : EnumNames<Layer>::table) {
    const LayerRow& row = row_of(named.value);
    EXPECT_EQ(row.layer, named.value);
    for (const std::string_view words : {row.gives, row.without, row.remedy}) EXPECT_FALSE(words.empty()) << named.name;
  }
}

}  // namespace
}  // namespace hone::sandbox
