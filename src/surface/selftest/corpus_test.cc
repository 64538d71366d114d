#include "surface/selftest/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "surface/selftest/cheats.h"

namespace hone::cli {
namespace {

using campaign::Outcome;
using testing::HasSubstr;

Result<std::vector<Specimen>> read_one(std::string_view text, std::string_view path = "axpy/cheats/a.cpp") {
  const CorpusFile file{path, text};
  return read_corpus({&file, 1});
}

constexpr std::string_view k_whole =
    "// Does one thing\n// and another.\n// class: replay\n// ask: compare\n"
    "// expect: NOT_FASTER | INCORRECT_NUMERICAL (outside the error bound)\n// cores: 2\n// layer: mount-namespace\n"
    "\n// class: not part of the opening\nint x;\n";

TEST(Corpus, AFileSaysWhatItDoesAndWhatMustComeOfIt) {
  const auto read = read_one(k_whole);
  ASSERT_TRUE(read) << to_text(read.error());
  const Specimen& specimen = read->front();
  EXPECT_EQ(specimen.id, "axpy/a");
  EXPECT_EQ(specimen.says, "Does one thing and another.");
  EXPECT_EQ(specimen.group, "replay");
  EXPECT_EQ(specimen.question, campaign::Question::compare);
  EXPECT_EQ(to_text(specimen.expected), "NOT_FASTER or INCORRECT_NUMERICAL (outside the error bound)");
  EXPECT_EQ(specimen.cores, 2);
  EXPECT_EQ(specimen.layer, sandbox::Layer::mount_namespace);
  EXPECT_EQ(specimen.text, k_whole);
}

TEST(Corpus, AFileMayBringLinesOfItsVariant) {
  const auto read = read_one(
      "// Does.\n// class: a\n// expect: TIMEOUT\n// variant: options = [\"O3\"]\n// variant: [values]\nint x;\n");
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->front().variant, "schema = \"variant/1\"\noptions = [\"O3\"]\n[values]\n");
  EXPECT_EQ(read_one(k_whole)->front().variant, "") << "the task's own";
}

TEST(Corpus, AFileThatDoesNotSaySoIsRefused) {
  for (const char* text :
       {"int x;\n", "// Does.\n// class: a\n", "// Does.\n// expect: CORRECT\n", "// class: a\n// expect: CORRECT\n",
        "// Does.\n// class: a\n// expect: PERHAPS\n", "// Does.\n// class: a\n// expect: TIMEOUT (deadline\n",
        "// Does.\n// class: a\n// ask: measure\n// expect: CORRECT\n",
        "// Does.\n// class: a\n// cores: two\n// expect: CORRECT\n",
        "// Does.\n// class: a\n// layer: onion\n// expect: CORRECT\n"}) {
    const auto read = read_one(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().what, HasSubstr("axpy/a")) << text;
  }
}

TEST(Corpus, FilesOfTheTasksThemselvesAreNoSpecimens) {
  for (const char* path : {"axpy/kernel.cpp", "README.md", "axpy/other/a.cpp"}) {
    const auto read = read_one("int x;\n", path);
    ASSERT_TRUE(read) << path;
    EXPECT_TRUE(read->empty()) << path;
  }
}

TEST(Corpus, AnAnswerMustBeTheOneForItsReason) {
  const Specimen specimen = read_one(k_whole)->front();
  campaign::Verdict verdict;
  verdict.outcome = Outcome::incorrect_numerical;
  verdict.reason = "outside the error bound";
  EXPECT_TRUE(is_expected(specimen, verdict));
  verdict.reason = "not a number, or never written";
  EXPECT_FALSE(is_expected(specimen, verdict));
  verdict.outcome = Outcome::not_faster;
  EXPECT_TRUE(is_expected(specimen, verdict)) << "without a reason any will do";
  verdict.outcome = Outcome::faster;
  EXPECT_FALSE(is_expected(specimen, verdict));
}

TEST(Corpus, TheOneInTheBinaryIsWhole) {
  const auto read = read_corpus(corpus_files());
  ASSERT_TRUE(read) << to_text(read.error());
  std::set<std::string> ids, groups;
  size_t cheats = 0;
  for (const Specimen& specimen : *read) {
    ids.insert(specimen.task + "/" + std::string(name_of(specimen.kind)) + specimen.id);
    const bool cheat = specimen.kind == Specimens::cheats;
    cheats += cheat ? 1 : 0;
    if (cheat) groups.insert(specimen.group);
    for (const Expected& expected : specimen.expected)
      EXPECT_EQ(expected.outcome == Outcome::correct || expected.outcome == Outcome::faster, !cheat) << specimen.id;
  }
  EXPECT_EQ(ids.size(), read->size());
  EXPECT_GE(cheats, 250u);
  EXPECT_GE(read->size() - cheats, 85u);
  EXPECT_GE(groups.size(), 10u);
}

// Those of a GPU are asked about on few machines, so that nobody would miss them.
TEST(Corpus, TheOneInTheBinaryHasKernelsOfEveryLanguage) {
  const auto read = read_corpus(corpus_files());
  ASSERT_TRUE(read) << to_text(read.error());
  const auto count = [&](std::string_view task, Specimens kind) {
    return std::count_if(read->begin(), read->end(),
                         [&](const Specimen& one) { return one.task == task && one.kind == kind; });
  };
  EXPECT_GE(count("cuda", Specimens::cheats), 95);
  EXPECT_GE(count("cuda", Specimens::honest), 25);
  EXPECT_GE(count("linear", Specimens::cheats), 7);
  EXPECT_GE(count("linear", Specimens::honest), 2);
  EXPECT_GE(count("packed", Specimens::cheats), 7);
  EXPECT_GE(count("packed", Specimens::honest), 2);
  EXPECT_GE(count("opencl", Specimens::cheats), 20);
  EXPECT_GE(count("opencl", Specimens::honest), 7);
}

TEST(CheatsReport, NamesWhatWasNotRejectedAndWhatItShouldHaveBeen) {
  CheatsDocument document;
  document.rows = {
      {"axpy/a", "cheats", "replay", "Keeps.", "INCORRECT_NUMERICAL", "FASTER", "", "", CheatAnswer::unexpected, 2}};
  document.cheats = 1;
  document.skipped = 2;
  const std::string text = to_text(document);
  EXPECT_THAT(text, HasSubstr("axpy/a: Keeps.\n  expected INCORRECT_NUMERICAL"));
  EXPECT_THAT(text, HasSubstr("0 of 1 cheats rejected for their reason, 0 of 0 honest candidates passed, 2 skipped"));
  EXPECT_THAT(text, HasSubstr("FAILED"));
}

}  // namespace
}  // namespace hone::cli
