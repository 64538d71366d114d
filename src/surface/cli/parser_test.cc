// Command lines: what is taken, and what is refused with which words.
#include "surface/cli/parser.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/testing/golden.h"
#include "surface/cli/commands.h"

namespace hone::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr ArgumentRow k_arguments[] = {{"FROM", true, false, "where from"}, {"TO", false, true, "where to"}};
constexpr OptionRow k_options[] = {{"--time", "DURATION", "40s", "how long"}, {"--force", "", "", "do it anyway"}};

Result<int> do_nothing(Context&) { return 0; }

const std::vector<Command>& commands() {
  static const std::vector<Command> all{{"move", "Moves a thing", "More about it.", k_arguments, k_options, do_nothing},
                                        {"stay", "Does not", "", {}, {}, do_nothing}};
  return all;
}

Result<Parsed> words(const std::vector<std::string>& typed) { return parse(commands(), typed); }

std::string refusal(const std::vector<std::string>& typed) {
  const auto parsed = words(typed);
  if (parsed) return "(accepted)";
  EXPECT_EQ(parsed.error().code, ErrorCode::usage);
  return to_text(parsed.error());
}

TEST(Parser, TakesArgumentsAndOptionsInAnyOrder) {
  const auto parsed = words({"move", "--time", "5m", "here", "--force", "there", "and-there"});
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->command->name, "move");
  EXPECT_EQ(parsed->arguments.text("FROM"), "here");
  EXPECT_EQ(parsed->arguments.all("TO"), (std::vector<std::string>{"there", "and-there"}));
  EXPECT_EQ(parsed->arguments.text("time"), "5m");
  EXPECT_TRUE(parsed->arguments.has("force"));
}

TEST(Parser, WhatWasNotTypedIsAbsent) {
  const auto parsed = words({"move", "here"});
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->arguments.has("time"));
  EXPECT_FALSE(parsed->arguments.has("force"));
  EXPECT_FALSE(parsed->arguments.has("json"));
  EXPECT_TRUE(parsed->arguments.all("TO").empty());
}

TEST(Parser, TheLastOfARepeatedOptionCounts) {
  const auto parsed = words({"move", "here", "--time", "1s", "--time=2s"});
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->arguments.text("time"), "2s");
}

TEST(Parser, CommonOptionsAreEverywhere) {
  const auto parsed = words({"stay", "--json", "-C", "folder"});
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_TRUE(parsed->arguments.has("json"));
  EXPECT_EQ(parsed->arguments.text("C"), "folder");
}

TEST(Parser, WordsAfterTwoDashesAreArguments) {
  const auto parsed = words({"move", "--", "--time"});
  ASSERT_TRUE(parsed) << to_text(parsed.error());
  EXPECT_EQ(parsed->arguments.text("FROM"), "--time");
}

TEST(Parser, AnUnknownOptionGetsASuggestion) {
  EXPECT_THAT(refusal({"move", "here", "--tine", "5m"}), HasSubstr("unknown option '--tine', did you mean '--time'?"));
}

TEST(Parser, OptionsAreNeverAbbreviated) {
  EXPECT_THAT(refusal({"move", "here", "--forc"}), HasSubstr("unknown option '--forc'"));
  EXPECT_THAT(refusal({"move", "here", "--t", "5m"}), HasSubstr("unknown option '--t'"));
}

TEST(Parser, CommandsAreNeverAbbreviated) {
  EXPECT_THAT(refusal({"mov", "here"}), HasSubstr("unknown command 'mov', did you mean 'move'?"));
}

TEST(Parser, AMissingArgumentIsNamed) { EXPECT_THAT(refusal({"move"}), HasSubstr("FROM")); }

TEST(Parser, AnOptionWithoutItsValueIsNamed) { EXPECT_THAT(refusal({"move", "here", "--time"}), HasSubstr("--time")); }

TEST(Parser, AFlagTakesNoValue) { EXPECT_THAT(refusal({"move", "here", "--force=loud"}), Not(HasSubstr("accepted"))); }

