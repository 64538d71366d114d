// What Landlock lets a confined process open, with a root of its own and without one.
#include "sandbox/landlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/disk.h"
#include "base/process.h"
#include "sandbox/testing/shell.h"

namespace hone::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr uint64_t k_write_file = 1 << 1;
constexpr uint64_t k_read_folder = 1 << 3;
constexpr uint64_t k_make_file = 1 << 8;
constexpr uint64_t k_truncate = 1 << 14;

RootPlan a_root() {
  RootPlan root;
  root.entries = {{RootEntry::Kind::tmpfs, {}, "/tmp", {}, Access::read_write, {}},
                  {RootEntry::Kind::link, "usr/bin", "/bin", {}, Access::read_only, {}},
                  {RootEntry::Kind::folder, {}, "/usr", {}, Access::read_only, {}},
                  {RootEntry::Kind::file, {}, "/dev/null", {}, Access::read_write, {}}};
  return root;
}

const LandlockRule* rule_for(const LandlockPlan& plan, const std::string& path) {
  const auto found = std::find_if(plan.rules.begin(), plan.rules.end(), [&](const auto& r) { return r.path == path; });
  return found == plan.rules.end() ? nullptr : &*found;
}

TEST(LandlockPlan, NewerKernelsDenyMore) {
  LandlockPlan before;
  for (int abi = 1; abi <= 7; ++abi) {
    const LandlockPlan plan = plan_landlock(abi, {}, a_root());
    EXPECT_EQ(plan.files & before.files, before.files);
    EXPECT_EQ(plan.network != 0, abi >= 4);
    EXPECT_EQ(plan.scopes != 0, abi >= 6);
    EXPECT_EQ((plan.files & k_truncate) != 0, abi >= 3);
    before = plan;
  }
  EXPECT_EQ(plan_landlock(0, {}, a_root()).files, 0u);
}

TEST(LandlockPlan, WithARootOfItsOwnAllOfItMayBeReadAndWhatIsLentWritten) {
  const LandlockPlan plan = plan_landlock(7, {Layer::mount_namespace}, a_root());
  ASSERT_TRUE(rule_for(plan, "/") && rule_for(plan, "/tmp") && rule_for(plan, "/dev/null"));
  EXPECT_EQ(rule_for(plan, "/")->access & k_write_file, 0u);
  EXPECT_NE(rule_for(plan, "/tmp")->access & k_make_file, 0u);
  EXPECT_EQ(plan.rules.size(), 3u) << "reading needs one rule";
}

TEST(LandlockPlan, WithoutOneOnlyWhatIsLentMayBeRead) {
  const LandlockPlan plan = plan_landlock(7, {}, a_root());
  EXPECT_EQ(rule_for(plan, "/"), nullptr);
  EXPECT_EQ(rule_for(plan, "/tmp"), nullptr) << "that would be the machine's";
  EXPECT_EQ(rule_for(plan, "/bin"), nullptr) << "a link's target has the rule";
  ASSERT_TRUE(rule_for(plan, "/usr") && rule_for(plan, "/dev/null"));
  EXPECT_EQ(rule_for(plan, "/usr")->access & k_write_file, 0u);
  EXPECT_EQ(rule_for(plan, "/dev/null")->access & k_read_folder, 0u) << "a file is no folder";
}

TEST(LandlockPlan, ANetworkOfItsOwnMayBeSpokenOverAndNoOther) {
  const RootPlan root = a_root();
  const LayerSet own{Layer::network_namespace};
  EXPECT_EQ(plan_landlock(7, own, root, Access::read_only, Network::own_loopback).network, 0u);
  EXPECT_NE(plan_landlock(7, {}, root, Access::read_only, Network::own_loopback).network, 0u);
  EXPECT_NE(plan_landlock(7, own, root).network, 0u);
}

// NVIDIA's driver names its threads there, and does not start where it cannot.
TEST(LandlockPlan, OfItsOwnProcAProfileMayBeAllowedToWriteFiles) {
  const LayerSet own{Layer::mount_namespace, Layer::pid_namespace, Layer::own_proc};
  EXPECT_EQ(rule_for(plan_landlock(7, own, a_root()), "/proc"), nullptr) << "unless it says so, it may not";
  const LandlockPlan plan = plan_landlock(7, own, a_root(), Access::read_write);
  ASSERT_TRUE(rule_for(plan, "/proc"));
  EXPECT_EQ(rule_for(plan, "/proc")->access & (k_write_file | k_truncate), k_write_file | k_truncate);
  EXPECT_EQ(rule_for(plan, "/proc")->access & k_make_file, 0u);
  const LayerSet none{Layer::mount_namespace};
  EXPECT_EQ(rule_for(plan_landlock(7, none, a_root(), Access::read_write), "/proc"), nullptr)
      << "that would be the machine's";
}

