// The sandbox against programs that try what they must not. Every test asks for layers before it relies on one.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/process.h"
#include "sandbox/testing/again.h"
#include "sandbox/testing/shell.h"

namespace hone::sandbox {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

TEST(Profiles, EveryProfileHasOneRowAndAsksForEveryLayer) {
  ASSERT_EQ(profiles().size(), std::size(EnumNames<Profile>::table));
  for (const auto& row : EnumNames<Profile>::table) {
    EXPECT_EQ(row_of(row.value).profile, row.value);
    EXPECT_EQ(row_of(row.value).layers, LayerSet::all());
  }
}

TEST(Layers, SetsAddRemoveAndName) {
  const LayerSet set{Layer::seccomp, Layer::pid_namespace};
  EXPECT_TRUE(set.has(Layer::seccomp));
  EXPECT_FALSE(set.has(Layer::own_proc));
  EXPECT_EQ(set.without(Layer::seccomp), LayerSet{Layer::pid_namespace});
  EXPECT_THAT(names(set), testing::ElementsAre("pid-namespace", "seccomp"));
}

TEST(Layers, PrivilegesLimitsAndFilterNeedNoNamespace) {
  EXPECT_TRUE(machine_has(Layer::no_new_privileges));
  EXPECT_TRUE(machine_has(Layer::resource_limits));
  EXPECT_TRUE(machine_has(Layer::seccomp));
  EXPECT_FALSE(machine_has(Layer::other_user) && machine_has(Layer::user_namespace))
      << "one kind of identity or the other";
}

TEST(Spawn, RunsAProgramAndReportsItsEnding) {
  auto child = spawn(shell("exit 7"));
  ASSERT_TRUE(child) << to_text(child.error());
  const auto ending = child->wait(20s);
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->how, Ending::How::exited);
  EXPECT_EQ(ending->value, 7);
  EXPECT_EQ(child->wait(0s)->value, 7) << "asked again, it answers the same";
}

TEST(Spawn, AMissingProgramIsAnErrorThatNamesTheStep) {
  const auto child = spawn({.program = "/usr/bin/no-such-program", .argv = {"x"}});
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().what, HasSubstr("starting the program failed"));
}

TEST(Spawn, AnAbsentFolderIsAnErrorThatNamesTheStep) {
  Confinement confinement = shell("true");
  confinement.folder = "/no/such/folder";
  const auto child = spawn(confinement);
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().what, HasSubstr("entering the folder failed"));
}

TEST(Spawn, LendingAnAbsentPathIsAnError) {
  Confinement confinement = shell("true");
  confinement.mounts = {{"/no/such/path", Access::read_only}};
  const auto child = spawn(confinement);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, ErrorCode::io);
}

TEST(Spawn, TheEnvironmentIsExactlyWhatWasGiven) {
  setenv("HONE_TEST_LEAK", "1", 1);
  const auto outcome = run_shell("env");
  EXPECT_THAT(outcome.output, Not(HasSubstr("HONE_TEST_LEAK")));
  EXPECT_THAT(outcome.output, HasSubstr("PATH=/usr/bin:/bin"));
}

TEST(Spawn, OnlyTheDescriptorsHandedOverAreOpen) {
  NEEDS(Layer::own_proc);
  const int leaked = open("/etc/passwd", O_RDONLY);  // without close-on-exec, on purpose
  ASSERT_GE(leaked, 0);
  Fd lent(open("/dev/zero", O_RDONLY | O_CLOEXEC));
  Confinement confinement = shell("ls -l /proc/self/fd");
  confinement.descriptors = {lent.get()};
  const auto outcome = run_confined({.confinement = confinement});
  close(leaked);
  ASSERT_TRUE(outcome);
  EXPECT_THAT(outcome->output, HasSubstr("3 -> /dev/zero"));
  EXPECT_THAT(outcome->output, Not(HasSubstr("passwd")));
  EXPECT_THAT(outcome->output, Not(HasSubstr("5 ->"))) << "4 is the listing's own";
}

TEST(Spawn, SeesTheSystemButNoOtherFiles) {
  NEEDS(Layer::mount_namespace);
  const auto outcome = run_shell(
      "ls / /etc /dev /tmp; cat /etc/passwd /etc/hostname; touch /usr/x /x 2>&1; echo a > /tmp/a && cat /tmp/a");
  EXPECT_THAT(outcome.output, HasSubstr("usr"));
  EXPECT_THAT(outcome.output, HasSubstr("/etc/passwd: No such file"));
  EXPECT_THAT(outcome.output, HasSubstr("/etc/hostname: No such file"));
  // Who is neither root nor the owner hears of the mode first.
  EXPECT_THAT(outcome.output,
              AnyOf(HasSubstr("'/usr/x': Read-only file system"), HasSubstr("'/usr/x': Permission denied")));
  EXPECT_THAT(outcome.output, HasSubstr("'/x': Read-only file system"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("home")));
  EXPECT_TRUE(outcome.succeeded()) << "its own /tmp is writable";
}