TEST(Parser, OneArgumentTooManyIsShown) {
  EXPECT_THAT(refusal({"stay", "there"}), HasSubstr("'there' is one argument too many"));
}

TEST(Parser, EveryRefusalSaysWhereToLook) {
  for (const std::vector<std::string>& typed :
       std::vector<std::vector<std::string>>{{"move"}, {"mov"}, {"stay", "--x"}, {"stay", "y"}})
    EXPECT_THAT(refusal(typed), HasSubstr("--help"));
}

TEST(Parser, HelpNamesEveryArgumentOptionAndDefault) {
  for (const std::vector<std::string>& typed :
       std::vector<std::vector<std::string>>{{"move", "--help"}, {"help", "move"}}) {
    const auto parsed = words(typed);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->command, nullptr);
    for (const char* part : {"usage: hone move FROM [TO...] [options]", "--time DURATION", "(default: 40s)", "--force",
                             "--json", "-C DIR", "More about it."})
      EXPECT_THAT(parsed->help, HasSubstr(part));
  }
}

TEST(Parser, NothingTypedShowsTheCommands) {
  const auto parsed = words({});
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->help, HasSubstr("hone move"));
  EXPECT_THAT(parsed->help, HasSubstr("Exit status"));
}

TEST(Parser, VersionIsOneLine) {
  const auto parsed = words({"--version"});
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->help, std::string("hone ") + HONE_VERSION + "\n");
}

TEST(ParsedArguments, DurationsHaveUnits) {
  const auto duration = [](const std::string& text) {
    Arguments arguments;
    arguments.add("time", text);
    const auto value = arguments.duration("time");
    return value ? std::optional(**value) : std::nullopt;
  };
  EXPECT_EQ(duration("300ms"), std::chrono::milliseconds(300));
  EXPECT_EQ(duration("40s"), std::chrono::seconds(40));
  EXPECT_EQ(duration("5m"), std::chrono::minutes(5));
  EXPECT_EQ(duration("1.5h"), std::chrono::minutes(90));
  for (const char* odd : {"", "40", "s", "-1s", "1 s", "1d", "infs", "nans"})
    EXPECT_EQ(duration(odd), std::nullopt) << odd;
}

TEST(ParsedArguments, CountsAreWholeNumbers) {
  const auto count = [](const std::string& text) {
    Arguments arguments;
    arguments.add("last", text);
    return arguments.count("last");
  };
  EXPECT_EQ(**count("0"), 0u);
  EXPECT_EQ(**count("18446744073709551615"), UINT64_MAX);
  for (const char* odd : {"", "-1", "1.5", "1e3", "18446744073709551616", "5 "}) EXPECT_FALSE(count(odd)) << odd;
}

// ---- the real commands

TEST(AllCommands, AreInTheManual) {
  testing::expect_golden(fs::path(HONE_SOURCE_DIR) / "docs/commands.md", manual(all_commands()));
}

TEST(AllCommands, HaveNamesSummariesAndOptionsOnce) {
  std::vector<std::string_view> names;
  for (const Command& command : all_commands()) {
    names.push_back(command.name);
    EXPECT_FALSE(command.summary.empty() || command.summary.ends_with(".")) << command.name;
    EXPECT_NE(command.run, nullptr) << command.name;
    std::vector<std::string_view> options;
    for (const OptionRow& row : command.options) options.push_back(row.name);
    for (const OptionRow& row : common_options()) options.push_back(row.name);
    std::sort(options.begin(), options.end());
    EXPECT_EQ(std::adjacent_find(options.begin(), options.end()), options.end()) << command.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(AllCommands, SayWhereTheirDefaultsComeFrom) {
  for (const Command& command : all_commands()) {
    for (const OptionRow& row : command.options)
      EXPECT_EQ(row.fallback.empty(), row.origin.empty()) << command.name << " " << row.name;
  }
}

}  // namespace
}  // namespace hone::cli
