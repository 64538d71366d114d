// Programs that do to a build the worst that they can. Each is ended within its deadline and two seconds, and leaves no
// process, mount, file or control group behind, whichever layers the machine grants.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include "base/disk.h"
#include "sandbox/testing/shell.h"
#include "sandbox/testing/traces.h"

namespace hone::sandbox {
namespace {

using namespace std::chrono_literals;
using How = ConfinedOutcome::How;

constexpr Nanoseconds k_grace = 2s;

std::string all_files_below(const fs::path& folder) {
  const auto files = list_files(folder);
  std::string text;
  for (const fs::path& file : files.value_or(std::vector<fs::path>())) text += file.string() + "\n";
  return text;
}

class HostileBuild : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryFolder::make("/tmp", "hone-hostile-");
    ASSERT_TRUE(made);
    folder_ = std::make_unique<TemporaryFolder>(std::move(*made));
    fs::permissions(folder_->path(), fs::perms(0755));
    for (const char* name : {"source", "objects"}) fs::create_directory(folder_->path() / name);
    ASSERT_TRUE(write_file(disk_, source() / "kernel.cpp", "int k;\n"));
    ASSERT_TRUE(give_to_confined(folder_->path() / "objects"));
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    living_.reset(ends[0]);
    held_.reset(ends[1]);
  }

  // Every process of the tree holds the writing end of a pipe: it closes with the last of them.
  void TearDown() override {
    held_.reset();
    pollfd last{living_.get(), POLLIN, 0};
    EXPECT_EQ(poll(&last, 1, 0), 1) << "a process is left";
    traces_.expect_none();
    EXPECT_EQ(all_files_below(source()), "kernel.cpp\n");
  }

  ConfinedOutcome run(const std::string& script, Nanoseconds deadline) {
    Confinement confinement = shell(script);
    confinement.folder = source();
    confinement.mounts = {{source(), Access::read_only}, {folder_->path() / "objects", Access::read_write}};
    confinement.descriptors = {held_.get()};
    confinement.address_space_bytes = 1ull << 30;
    const SystemClock clock;
    const Nanoseconds start = clock.now();
    auto outcome = run_confined({.confinement = confinement, .deadline = deadline});
    EXPECT_LE(to_seconds(clock.now() - start), to_seconds(deadline + k_grace));
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : ConfinedOutcome{};
  }

  fs::path source() const { return folder_->path() / "source"; }

  Disk disk_;
  std::unique_ptr<TemporaryFolder> folder_;
  Traces traces_;
  Fd living_;
  Fd held_;
};

// Processes are counted by user, and what root confines shares one: other tests build as nobody at the same time, so
// there the bomb stops itself earlier than its profile would.
TEST_F(HostileBuild, ForksTenThousandTimes) {
  const std::string sparing = machine_has(Layer::other_user) ? "ulimit -p 300; " : "";
  run(sparing + "i=0; while [ $i -lt 10000 ]; do sleep 1000 & i=$((i+1)); done; wait", 3s);
}

TEST_F(HostileBuild, ForksWhoseParentsAreGone) {
  EXPECT_EQ(run("i=0; while [ $i -lt 50 ]; do (sleep 1000 & sleep 1000 &) ; i=$((i+1)); done; sleep 1000", 1s).how,
            How::timed_out);
  EXPECT_EQ(run("i=0; while [ $i -lt 50 ]; do (sleep 1000 &) ; i=$((i+1)); done", 10s).how, How::ended)
      << "what outlives the first process is a leftover";
}

TEST_F(HostileBuild, AllocatesWithoutEnd) {
  const auto outcome = run("tail /dev/zero", 20s);
  EXPECT_EQ(outcome.how, How::ended);
  EXPECT_FALSE(outcome.succeeded());
}

TEST_F(HostileBuild, HangsAndIgnoresEverySignalItCan) {
  EXPECT_EQ(run("trap '' HUP INT QUIT TERM USR1 USR2 ALRM PIPE; while :; do :; done", 500ms).how, How::timed_out);
}

TEST_F(HostileBuild, PrintsTenGigabytes) {
  const auto outcome = run("head -c 10000000000 /dev/zero", 20s);
  EXPECT_NE(outcome.how, How::ended);
  EXPECT_LE(outcome.output.size(), 64u << 10);
}

TEST_F(HostileBuild, WritesTenGigabytesToAFile) {
  const auto outcome = run("head -c 10000000000 /dev/zero > \"$TMPDIR\"/big", 20s);
  EXPECT_FALSE(outcome.succeeded()) << "no file may be that large";
}

TEST_F(HostileBuild, DeletesItsOwnDirectory) {
  // Its own and the folder above it, by name and from inside; what the test made and nothing else.
  run("rm -rf \"$PWD\"; rm -rf ../source; rm -f *; rm -rf \"$PWD\"/../objects/*; true", 20s);
  EXPECT_TRUE(path_exists(folder_->path() / "objects"));
}

}  // namespace
}  // namespace hone::sandbox
