#include "task/candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Task scale() { return *TaskFolder(scale_files()).read().task; }

std::vector<CandidateFile> two_files() { return {{"a.h", false, "alpha"}, {"b.cpp", false, "beta"}}; }

// The digest names candidates in logs and reports: these bytes may not change.
TEST(Candidate, DigestIsStable) {
  EXPECT_EQ(make_candidate(two_files(), {}).digest.hex(),
            "35c80fbc8fa416788a0281d22f65c08be3c8529d94b04f35e61a8d8dc52a77f6");
  EXPECT_EQ(make_candidate(two_files(), {{{"BLOCK", "64"}}, {"O3"}}).digest.hex(),
            "aea003fd24f4d1de94d69d935327e474578317d11288fab2c0feb912fa9b102f");
}

TEST(Candidate, DigestForgetsTheOrder) {
  auto files = two_files();
  std::swap(files[0], files[1]);
  EXPECT_EQ(make_candidate(files, {}).digest, make_candidate(two_files(), {}).digest);
  EXPECT_EQ(make_candidate(files, {}).files[0].path, "a.h");
  EXPECT_EQ(make_candidate(two_files(), {{}, {"O3", "march-native"}}).digest,
            make_candidate(two_files(), {{}, {"march-native", "O3"}}).digest);
}

TEST(Candidate, DigestRemembersPathModeBytesAndChoices) {
  const Digest plain = make_candidate(two_files(), {}).digest;
  auto files = two_files();
  files[0].executable = true;
  EXPECT_NE(make_candidate(files, {}).digest, plain);
  files = two_files();
  files[0].path = "c.h";
  EXPECT_NE(make_candidate(files, {}).digest, plain);
  files = two_files();
  files[0].bytes = "alphab";
  files[1].bytes = "eta";
  EXPECT_NE(make_candidate(files, {}).digest, plain);
  EXPECT_NE(make_candidate(two_files(), {{{"BLOCK", "64"}}, {}}).digest, plain);
  EXPECT_NE(make_candidate(two_files(), {{}, {"O3"}}).digest, plain);
}

TEST(Candidate, WithVariantKeepsTheFiles) {
  const Candidate plain = make_candidate(two_files(), {});
  const Candidate other = with_variant(plain, {{}, {"O3"}});
  EXPECT_EQ(other.find("a.h")->bytes, "alpha");
  EXPECT_EQ(other.find("none"), nullptr);
  EXPECT_EQ(with_variant(other, {}).digest, plain.digest);
}

TEST(ReadCandidate, NoVariantFileIsTheDefaultOne) {
  const TaskFolder folder(scale_files());
  const Task task = *folder.read().task;
  const auto absent = read_candidate(task, folder.path());
  ASSERT_TRUE(absent) << to_text(absent.error());
  folder.write("notes.txt", "not the candidate's");
  folder.write("variant.toml", canonical_text({}));
  EXPECT_EQ(read_candidate(task, folder.path())->digest, absent->digest);
  folder.write("variant.toml", "schema = 'variant/1'\n[values]\nBLOCK = 128\n");  // the default, spelled out
  EXPECT_EQ(read_candidate(task, folder.path())->digest, absent->digest);
  folder.write("variant.toml", "schema = 'variant/1'\n[values]\nBLOCK = 64\n");
  EXPECT_NE(read_candidate(task, folder.path())->digest, absent->digest);
}

TEST(ReadCandidate, TheExecutableBitCounts) {
  const TaskFolder folder(scale_files());
  const Task task = *folder.read().task;
  const Digest before = read_candidate(task, folder.path())->digest;
  ASSERT_EQ(chmod((folder.path() / "kernel.cpp").c_str(), 0755), 0);
  EXPECT_NE(read_candidate(task, folder.path())->digest, before);
  ASSERT_EQ(chmod((folder.path() / "kernel.cpp").c_str(), 0600), 0);
  EXPECT_EQ(read_candidate(task, folder.path())->digest, before);
}

TEST(ReadCandidate, RefusesWhatIsNoPlainFile) {
  const TaskFolder folder(scale_files());
  const Task task = *folder.read().task;
  const fs::path kernel = folder.path() / "kernel.cpp";
  folder.write("kernel.cpp", std::string(k_candidate_file_limit_bytes, 'x'));
  EXPECT_TRUE(read_candidate(task, folder.path()));
  folder.write("kernel.cpp", std::string(k_candidate_file_limit_bytes + 1, 'x'));
  EXPECT_THAT(to_text(read_candidate(task, folder.path()).error()), HasSubstr("more than the limit"));
  fs::remove(kernel);
  EXPECT_THAT(to_text(read_candidate(task, folder.path()).error()), HasSubstr("does not exist"));
  fs::create_symlink("reference.cpp", kernel);
  EXPECT_THAT(to_text(read_candidate(task, folder.path()).error()), HasSubstr("symbolic link"));
  fs::remove(kernel);
  ASSERT_EQ(mkfifo(kernel.c_str(), 0600), 0);
  EXPECT_THAT(to_text(read_candidate(task, folder.path()).error()), HasSubstr("not a regular file"));
}

TEST(ReadCandidate, ALinkedVariantIsRefused) {
  const TaskFolder folder(scale_files());
  const Task task = *folder.read().task;
  folder.write("elsewhere.toml", canonical_text({}));
  fs::create_symlink("elsewhere.toml", folder.path() / "variant.toml");
  EXPECT_THAT(to_text(read_candidate(task, folder.path()).error()), HasSubstr("symbolic link"));
  fs::remove(folder.path() / "elsewhere.toml");
  EXPECT_FALSE(read_candidate(task, folder.path()));  // a dangling link is not an absent file
}