TEST(LandlockPlan, NoRightIsGrantedThatTheKernelDoesNotKnow) {
  for (int abi = 1; abi <= 7; ++abi) {
    const LandlockPlan plan = plan_landlock(abi, {}, a_root());
    for (const LandlockRule& rule : plan.rules) EXPECT_EQ(rule.access & ~plan.files, 0u) << abi << " " << rule.path;
  }
}

// A folder with a file to read, a folder to write, and a file beside them that was not lent.
class Lent : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryFolder::make("/tmp", "hone-landlock-");
    ASSERT_TRUE(made);
    folder_ = std::make_unique<TemporaryFolder>(std::move(*made));
    fs::permissions(folder_->path(), fs::perms(0755));
    for (const char* name : {"in", "out"}) fs::create_directory(folder_->path() / name);
    fs::permissions(folder_->path() / "in", fs::perms(0777));  // the mode would allow it
    std::ofstream(folder_->path() / "in" / "word") << "hello";
    std::ofstream(folder_->path() / "secret") << "secret";
    ASSERT_TRUE(give_to_confined(folder_->path() / "out"));
  }

  std::string run(const std::string& script) {
    Confinement confinement = shell(fmt::format(fmt::runtime(script), fmt::arg("f", folder_->path().string())));
    confinement.mounts = {{folder_->path() / "in", Access::read_only}, {folder_->path() / "out", Access::read_write}};
    const auto outcome = run_confined({.confinement = confinement});
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? outcome->output : "";
  }

  std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(Lent, IsReadAndWrittenAsItWasLentAndNothingElseIs) {
  if (!machine_has(Layer::landlock) && !machine_has(Layer::mount_namespace))
    GTEST_SKIP() << "this machine refuses both layers";
  const std::string said =
      run("cat {f}/in/word; cat {f}/secret; cat /etc/passwd; ls {f}; echo x > {f}/in/new; echo x > {f}/new; rm "
          "{f}/in/word; "
          "echo y > {f}/out/new && mv {f}/out/new {f}/out/moved && cat {f}/out/moved; rm -rf {f} 2>/dev/null");
  EXPECT_THAT(said, testing::StartsWith("hello"));
  EXPECT_THAT(said, HasSubstr("y\n"));
  EXPECT_THAT(said, Not(HasSubstr("secret\n")));
  EXPECT_THAT(said, Not(HasSubstr("root:")));
  EXPECT_TRUE(path_exists(folder_->path() / "in" / "word"));
  EXPECT_TRUE(path_exists(folder_->path() / "secret"));
  EXPECT_FALSE(path_exists(folder_->path() / "in" / "new"));
  EXPECT_FALSE(path_exists(folder_->path() / "new"));
}

TEST_F(Lent, TemporaryFilesHaveAPlaceThatIsNotTheMachines) {
  const std::string name = fmt::format("hone-left-{}", getpid());
  const std::string said = run("echo \"$TMPDIR\"; echo z > \"$TMPDIR\"/" + name + " && cat \"$TMPDIR\"/" + name);
  EXPECT_THAT(said, testing::EndsWith("z\n"));
  EXPECT_FALSE(path_exists(fs::path("/tmp") / name));
  const std::string place = machine_has(Layer::mount_namespace) ? "/tmp" : folder_->path().string() + "/out";
  EXPECT_THAT(said, testing::StartsWith(place + "\n"));
}

// Drivers start compilers, assemblers, linkers, plugins and the wrapper of link-time optimisation.
TEST_F(Lent, CompilersWorkWithAllTheirHelpers) {
  std::ofstream(folder_->path() / "in" / "a.cc") << "asm(\".globl here\\nhere:\"); int main() { return 0; }\n";
  const std::pair<const char*, const char*> commands[] = {
      {"g++", "-O2 -g -pthread"}, {"g++", "-fopenmp"},           {"g++", "-flto -O2"},
      {"g++", "-flto=auto -O2"},  {"g++", "-fuse-ld=gold -pie"}, {"g++", "-save-temps"},
      {"clang++", "-O2 -g"},      {"clang++", "-fopenmp -O2"},   {"clang++", "-no-integrated-as -save-temps"}};
  for (const auto& [compiler, flags] : commands) {
    if (!find_program(compiler)) continue;
    const std::string build = fmt::format("{} {} {}/in/a.cc -o a", compiler, flags, folder_->path().string());
    EXPECT_THAT(run("cd \"$TMPDIR\" && " + build + " && ./a && echo works"), testing::EndsWith("works\n")) << build;
  }
}

TEST_F(Lent, TheMachinesProcIsNotRead) {
  if (!machine_has(Layer::landlock) && !machine_has(Layer::own_proc)) GTEST_SKIP() << "this machine refuses both";
  EXPECT_THAT(run(fmt::format("cat /proc/{}/comm", getpid())), Not(HasSubstr("sandbox")));
}

}  // namespace
}  // namespace hone::sandbox
