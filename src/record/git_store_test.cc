#include "record/git_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "record/git_command.h"
#include "record/testing/child.h"
#include "record/testing/sample_store.h"

namespace hone::record {
namespace {

using testing::k_incumbent;
using testing::sample_commit;
using testing::sample_files;
using testing::sample_text;

using GitStoreTest = testing::StoreTest;

const ObjectId k_strange{std::string(40, '1')};

class FullDisk : public Processes {
 public:
  Result<Finished> run(const Command&) override {
    return Finished{128, false, "", "error: file write error: No space left on device\n"};
  }
};

TEST(GitCommandTest, AFullDiskIsNamedWithWhatToDo) {
  FullDisk processes;
  const auto failed = GitCommand(processes, "store.git").run({"hash-object"});
  ASSERT_FALSE(failed);
  EXPECT_THAT(to_text(failed.error()), ::testing::HasSubstr("No space left on device"));
  EXPECT_THAT(failed.error().help, ::testing::HasSubstr("free space"));
}

TEST_F(GitStoreTest, GivesBackTheFilesOfACommit) {
  const auto commit = sample_commit(store_, 1, {});
  ASSERT_TRUE(commit);
  EXPECT_EQ(*store_.read_tree(*commit), sample_files("kernel of v1\n"));
}

TEST_F(GitStoreTest, AnEmptyTreeIsATree) {
  const auto tree = store_.write_tree({});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->hex, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");  // git's well-known empty tree
  EXPECT_TRUE(store_.read_tree(*tree)->empty());
}

TEST_F(GitStoreTest, TheOrderOfTheFilesDoesNotMatter) {
  auto files = sample_files("x");
  const auto forward = store_.write_tree(files);
  std::ranges::reverse(files);
  EXPECT_EQ(*store_.write_tree(files), *forward);
}

TEST_F(GitStoreTest, ACommitIsAPureFunctionOfItsArguments) {
  const auto here = sample_commit(store_, 1, {});
  setenv("GIT_AUTHOR_NAME", "somebody", 1);
  setenv("GIT_COMMITTER_DATE", "@1 +0100", 1);
  auto elsewhere = GitStore::open(disk_, processes_, folder_.path() / "other.git");
  EXPECT_EQ(*sample_commit(*elsewhere, 1, {}), *here);
  unsetenv("GIT_AUTHOR_NAME");
  unsetenv("GIT_COMMITTER_DATE");
  EXPECT_EQ(here->hex, "7eb2be310eb7b2567d9e5769eedafd0c176d5086");  // also on another machine, with another git
}

TEST_F(GitStoreTest, TheUsersConfigurationHasNoSay) {
  const fs::path home = folder_.path() / "home";
  fs::create_directories(home);
  std::ofstream(home / ".gitconfig") << "[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = "
                                     << home.string() << "\n[diff]\n\tnoprefix = true\n\texternal = false\n";
  std::ofstream(home / "reference-transaction") << "#!/bin/sh\nexit 1\n";
  fs::permissions(home / "reference-transaction", fs::perms::owner_all);
  const auto expected = sample_commit(store_, 1, {});
  const std::string before = getenv("HOME") == nullptr ? "" : getenv("HOME");
  setenv("HOME", home.c_str(), 1);
  auto other = GitStore::open(disk_, processes_, folder_.path() / "other.git");
  fs::copy_file(home / ".gitconfig", folder_.path() / "other.git" / "config.user");
  std::ofstream(folder_.path() / "other.git" / "config", std::ios::app)
      << "[include]\n\tpath = config.user\n[commit]\n\tgpgSign = true\n";
  const auto first = sample_commit(*other, 1, {});
  ASSERT_TRUE(first) << to_text(first.error());
  EXPECT_EQ(*first, *expected);
  const auto second = sample_commit(*other, 2, {*first});
  EXPECT_NE(other->diff(*first, *second)->find("--- a/kernel.cpp"), std::string::npos);
  const RefMove move{k_incumbent, std::nullopt, *first};
  EXPECT_TRUE(other->move_refs({&move, 1}));
  setenv("HOME", before.c_str(), 1);
}

TEST_F(GitStoreTest, OpeningAgainChangesNothing) {
  const auto commit = sample_commit(store_, 1, {});
  const RefMove move{k_incumbent, std::nullopt, *commit};
  ASSERT_TRUE(store_.move_refs({&move, 1}));
  auto again = GitStore::open(disk_, processes_, path_);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again->read_ref(k_incumbent), *commit);
}

TEST_F(GitStoreTest, RefsMoveOnlyFromWhereTheCallerSays) {
  const auto first = *sample_commit(store_, 1, {});
  const auto second = *sample_commit(store_, 2, {first});
  EXPECT_EQ(*store_.read_ref(k_incumbent), std::nullopt);
  const std::vector<RefMove> create{{k_incumbent, std::nullopt, first}, {"refs/hone/v1", std::nullopt, first}};
  ASSERT_TRUE(store_.move_refs(create));
  const std::vector<RefMove> advance{{k_incumbent, first, second}, {"refs/hone/v2", std::nullopt, second}};
  ASSERT_TRUE(store_.move_refs(advance));
  EXPECT_EQ(*store_.refs(), (Refs{{k_incumbent, second}, {"refs/hone/v1", first}, {"refs/hone/v2", second}}));
}

TEST_F(GitStoreTest, AMoveMadeTwiceIsMadeOnce) {
  const auto first = *sample_commit(store_, 1, {});
  const std::vector<RefMove> both{{k_incumbent, std::nullopt, first}, {"refs/hone/v1", std::nullopt, first}};
  ASSERT_TRUE(store_.move_refs({both.data(), 1}));  // interrupted after the first
  ASSERT_TRUE(store_.move_refs(both));
  ASSERT_TRUE(store_.move_refs(both));
  EXPECT_EQ(store_.refs()->size(), 2u);
}

TEST_F(GitStoreTest, ARefMovedBySomeoneElseIsAContractError) {
  const auto first = *sample_commit(store_, 1, {});
  const auto second = *sample_commit(store_, 2, {first});
  const auto third = *sample_commit(store_, 3, {second});
  const RefMove create{k_incumbent, std::nullopt, second};
  ASSERT_TRUE(store_.move_refs({&create, 1}));
  const std::vector<RefMove> wrong{{k_incumbent, first, third}, {k_incumbent, std::nullopt, third}};
  for (const RefMove& move : wrong) {
    const Status moved = store_.move_refs({&move, 1});
    ASSERT_FALSE(moved);
    EXPECT_EQ(exit_code(moved.error().code), 2);
    EXPECT_NE(moved.error().what.find("moved by someone else"), std::string::npos);
  }
  EXPECT_EQ(*store_.read_ref(k_incumbent), second);
}

TEST_F(GitStoreTest, ARefCannotNameWhatIsNotThere) {
  const RefMove move{k_incumbent, std::nullopt, k_strange};
  EXPECT_FALSE(store_.move_refs({&move, 1}));
  EXPECT_EQ(*store_.read_ref(k_incumbent), std::nullopt);
}

TEST_F(GitStoreTest, TheCommitSaysWhatItWasTold) {
  const auto commit = *sample_commit(store_, 1, {});
  const auto text = Processes().run({.argv = {"git", "--git-dir", path_.string(), "cat-file", "commit", commit.hex}});
  EXPECT_NE(text->output.find("author hone <hone@localhost> 1700000001 +0000\n"), std::string::npos);
  EXPECT_NE(text->output.find("committer hone <hone@localhost> 1700000001 +0000\n"), std::string::npos);
  EXPECT_TRUE(text->output.ends_with("\n\nv1: tile the loop\n\nHone-Log: 12 abc\nHone-Verdict: def\n")) << text->output;
}

TEST_F(GitStoreTest, DiffShowsWhatChanged) {
  const auto first = *sample_commit(store_, 1, {});
  const auto second = *sample_commit(store_, 2, {first});
  const auto diff = store_.diff(first, second);
  EXPECT_NE(diff->find("-kernel of v1\n+kernel of v2\n"), std::string::npos);
  EXPECT_EQ(diff->find("run.sh"), std::string::npos);
  EXPECT_EQ(*store_.diff(first, first), "");
}

TEST_F(GitStoreTest, APatchAppliesElsewhere) {
  const auto first = *sample_commit(store_, 1, {});
  const auto second = *sample_commit(store_, 2, {first});
  const auto patch = store_.format_patch(first, second);
  ASSERT_TRUE(patch);
  EXPECT_NE(patch->find("Subject: [PATCH] v2: tile the loop"), std::string::npos);
  std::ofstream(folder_.path() / "kernel.cpp") << "kernel of v1\n";
  const auto applied = Processes().run({.argv = {"git", "apply", "-"}, .folder = folder_.path(), .input = *patch});
  EXPECT_TRUE(applied->succeeded()) << applied->errors;
  EXPECT_EQ(*read_file(folder_.path() / "kernel.cpp"), "kernel of v2\n");
}

TEST_F(GitStoreTest, StrangeObjectsAreErrors) {
  EXPECT_FALSE(store_.read_tree(k_strange));
  EXPECT_FALSE(store_.diff(k_strange, k_strange));
  EXPECT_FALSE(store_.commit_tree(k_strange, {}, sample_text(1)));
  EXPECT_EQ(store_.write_tree(std::vector<TreeFile>{{"../x", FileMode::plain, ""}}).error().code, ErrorCode::internal);
}

TEST_F(GitStoreTest, ABrokenRefIsAnError) {
  fs::create_directories(path_ / "refs/hone");
  std::ofstream(path_ / "refs/hone/incumbent") << "nonsense\n";
  EXPECT_FALSE(store_.read_ref(k_incumbent));
}

TEST_F(GitStoreTest, NothingOfTheScratchStays) {
  ASSERT_TRUE(sample_commit(store_, 1, {}));
  for (const auto& entry : fs::directory_iterator(path_))
    EXPECT_FALSE(entry.path().filename().string().starts_with("scratch"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

// ---- leftovers
// --------------------------------------------------------------------------------------------------------

TEST_F(GitStoreTest, ALockOfADeadProcessIsRemoved) {
  const auto first = *sample_commit(store_, 1, {});
  const RefMove move{k_incumbent, std::nullopt, first};
  testing::WaitingChild child([] { return true; });
  const Owner spawner = *owner_of(child.pid());
  fs::create_directories(path_ / "refs/hone");
  std::ofstream(path_ / "refs/hone/incumbent.lock") << "";
  std::ofstream(path_ / "objects/tmp_obj_AbCdEf") << "half";
  fs::create_directories(path_ / "scratch-x");
  fs::create_directories(folder_.path() / "store.git.new-x");
  EXPECT_FALSE(store_.move_refs({&move, 1}));
  FakeClock clock;
  const auto refused = store_.remove_leftovers(spawner, clock, from_seconds(5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::environment);
  EXPECT_TRUE(path_exists(path_ / "refs/hone/incumbent.lock"));
  child.end();
  EXPECT_EQ(store_.remove_leftovers(spawner, clock, from_seconds(5))->size(), 4u);
  EXPECT_TRUE(store_.remove_leftovers(spawner, clock, from_seconds(5))->empty());
  EXPECT_TRUE(store_.move_refs({&move, 1}));
}

// What a git at work looks like from outside: a process whose environment names the store.
pid_t start_marked(const fs::path& store) {
  const std::string mark = "GIT_DIR=" + store.string();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  execl("/usr/bin/env", "env", "-i", mark.c_str(), "/bin/sleep", "60", nullptr);
  _exit(1);
}

TEST_F(GitStoreTest, AGitThatOutlivedItsHoneIsWaitedFor) {
  Owner dead = this_process();
  --dead.start_ticks;
  const pid_t orphan = start_marked(path_);
  const GitCommand git(processes_, path_);
  while (!git.is_running_somewhere()) usleep(1000);  // until it has executed sleep
  FakeClock clock;
  const auto refused = store_.remove_leftovers(dead, clock, from_seconds(1));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("still at work"), std::string::npos);
  EXPECT_GE(clock.now(), from_seconds(1));
  kill(orphan, SIGKILL);
  waitpid(orphan, nullptr, 0);
  EXPECT_TRUE(store_.remove_leftovers(dead, clock, from_seconds(1)));
}

TEST_F(GitStoreTest, AnotherStoresGitIsNotWaitedFor) {
  const pid_t other = start_marked(path_.string() + "x");
  const GitCommand theirs(processes_, path_.string() + "x");
  while (!theirs.is_running_somewhere()) usleep(1000);
  EXPECT_FALSE(GitCommand(processes_, path_).is_running_somewhere());
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

// ---- what is asked of git
// ---------------------------------------------------------------------------------------------

class RecordingProcesses final : public Processes {
 public:
  std::vector<Command> commands;
  std::optional<Finished> answer;
  Result<Finished> run(const Command& command) override {
    commands.push_back(command);
    return answer ? Result<Finished>(*answer) : Processes::run(command);
  }
};

TEST_F(GitStoreTest, EveryCallIsHermeticAndSynced) {
  RecordingProcesses recorder;
  auto store = GitStore::open(disk_, recorder, folder_.path() / "other.git");
  ASSERT_TRUE(sample_commit(*store, 1, {}));
  ASSERT_GE(recorder.commands.size(), 4u);
  for (const Command& command : recorder.commands) {
    EXPECT_EQ(command.environment.at("GIT_CONFIG_GLOBAL"), "/dev/null");
    EXPECT_EQ(command.environment.at("GIT_CONFIG_NOSYSTEM"), "1");
    EXPECT_EQ(std::ranges::count(command.argv, "core.fsync=all"), 1);
    EXPECT_EQ(std::ranges::count(command.argv, "core.hooksPath=/dev/null"), 1);
  }
}

TEST_F(GitStoreTest, APromotionTakesFewProcesses) {
  RecordingProcesses recorder;
  auto store = GitStore::open(disk_, recorder, path_);
  const std::vector<TreeFile> flat{{"kernel.cpp", FileMode::plain, "x"}, {"variant.toml", FileMode::plain, "y"}};
  const auto commit = store->commit_tree(*store->write_tree(flat), {}, sample_text(1));
  const std::vector<RefMove> moves{{k_incumbent, std::nullopt, *commit}, {"refs/hone/v1", std::nullopt, *commit}};
  ASSERT_TRUE(store->move_refs(moves));
  EXPECT_EQ(recorder.commands.size(), 5u);  // hash-object, mktree, commit-tree, for-each-ref, update-ref
}

TEST_F(GitStoreTest, OddAnswersAreErrors) {
  RecordingProcesses odd;
  auto store = GitStore::open(disk_, odd, path_);
  for (const char* output : {"", "short\n", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz x\n"}) {
    odd.answer = Finished{0, false, output, ""};
    EXPECT_FALSE(store->commit_tree(k_strange, {}, sample_text(1))) << output;
    EXPECT_TRUE(*output == 0 || !store->refs()) << output;
    EXPECT_TRUE(*output == 0 || !store->read_tree(k_strange)) << output;
  }
}

TEST_F(GitStoreTest, AKilledGitIsAnErrorWithItsStatus) {
  RecordingProcesses killed;
  auto store = GitStore::open(disk_, killed, path_);
  killed.answer = Finished{137, false, k_strange.hex + "\n", "dying\x1b words"};
  const auto commit = store->commit_tree(k_strange, {}, sample_text(1));
  ASSERT_FALSE(commit);
  EXPECT_EQ(commit.error().code, ErrorCode::io);
  EXPECT_NE(to_text(commit.error()).find("status 137"), std::string::npos);
  EXPECT_EQ(to_text(commit.error()).find('\x1b'), std::string::npos);
}

TEST_F(GitStoreTest, AFaultAtEveryOperationCanBeRepeated) {
  const auto expected = *sample_commit(store_, 1, {});
  const fs::path other = folder_.path() / "other.git";
  uint64_t at = 1;
  for (bool reached = true; reached; ++at) {
    hone::testing::FaultyDisk faulty;
    faulty.fail_from = faulty.fail_until = at;
    fs::remove_all(other);
    auto store = GitStore::open(faulty, processes_, other);
    if (store) std::ignore = sample_commit(*store, 1, {});
    reached = faulty.operations >= at;
    auto again = GitStore::open(disk_, processes_, other);
    ASSERT_TRUE(again) << at;
    ASSERT_EQ(*sample_commit(*again, 1, {}), expected) << at;
  }
  EXPECT_GT(at, 15u);
}

}  // namespace
}  // namespace hone::record