TEST(Spawn, LentFoldersStandAtTheirOwnPathsWithTheirOwnAccess) {
  NEEDS(Layer::mount_namespace);
  auto folder = TemporaryFolder::make("/tmp", "hone-sandbox-");
  ASSERT_TRUE(folder);
  const fs::path in = folder->path() / "in";
  const fs::path out = folder->path() / "out";
  Disk disk;
  ASSERT_TRUE(disk.make_directories(in) && disk.make_directories(out) && write_file(disk, in / "word", "hello"));
  fs::permissions(folder->path(), fs::perms(0755));
  ASSERT_TRUE(give_to_confined(out));
  Confinement confinement = shell(fmt::format("cat {0}/word > {1}/copy; echo x > {0}/word", in.string(), out.string()));
  confinement.mounts = {{in, Access::read_only}, {out, Access::read_write}};
  const auto outcome = run_confined({.confinement = confinement});
  ASSERT_TRUE(outcome) << to_text(outcome.error());
  EXPECT_EQ(read_file(out / "copy").value_or(""), "hello");
  EXPECT_EQ(read_file(in / "word").value_or(""), "hello") << outcome->output;
}

TEST(Spawn, MountsStayInside) {
  const auto before = read_file("/proc/self/mountinfo");
  run_shell("true");
  EXPECT_EQ(read_file("/proc/self/mountinfo").value_or("a"), before.value_or("b"));
}

TEST(Spawn, IsNobodyAndHoldsNoCapability) {
  NEEDS(Layer::own_proc);
  const auto outcome = run_shell("id -u; grep -E 'Cap(Eff|Bnd)|NoNewPrivs|Seccomp:' /proc/self/status");
  EXPECT_THAT(outcome.output, HasSubstr("CapEff:\t0000000000000000"));
  EXPECT_THAT(outcome.output, HasSubstr("NoNewPrivs:\t1"));
  EXPECT_THAT(outcome.output, HasSubstr("Seccomp:\t2"));
  EXPECT_THAT(outcome.output, Not(testing::StartsWith("0\n")));
}

TEST(Spawn, SeesOnlyItsOwnProcesses) {
  NEEDS(Layer::own_proc);
  const auto outcome = run_shell("echo $$; ls -d /proc/[0-9]* | wc -l");
  EXPECT_THAT(outcome.output, testing::StartsWith("1\n"));
  EXPECT_LE(std::stoi(outcome.output.substr(2)), 4);
}

TEST(Spawn, ABuildMayStartProgramsButNoNamespacesAndNoSockets) {
  const auto outcome = run_shell("sh -c 'echo child'; unshare -U true; mount -t tmpfs x /tmp");
  EXPECT_THAT(outcome.output, HasSubstr("child"));
  EXPECT_THAT(outcome.output, HasSubstr("unshare failed"));
  EXPECT_FALSE(outcome.succeeded());
}

TEST(Spawn, LimitsHold) {
  const auto outcome = run_shell("ulimit -c; ulimit -n; ulimit -t");
  EXPECT_EQ(outcome.output, "0\n1024\n600\n");
}

TEST(Spawn, IsPinnedBeforeItStarts) {
  NEEDS(Layer::own_proc);
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  int core = 0;
  while (!CPU_ISSET(core, &set)) ++core;
  Confinement confinement = shell("grep Cpus_allowed_list /proc/self/status");
  confinement.cores = {core};
  const auto outcome = run_confined({.confinement = confinement});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output, fmt::format("Cpus_allowed_list:\t{}\n", core));
}

ConfinedOutcome run_below_a_sanitizer(const std::string& script) {
  Confinement confinement = shell(script);
  confinement.profile = Profile::sanitizer;
  auto outcome = run_confined({.confinement = confinement});
  EXPECT_TRUE(outcome) << to_text(outcome.error());
  return outcome ? *outcome : ConfinedOutcome{};
}

TEST(Spawn, ASanitizerHasALoopbackAndSharedMemoryOfItsOwn) {
  NEEDS(Layer::network_namespace);
  NEEDS(Layer::mount_namespace);
  NEEDS(Layer::own_proc);
  const std::string script = "cat /proc/self/net/fib_trie; cat /proc/self/net/dev; echo x > /dev/shm/x && echo written";
  const std::string seen = run_below_a_sanitizer(script).output;
  EXPECT_THAT(seen, HasSubstr("127.0.0.1")) << "it is awake";
  EXPECT_THAT(seen, HasSubstr("written"));
  EXPECT_THAT(seen, Not(HasSubstr("eth"))) << "there is no other interface";
  EXPECT_THAT(run_shell(script).output, Not(AnyOf(HasSubstr("127.0.0.1"), HasSubstr("written"))))
      << "a build has neither";
}

