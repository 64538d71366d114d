#include "base/process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/clock.h"
#include "base/disk.h"

namespace hone {
namespace {

TEST(Processes, CapturesBothStreamsAndTheStatus) {
  const auto done = Processes().run({.argv = {"sh", "-c", "cat; echo err >&2; exit 7"}, .input = "in"});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_status, 7);
  EXPECT_EQ(done->output, "in");
  EXPECT_EQ(done->errors, "err\n");
  EXPECT_FALSE(done->succeeded());
}

TEST(Processes, AMissingProgramIsTheEnvironmentsFault) {
  const auto done = Processes().run({.argv = {"no-such-program-here"}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::environment);
}

TEST(Processes, ADeadlineKills) {
  const auto done = Processes().run({.argv = {"sleep", "100"}, .deadline = std::chrono::milliseconds(50)});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->timed_out);
  EXPECT_EQ(done->exit_status, 128 + 9);
}

TEST(Processes, ADeadlineKillsWhatTheChildStartedToo) {
  const auto began = SystemClock().now();
  const auto done =
      Processes().run({.argv = {"sh", "-c", "sleep 100 & echo $!; wait"}, .deadline = std::chrono::milliseconds(300)});
  ASSERT_TRUE(done && done->timed_out);
  const pid_t grandchild = std::stoi(done->output);
  while (kill(grandchild, 0) == 0 && SystemClock().now() - began < std::chrono::seconds(20)) {
    const std::string state = read_file(fmt::format("/proc/{}/stat", grandchild)).value_or(") Z");
    if (state.find(") Z") != std::string::npos) break;  // nobody reaps it here
  }
  const std::string state = read_file(fmt::format("/proc/{}/stat", grandchild)).value_or(") Z");
  EXPECT_NE(state.find(") Z"), std::string::npos);
}

TEST(Processes, AFloodIsCutOff) {
  const auto done = Processes().run({.argv = {"yes"}, .output_cap_bytes = 1000});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().what.find("printed more than"), std::string::npos);
}

TEST(Processes, TheEnvironmentIsMinimal) {
  setenv("HONE_TEST_LEAK", "1", 1);
  const auto done = Processes().run({.argv = {"env"}, .environment = {{"EXTRA", "2"}}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->output.find("HONE_TEST_LEAK"), std::string::npos);
  EXPECT_NE(done->output.find("EXTRA=2"), std::string::npos);
}

}  // namespace
}  // namespace hone
