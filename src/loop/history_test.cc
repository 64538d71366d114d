// store.git as a follower of the log, and the user's own repository, which hone never moves.
#include "loop/history.h"

#include <gmock/gmock.h>

#include "loop/testing/tape_campaign.h"

namespace hone::loop {
namespace {

using ::testing::HasSubstr;
using testing::TapeCampaign;

class Followed : public ::testing::Test {
 protected:
  Followed() {
    const auto report = campaign_.script();
    EXPECT_TRUE(report) << to_text(report.error());
    state_ = campaign_.state();
  }
  void move(const std::string& ref, const std::string& to) {
    record::GitStore git = campaign_.git();
    const record::RefMove move{ref, git.read_ref(ref).value_or(std::nullopt), {to}};
    ASSERT_TRUE(git.move_refs({&move, 1}));
  }
  TapeCampaign campaign_;
  campaign::State state_;
};

TEST_F(Followed, EveryVersionHasItsRef) {
  const auto refs = campaign_.refs();
  ASSERT_EQ(state_.versions.size(), 3u);
  for (const campaign::Version& one : state_.versions)
    EXPECT_EQ(refs.at(fmt::format("refs/hone/v{}", one.number)).hex, one.commit);
  EXPECT_EQ(refs.at("refs/hone/incumbent").hex, state_.versions[2].commit);
}

TEST_F(Followed, ADeletedStoreIsMadeAnew) {
  const auto before = campaign_.refs();
  fs::remove_all(campaign_.folder() / "store.git");
  ASSERT_TRUE(campaign_.script());
  EXPECT_EQ(campaign_.refs(), before);
}

TEST_F(Followed, AnEarlierCommitIsMovedForward) {
  move("refs/hone/incumbent", state_.versions[0].commit);
  ASSERT_TRUE(campaign_.script());
  EXPECT_EQ(campaign_.refs().at("refs/hone/incumbent").hex, state_.versions[2].commit);
}

TEST_F(Followed, ARefMovedBySomeoneElseStops) {
  record::CommitText text;
  text.message = "mine";
  record::GitStore git = campaign_.git();
  const auto foreign = git.commit_tree({state_.versions[0].tree}, {}, text);
  ASSERT_TRUE(foreign);
  move("refs/hone/incumbent", foreign->hex);
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 2);
  EXPECT_THAT(report.error().what, HasSubstr("moved by someone else"));
  EXPECT_THAT(report.error().help, HasSubstr("delete store.git"));
}

TEST_F(Followed, AVersionMovedBySomeoneElseStops) {
  move("refs/hone/v1", state_.versions[0].commit);
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 2);
}

// ---- the user's repository
// -------------------------------------------------------------------------------------------------------

class UsersRepository : public ::testing::Test {
 protected:
  UsersRepository() {
    git({"init", "--quiet", "--initial-branch=mine"});
    git({"add", "scale/kernel.cpp", "scale/task.toml"});
    git({"-c", "user.name=someone", "-c", "user.email=some@one", "commit", "--quiet", "-m", "first"});
    TapeCampaign::write(campaign_.task_folder() / "notes.txt", "dirty and untracked\n");
    git({"add", "scale/reference.cpp"});
    TapeCampaign::write(campaign_.task_folder() / "reference.cpp", "staged, then changed again\n");
  }
  std::string git(std::vector<std::string> words) {
    words.insert(words.begin(), {"/usr/bin/git", "-C", campaign_.root().string()});
    Processes processes;
    const auto done = processes.run({.argv = words, .environment = {{"HOME", campaign_.root().string()}}});
    EXPECT_TRUE(done) << to_text(done.error());
    return done ? done->output : "";
  }
  // Everything that is the user's: refs, index, work tree, configuration; not the campaign and not .git/info/exclude.
  std::map<std::string, std::string> everything() {
    std::map<std::string, std::string> files;
    for (const fs::path& file : list_files(campaign_.root()).value_or(std::vector<fs::path>())) {
      const std::string name = file.string();
      if (name.starts_with("scale.hone/") || name == ".git/info/exclude") continue;
      files[name] = read_file(campaign_.root() / file).value_or("");
    }
    return files;
  }
  TapeCampaign campaign_;
};

TEST_F(UsersRepository, IsLeftAsItWas) {
  const auto before = everything();
  ASSERT_TRUE(before.contains(".git/index"));
  ASSERT_TRUE(campaign_.script());
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(campaign_.state().incumbent_version, 2u);
}

TEST_F(UsersRepository, DoesNotSeeTheCampaign) {
  ASSERT_TRUE(campaign_.script());
  EXPECT_THAT(git({"status", "--porcelain"}), ::testing::Not(HasSubstr("scale.hone")));
  EXPECT_THAT(git({"status", "--porcelain"}), HasSubstr("scale/notes.txt"));
}

}  // namespace
}  // namespace hone::loop
