#include "base/text.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

TEST(Text, HumanNumbersKeepThreeDigits) {
  EXPECT_EQ(human_time(0.00123), "1.23 ms");
  EXPECT_EQ(human_time(0.0009999), "1.00 ms");
  EXPECT_EQ(human_time(12.34e-6), "12.3 µs");
  EXPECT_EQ(human_time(5e-10), "0.50 ns");
  EXPECT_EQ(human_time(75), "75.0 s");
  EXPECT_EQ(human_bytes(100), "100 B");
  EXPECT_EQ(human_bytes(8 << 20), "8.00 MiB");
  EXPECT_EQ(human_rate(12.3e9, "B/s"), "12.3 GB/s");
  EXPECT_EQ(signed_percent(-0.0312), "-3.1 %");
}

TEST(Text, SuggestsOnlyWhatIsClose) {
  const std::vector<std::string> known{"compare", "measure", "verify"};
  EXPECT_EQ(suggestion("comapre", known), "compare");
  EXPECT_EQ(suggestion("verfy", known), "verify");
  EXPECT_EQ(suggestion("banana", known), "");
  EXPECT_EQ(did_you_mean("mesure", known), ", did you mean 'measure'?");
}

TEST(Text, UntrustedTextLosesItsTeeth) {
  EXPECT_EQ(quote_untrusted("a\x1b[31mb\rc\x7f", 100), "a\\x1b[31mb\\x0dc\\x7f");
  EXPECT_EQ(quote_untrusted("tab\tnew\nline é", 100), "tab\tnew\nline é");
  EXPECT_EQ(quote_untrusted("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", 100),
            "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(quote_untrusted(std::string(50, 'x'), 10), std::string(10, 'x') + "\n[40 more bytes cut]");
}

TEST(Text, SplitJoinTrim) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\nb\n"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(split_lines("").empty());
  EXPECT_EQ(trim(" \t x y \n"), "x y");
  EXPECT_EQ(trim("  "), "");
}

TEST(Text, CountsAreInPlainWords) {
  EXPECT_EQ(counted(0, "error"), "0 errors");
  EXPECT_EQ(counted(1, "open question"), "1 open question");
  EXPECT_EQ(counted(2, "case"), "2 cases");
}

TEST(Text, TableAlignsByCharactersNotBytes) {
  EXPECT_EQ(align_table({{"µs", "b"}, {"long", "c"}}), "µs    b\nlong  c\n");
}

TEST(ShellWord, IsTakenApartBackToItself) {
  EXPECT_EQ(shell_word("plain/path-1.hone"), "plain/path-1.hone");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("with space"), "'with space'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
}

}  // namespace
}  // namespace hone