TEST(Child, FreezeStopsAndThawContinues) {
  Fd file(memfd_create("out", MFD_CLOEXEC));
  Confinement confinement = shell("while :; do echo x; done");
  confinement.output = file.get();
  auto child = spawn(confinement);
  ASSERT_TRUE(child);
  ASSERT_FALSE(child->freeze());
  const off_t frozen_at = lseek(file.get(), 0, SEEK_END);
  usleep(20000);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_END), frozen_at);
  child->thaw();
  EXPECT_FALSE(child->wait(20ms));
  ASSERT_FALSE(child->freeze());
}

TEST(Child, FreezingADeadChildTellsItsEnding) {
  auto child = spawn(shell("exit 3"));
  ASSERT_TRUE(child);
  usleep(100000);
  const auto ending = child->freeze();
  ASSERT_TRUE(ending);
  EXPECT_EQ(child->wait(0s)->value, ending->value);
}

// The tree holds the writing end of a pipe: when the pipe closes, the last process of the tree is gone.
TEST(Child, ItsEndIsTheEndOfTheWholeTree) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Fd read_end(ends[0]);
  {
    Fd write_end(ends[1]);
    Confinement confinement =
        shell("trap '' TERM INT HUP; (setsid sleep 1000 || sleep 1000) & (sleep 1000 &) ; sleep 1000");
    confinement.descriptors = {write_end.get()};
    auto child = spawn(confinement);
    ASSERT_TRUE(child);
    EXPECT_FALSE(child->wait(50ms));
  }
  char byte;
  EXPECT_EQ(read(read_end.get(), &byte, 1), 0);
}

TEST(Child, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    Confinement confinement = shell("exec sleep 1000");
    confinement.descriptors = {ends[1]};
    auto child = spawn(confinement);
    kill(getpid(), SIGKILL);
  }
  close(ends[1]);
  waitpid(parent, nullptr, 0);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
  if (group_home()) sweep_groups(group_home()->folder);  // as the next start does
}

TEST(RunConfined, KeepsBothStreamsUpToTheCapAndDropsTheRest) {
  auto outcome = run_confined(
      {.confinement = shell("echo out; echo err >&2; head -c 3000000 /dev/zero; exit 4"), .output_cap_bytes = 1000});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->output.size(), 1000u);
  EXPECT_THAT(outcome->output, testing::StartsWith("out\nerr\n"));
  EXPECT_EQ(outcome->ending->value, 4);
}

TEST(RunConfined, AnEndlessFloodIsKilled) {
  auto outcome = run_confined({.confinement = shell("yes"), .flood_bytes = 1 << 20});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->how, ConfinedOutcome::How::flooded);
  EXPECT_FALSE(outcome->succeeded());
}

TEST(RunConfined, ADeadlineKillsSilentAndLoudAlike) {
  EXPECT_EQ(run_shell("trap '' TERM; sleep 1000", 50ms).how, ConfinedOutcome::How::timed_out);
  // By the shell's own words: a faster program may reach the limit of a file before its deadline.
  EXPECT_EQ(run_shell("while :; do echo y; done", 50ms).how, ConfinedOutcome::How::timed_out);
  EXPECT_EQ(run_shell("exec >/dev/null 2>&1; sleep 1000", 50ms).how, ConfinedOutcome::How::timed_out);
}

// ---- the same tests again, as somebody else and with less ----

constexpr const char* k_all = "-Again.*:SecurityPage.*";

TEST(Again, WithoutNamespacesTheOtherLayersHold) {
  const auto done = run_again({k_without_namespaces}, k_all);
  if (!done) GTEST_SKIP() << "this machine refuses user namespaces";
  EXPECT_TRUE(done->succeeded()) << done->output;
  EXPECT_THAT(done->output, HasSubstr("[  SKIPPED ] Spawn.SeesTheSystemButNoOtherFiles"))
      << "the layer was still there";
  if (machine_has(Layer::landlock)) {
    EXPECT_THAT(done->output, HasSubstr("[       OK ] Lent.IsReadAndWrittenAsItWasLentAndNothingElseIs"));
  }
}

TEST(Again, AnOrdinaryUserIsConfinedAsWell) {
  if (geteuid() != 0) GTEST_SKIP() << "this is one";
  const auto done = run_again({k_as_ordinary_user}, k_all);
  ASSERT_TRUE(done) << "needs setpriv";
  EXPECT_TRUE(done->succeeded()) << done->output;
}

// No namespace, no control group, no other user: process groups, limits, Landlock and the filter are what is left.
TEST(Again, AnOrdinaryUserWithoutNamespacesKeepsWhatIsLeft) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  const auto done = run_again({k_as_ordinary_user, k_without_namespaces}, k_all);
  if (!done) GTEST_SKIP() << "this machine refuses user namespaces";
  EXPECT_TRUE(done->succeeded()) << done->output;
  EXPECT_THAT(done->output, HasSubstr("[  SKIPPED ] Groups.HoldAProcessAndGoWithIt"));
}

}  // namespace
}  // namespace hone::sandbox
