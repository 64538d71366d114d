// The local executor and a judge that is not one: it dies, or it never answers.
#include "execute/local.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/disk.h"

namespace hone::execute {
namespace {

using ::testing::HasSubstr;

class Local : public ::testing::Test {
 protected:
  // Its own runtime folder: the device's lock there is nobody else's.
  Local() : folder_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-local-")) {
    setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
  }
  ~Local() override { unsetenv("XDG_RUNTIME_DIR"); }

  // With this shell script as the judge.
  Result<campaign::Verdict> ask(const std::string& script) {
    LocalRequest request;
    request.program = folder_.path() / "judge";
    Disk disk;
    HONE_CHECK(write_file(disk, request.program, "#!/bin/sh\n" + script + "\n", Durable::no, 0755));
    HONE_TRY(const auto executor, make_local_executor(request));
    judge::JudgingJob job;
    job.id = "j1";
    judge::Observer observer;
    observer.round = [](const judge::RoundRecord&) { return ok(); };
    observer.progress = [](const judge::Progress&) {};
    observer.cancelled = [this] { return cancelled_after_ >= 0 && cancelled_after_-- == 0; };
    return executor->run(job, observer);
  }

  TemporaryFolder folder_;
  int cancelled_after_ = -1;
};

TEST_F(Local, AJudgeThatEndsWithoutAVerdictIsAFault) {
  const auto verdict = ask("exit 0");
  ASSERT_FALSE(verdict);
  EXPECT_THAT(verdict.error().what, HasSubstr("judge"));
  EXPECT_EQ(exit_code(verdict.error().code), 5);
}

TEST_F(Local, AJudgeThatNeverAnswersIsEndedWithTheRun) {
  cancelled_after_ = 2;
  const auto verdict = ask("exec sleep 60");
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::interrupted);
}

TEST_F(Local, TheDeviceIsFreeAgainAfterAJob) {
  std::ignore = ask("exit 0");
  cancelled_after_ = 0;
  EXPECT_EQ(ask("exec sleep 60").error().code, ErrorCode::interrupted) << "and not waiting for a lock";
}

}  // namespace
}  // namespace hone::execute
