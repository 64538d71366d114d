// Where groups are made, and that none outlives its process.
#include "sandbox/control_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/disk.h"
#include "sandbox/testing/shell.h"
#include "sandbox/testing/traces.h"

namespace hone::sandbox {
namespace {

constexpr const char* k_hybrid =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:4 - cgroup2 cgroup2 rw\n";
constexpr const char* k_container = "41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n";

TEST(OwnGroup, IsReadFromTheTwoFilesThatTell) {
  EXPECT_EQ(own_group(k_hybrid, "8:pids:/elsewhere\n0::/user.slice/a.scope\n"),
            "/sys/fs/cgroup/unified/user.slice/a.scope");
  EXPECT_EQ(own_group(k_hybrid, "0::/\n"), "/sys/fs/cgroup/unified");
  EXPECT_EQ(own_group(k_container, "0::/docker/abc/hone\n"), "/sys/fs/cgroup/hone") << "a part of it is mounted";
}

TEST(OwnGroup, IsAbsentWhereItCannotBeReached) {
  EXPECT_EQ(own_group("", "0::/\n"), std::nullopt);
  EXPECT_EQ(own_group(k_hybrid, "8:pids:/\n"), std::nullopt) << "version 1 alone";
  EXPECT_EQ(own_group(k_container, "0::/elsewhere\n"), std::nullopt) << "outside of what is mounted";
}

std::set<std::string> groups_of(pid_t owner) { return Traces::groups_of(owner); }

TEST(Groups, HoldAProcessAndGoWithIt) {
  NEEDS(Layer::control_group);
  EXPECT_TRUE(groups_of(getpid()).empty());
  {
    auto child = spawn(shell("sleep 1000 & sleep 1000 & wait"));
    ASSERT_TRUE(child) << to_text(child.error());
    ASSERT_EQ(groups_of(getpid()).size(), 1u);
    const auto inside = read_file(group_home()->folder / *groups_of(getpid()).begin() / "cgroup.procs");
    EXPECT_THAT(inside.value_or(""), testing::HasSubstr(fmt::format("{}\n", child->pid())));
  }
  EXPECT_TRUE(groups_of(getpid()).empty());
}

TEST(Groups, OfADeadProcessAreKilledAndRemoved) {
  NEEDS(Layer::control_group);
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t owner = fork();
  if (owner == 0) {
    auto group = ControlGroup::make(*group_home(), {});
    const pid_t stray = fork();
    if (stray == 0) {
      const Fd join(open((group_home()->folder / *groups_of(getppid()).begin() / "cgroup.procs").c_str(), O_WRONLY));
      std::ignore = write(join.get(), "0", 1);
      std::ignore = write(ends[1], "x", 1);
      for (;;) pause();
    }
    for (;;) pause();
  }
  close(ends[1]);
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1) << "the stray is in the group";
  sweep_groups(group_home()->folder);
  EXPECT_EQ(groups_of(owner).size(), 1u) << "its maker lives";
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  sweep_groups(group_home()->folder);
  EXPECT_EQ(groups_of(owner).size(), 0u);
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "the stray is gone";
  while (waitpid(-1, nullptr, WNOHANG) > 0) {  // ours, where this process is the reaper
  }
  close(ends[0]);
}

TEST(Groups, AFolderOfAnotherKindIsRefusedAndLeftAsItWas) {
  const auto folder = TemporaryFolder::make("/tmp", "hone-group-");
  ASSERT_TRUE(folder);
  EXPECT_FALSE(ControlGroup::make({folder->path(), true}, {}));
  EXPECT_TRUE(fs::is_empty(folder->path()));
}

TEST(Groups, OfOthersAreLeftAlone) {
  NEEDS(Layer::control_group);
  const fs::path foreign = group_home()->folder / fmt::format("hone-1-{}-1-0", getpid());
  ASSERT_TRUE(fs::create_directory(foreign)) << "of another pid namespace";
  sweep_groups(group_home()->folder);
  EXPECT_TRUE(fs::remove(foreign));
}

}  // namespace
}  // namespace hone::sandbox
