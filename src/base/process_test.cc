#include "base/process.h"

#include <gtest/gtest.h>

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