// ---- variants
// ---------------------------------------------------------------------------------------------------------

TEST(Variant, CanonicalTextIsStable) {
  EXPECT_EQ(canonical_text({}), "schema = \"variant/1\"\noptions = []\n");
  EXPECT_EQ(
      canonical_text({{{"B", "1.5"}, {"A", "7"}, {"C", "007"}}, {"O3", "march-native"}}),
      "schema = \"variant/1\"\noptions = [\"O3\", \"march-native\"]\n\n[values]\nA = 7\nB = \"1.5\"\nC = \"007\"\n");
}

TEST(Variant, RoundTripsOverEveryLegalChoice) {
  const Task task = scale();
  for (const std::string& block : task.parameters[0].values) {
    for (const std::string& items : task.parameters[1].values) {
      const Variant variant = normal(task, {{{"BLOCK", block}, {"ITEMS", items}}, {"unroll-loops", "O3"}});
      const auto again = read_variant(task, canonical_text(variant), "variant.toml");
      EXPECT_EQ(again.has_value(), satisfies_constraints(task, tunable_values(task, variant)));
      if (again) {
        EXPECT_EQ(*again, variant);
      }
    }
  }
}

TEST(Variant, CompletesTheAssignment) {
  const Task task = scale();
  const auto values = tunable_values(task, {{{"BLOCK", "64"}}, {}});
  EXPECT_EQ(values.at("BLOCK"), "64");
  EXPECT_EQ(values.at("ITEMS"), "1");
  EXPECT_TRUE(satisfies_constraints(task, values));
  EXPECT_FALSE(satisfies_constraints(task, {{"BLOCK", "256"}, {"ITEMS", "8"}}));
  EXPECT_FALSE(satisfies_constraints(task, {{"BLOCK", "256"}}));
}

struct BrokenRow {
  std::string text;
  std::string words;
};

TEST(Variant, RefusesWhatTheTaskDoesNotOffer) {
  const Task task = scale();
  const BrokenRow rows[] = {
      {"", "v.toml:1:1: variant.toml has no 'schema'"},
      {"schema = \"variant/2\"", "v.toml:1:10: 'schema' of variant.toml is 'variant/2'"},
      {"schema = \"variant/1\"\noption = []", "v.toml:2:1: variant.toml has no key 'option', did you mean 'options'?"},
      {"schema = \"variant/1\"\noptions = [\"-O3\"]",
       "v.toml:2:11: 'options' of variant.toml has the unknown compile option '-O3'"},
      {"schema = \"variant/1\"\noptions = [\"O3\", \"O3\"]", "of the group 'optimisation'"},
      {"schema = \"variant/1\"\n[values]\nBLOCK = 65", "v.toml:3:9: 'BLOCK' of [values] is none of the values"},
      {"schema = \"variant/1\"\n[values]\nBLCK = 64", "did you mean 'BLOCK'?"},
      {"schema = \"variant/1\"\n[values]\nBLOCK = 256\nITEMS = 8", "break the constraint 'BLOCK * ITEMS <= 1024'"},
      {"schema = \"variant/1\"\n[values]\nBLOCK = \"?\"", "is not answered"},
      {"schema = \"variant/1\"\n[[launch]]\ngrid = [1]", "the kernel is called as a function"},
      {"schema = ", "not TOML"},
  };
  for (const BrokenRow& row : rows) {
    const auto variant = read_variant(task, row.text, "v.toml");
    ASSERT_FALSE(variant) << row.text;
    EXPECT_EQ(variant.error().code, ErrorCode::contract);
    EXPECT_THAT(to_text(variant.error()), HasSubstr(row.words));
  }
}

TEST(Variant, ItsOptionsReplaceTheKernelsOfTheSameGroup) {
  Task task = scale();
  task.kernel.flags = {"O3", "unroll-loops"};
  EXPECT_THAT(option_ids(task, {}), ElementsAre("O3", "unroll-loops"));
  EXPECT_THAT(option_ids(task, {{}, {"O1", "march-native"}}), ElementsAre("unroll-loops", "O1", "march-native"));
}

TEST(TunableValue, IsWhatACommandLineTakesAsOneWord) {
  for (const char* good : {"64", "-1", "1.5e+3", "float4", "a_b"}) EXPECT_TRUE(is_tunable_value(good)) << good;
  for (const char* bad : {"", "a b", "a;b", "$x", "a\n", "ä", "a=b", "\"", "a/b"})
    EXPECT_FALSE(is_tunable_value(bad)) << bad;
  EXPECT_FALSE(is_tunable_value(std::string(129, '1')));
}

TEST(ScopeOf, ReadsNumbersWhereTheTextIsOne) {
  const Scope scope = scope_of({{"a", "7"}, {"b", "1.5"}, {"c", "float4"}, {"d", "7x"}});
  EXPECT_EQ(scope.at("a"), Value{int64_t{7}});
  EXPECT_EQ(scope.at("b"), Value{1.5});
  EXPECT_EQ(scope.at("c"), Value{std::string("float4")});
  EXPECT_EQ(scope.at("d"), Value{std::string("7x")});
}

}  // namespace
}  // namespace hone::task
