// diff, apply and export: the result brought home, and the user's files, index and branches left alone.
#include "surface/cli/home.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "surface/cli/testing/small_campaign.h"

namespace hone::cli {

Command apply_command();
Command diff_command();
Command export_command();

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;
using ::testing::StartsWith;

class Home : public ::testing::Test {
 protected:
  testing::Called hone(std::vector<std::string> words) {
    words.insert(words.end(), {"--task", campaign_.task_folder().string()});
    return testing::call({apply_command(), diff_command(), export_command()}, words);
  }
  std::string git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=A", "-c", "user.email=a@b"});
    Processes processes;
    const auto done = processes.run({.argv = arguments, .folder = campaign_.root()});
    EXPECT_TRUE(done && done->succeeded()) << (done ? done->errors : to_text(done.error()));
    return done ? std::string(trim(done->output)) : "";
  }
  // The task's folder becomes a part of a repository with one commit.
  void make_repository() {
    git({"init", "-q", "-b", "main"});
    git({"add", "scale"});
    git({"commit", "-q", "-m", "first"});
  }
  std::string kernel() const { return SmallCampaign::read(campaign_.kernel()); }
  fs::path variant() const { return campaign_.task_folder() / "variant.toml"; }

  SmallCampaign campaign_;
};

// ---- diff

TEST_F(Home, DiffGoesFromTheBaselineToTheBest) {
  const auto called = hone({"diff"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output,
              HasSubstr("+extern \"C\" int scale(float a, const float* x, float* y, int n);  // better\n"));
  EXPECT_THAT(called.output, HasSubstr("+BLOCK = "));
}

TEST_F(Home, DiffNeedsNoStore) {
  const std::string before = hone({"diff"}).output;
  fs::remove_all(campaign_.folder() / "store.git");
  EXPECT_EQ(hone({"diff"}).output, before);
  EXPECT_FALSE(path_exists(campaign_.folder() / "store.git"));
}

TEST_F(Home, DiffOfAVersionWithItselfIsEmpty) { EXPECT_EQ(hone({"diff", "v1", "best"}).output, ""); }

TEST_F(Home, DiffTakesAFolderToo) {
  const auto called = hone({"diff", "best", campaign_.task_folder().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output,
              HasSubstr("-extern \"C\" int scale(float a, const float* x, float* y, int n);  // better\n"));
}

TEST_F(Home, DiffAsADocument) {
  const auto called = hone({"diff", "--json"});
  EXPECT_THAT(called.output, HasSubstr("\"schema\": \"hone.diff/1\""));
  EXPECT_THAT(called.output, HasSubstr("// better\\n"));
}

// ---- apply

TEST_F(Home, ApplyWritesTheBestVersionAndSaysWhatChanged) {
  const auto called = hone({"apply"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(kernel(), testing::k_new_kernel);
  EXPECT_THAT(SmallCampaign::read(variant()), HasSubstr("BLOCK"));
  EXPECT_THAT(called.output, HasSubstr("kernel.cpp: written"));
}

TEST_F(Home, ApplyTwiceChangesNothing) {
  hone({"apply"});
  const auto called = hone({"apply"});
  EXPECT_EQ(called.status, 0);
  EXPECT_THAT(called.output, HasSubstr("kernel.cpp: unchanged"));
}

TEST_F(Home, ApplyThatWasCutShortIsCompletedByRepeating) {
  SmallCampaign::write(campaign_.kernel(), testing::k_new_kernel);
  const auto called = hone({"apply"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("variant.toml: written"));
}

TEST_F(Home, ApplyGoesBackToTheBaselineWithItsChoices) {
  hone({"apply"});
  EXPECT_EQ(hone({"apply", "baseline"}).status, 0);
  EXPECT_EQ(kernel(), testing::k_old_kernel);
  EXPECT_THAT(SmallCampaign::read(variant()), Not(HasSubstr("BLOCK")));
}

TEST_F(Home, ApplyOfTheBaselineToUntouchedFilesAddsNothing) {
  EXPECT_EQ(hone({"apply", "v0"}).status, 0);
  EXPECT_FALSE(path_exists(variant()));
}

TEST_F(Home, ApplyRefusesFilesThatWereEdited) {
  SmallCampaign::write(campaign_.kernel(), "my own\n");
  const auto called = hone({"apply"});
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.error, HasSubstr("kernel.cpp"));
  EXPECT_EQ(kernel(), "my own\n");
  EXPECT_FALSE(path_exists(variant()));
  EXPECT_EQ(hone({"apply", "--force"}).status, 0);
  EXPECT_EQ(kernel(), testing::k_new_kernel);
}

TEST_F(Home, ApplyRefusesAnEditedVariant) {
  SmallCampaign::write(variant(), "schema = \"variant/1\"\n# mine\n");
  EXPECT_EQ(hone({"apply"}).status, 1);
  EXPECT_EQ(kernel(), testing::k_old_kernel);
}

TEST_F(Home, ApplyRefusesALinkInThePlaceOfAFile) {
  SmallCampaign::write(campaign_.root() / "elsewhere.cpp", testing::k_old_kernel);
  fs::remove(campaign_.kernel());
  fs::create_symlink(campaign_.root() / "elsewhere.cpp", campaign_.kernel());
  EXPECT_EQ(hone({"apply"}).status, 1);
  EXPECT_TRUE(fs::is_symlink(campaign_.kernel()));
}

TEST_F(Home, ApplyRefusesADemotedVersion) {
  campaign_.add(campaign::Demoted{1, 0, "wrong at n = 7"});
  const auto called = hone({"apply", "v1"});
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.error, HasSubstr("wrong at n = 7"));
}

TEST_F(Home, WhatIsNoVersionIsNotBroughtHome) {
  EXPECT_EQ(hone({"apply", "v2"}).status, 2);
  EXPECT_EQ(hone({"apply", "nonsense"}).status, 2);
}

TEST_F(Home, ApplyNeedsATaskToApplyTo) {
  fs::remove(campaign_.task_folder() / "task.toml");
  EXPECT_EQ(hone({"apply"}).status, 2);
}

// ---- export

TEST_F(Home, APatchAppliesInTheUsersRepository) {
  make_repository();
  const fs::path file = campaign_.root() / "best.patch";
  const auto called = hone({"export", "patch", "--output", file.string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(SmallCampaign::read(file), HasSubstr("+++ b/scale/kernel.cpp"));
  EXPECT_THAT(SmallCampaign::read(file), HasSubstr("Compared with v0 directly: 2.00"));
  git({"am", "-q", file.string()});
  EXPECT_EQ(kernel(), testing::k_new_kernel);
  EXPECT_TRUE(path_exists(variant()));
}

TEST_F(Home, APatchOutsideOfARepositoryHasThePathsOfTheTask) {
  const auto called = hone({"export", "patch"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, StartsWith("From 0000"));
  EXPECT_THAT(called.output, HasSubstr("+++ b/kernel.cpp"));
}

TEST_F(Home, ABranchIsNewAndNothingElseMoves) {
  make_repository();
  SmallCampaign::write(campaign_.root() / "scale/notes", "staged");
  git({"add", "scale/notes"});
  const std::string before = git({"rev-parse", "HEAD"}) + git({"status", "--porcelain"}) + git({"ls-files", "-s"});
  const auto called = hone({"export", "branch"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(git({"rev-parse", "HEAD"}) + git({"status", "--porcelain"}) + git({"ls-files", "-s"}), before);
  EXPECT_EQ(git({"symbolic-ref", "HEAD"}), "refs/heads/main");
  EXPECT_EQ(git({"show", "hone/scale-v1:scale/kernel.cpp"}) + "\n", testing::k_new_kernel);
  EXPECT_EQ(git({"diff", "--name-only", "main", "hone/scale-v1"}), "scale/kernel.cpp\nscale/variant.toml");
  EXPECT_EQ(kernel(), testing::k_old_kernel);
}

TEST_F(Home, ABranchThatExistsIsNeverMoved) {
  make_repository();
  EXPECT_EQ(hone({"export", "branch", "--name", "mine"}).status, 0);
  const std::string before = git({"rev-parse", "mine"});
  const auto called = hone({"export", "branch", "--name", "mine"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("there is a branch 'mine' already"));
  EXPECT_EQ(git({"rev-parse", "mine"}), before);
  EXPECT_EQ(hone({"export", "branch", "--name", "no..good"}).status, 2);
}

TEST_F(Home, ABranchDoesNotTakeBackWhatHeadHas) {
  SmallCampaign::write(campaign_.kernel(), "my own\n");
  make_repository();
  const auto called = hone({"export", "branch"});
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.error, HasSubstr("kernel.cpp was changed at HEAD"));
  EXPECT_EQ(hone({"export", "branch", "--force"}).status, 0);
}

TEST_F(Home, ABranchRunsNoHookOfTheUser) {
  make_repository();
  const fs::path hook = campaign_.root() / ".git/hooks/reference-transaction";
  SmallCampaign::write(hook, "#!/bin/sh\nexit 1\n");
  fs::permissions(hook, fs::perms::owner_all);
  EXPECT_EQ(hone({"export", "branch"}).status, 0);
}

TEST_F(Home, ABranchNeedsARepositoryWithACommit) {
  auto called = hone({"export", "branch"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("no git repository"));
  git({"init", "-q", "-b", "main"});
  called = hone({"export", "branch"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("no commit yet"));
}

TEST_F(Home, AnUnknownFormIsAUsageError) {
  const auto called = hone({"export", "pach"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("did you mean 'patch'?"));
}

}  // namespace
}  // namespace hone::cli
