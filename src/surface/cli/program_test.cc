// The program as it is typed: exit statuses, and what stands on which stream.
#include "surface/cli/program.h"

#include <gmock/gmock.h>

#include "base/disk.h"
#include "base/process.h"
#include "base/testing/golden.h"
#include "device/opencl/testing/processor.h"
#include "sandbox/profile.h"

namespace hone::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Program : public ::testing::Test {
 protected:
  Program() : folder_(*TemporaryFolder::make(fs::temp_directory_path(), "hone-program-")) {}
  Finished hone(std::vector<std::string> words) {
    words.insert(words.begin(), HONE_BINARY);
    Processes processes;
    auto done = processes.run({.argv = words, .folder = folder_.path()});
    EXPECT_TRUE(done) << to_text(done.error());
    return done ? *done : Finished{};
  }
  TemporaryFolder folder_;
};

TEST_F(Program, HelpAndVersionEndWithZeroOnStandardOutput) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{}, {"--help"}, {"--version"}, {"status", "--help"}, {"--manual"}}) {
    const Finished done = hone(words);
    EXPECT_EQ(done.exit_status, 0);
    EXPECT_FALSE(done.output.empty());
    EXPECT_EQ(done.errors, "");
  }
}

TEST_F(Program, WrongUsageEndsWithTwoOnStandardError) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"statu"}, {"status", "--jso"}, {"init"}, {"status"}, {"apply", "v1", "v2"}, {"log", "--last", "x"}}) {
    const Finished done = hone(words);
    EXPECT_EQ(done.exit_status, 2) << words.front();
    EXPECT_EQ(done.output, "") << words.front();
    EXPECT_FALSE(done.errors.empty()) << words.front();
  }
}

// What a shell does with `command`.
Finished shell(const fs::path& folder, const std::string& command) {
  return *Processes().run({.argv = {"sh", "-c", command}, .folder = folder, .environment = {{"HONE", HONE_BINARY}}});
}

TEST_F(Program, AnAnswerThatCannotBePrintedIsAFault) {
  const Finished full = shell(folder_.path(), "$HONE --help >/dev/full");
  EXPECT_EQ(full.exit_status, 5);
  EXPECT_THAT(full.errors, HasSubstr("cannot write to standard output"));
  EXPECT_EQ(shell(folder_.path(), "$HONE --help >&-").exit_status, 5);
}

TEST_F(Program, ALimitTooSmallIsTheMachinesFaultAndSaysWhatToType) {
  if (!sandbox::k_limits_address_space) GTEST_SKIP() << "a sanitizer's own memory ends first";
  const std::string task = std::string(HONE_SOURCE_DIR) + "/examples/softmax";
  const std::string home = "export XDG_CACHE_HOME=$PWD XDG_DATA_HOME=$PWD; ";
  for (const char* limit : {"-p 1", "-d 20000", "-n 16", "-s 64", "-v 1000000", "-f 1000"}) {
    const Finished done = shell(folder_.path(), home + "ulimit " + limit + "; $HONE verify " + task);
    EXPECT_EQ(done.exit_status, 3) << limit << done.errors;
    EXPECT_EQ(done.output, "") << limit;
    EXPECT_THAT(done.errors, HasSubstr("at most here")) << limit;
    EXPECT_THAT(done.errors, HasSubstr("raise the limit: ulimit -")) << limit;
  }
  EXPECT_EQ(shell(folder_.path(), "ulimit -s 64; $HONE --version").exit_status, 3);
  EXPECT_EQ(shell(folder_.path(), "ulimit -n 16; $HONE --version").exit_status, 0) << "it judges nothing";
}

// Whoever set one may think that it chose.
TEST_F(Program, WhyADeviceWasChosenNamesTheVariablesThatDidNot) {
  HONE_NEEDS_PROCESSOR();
  const std::string task = std::string(HONE_SOURCE_DIR) + "/examples/opencl/gemv";
  ASSERT_EQ(shell(folder_.path(), "cp -r " + task + " task; cd task; echo nonsense >$(ls *.cl)").exit_status, 0);
  const std::string verify = "export XDG_CACHE_HOME=$PWD XDG_DATA_HOME=$PWD; $HONE verify --device cpu task";
  const std::string followed =
      "and not followed: every device is listed, and the one that judges is chosen by its uuid";
  EXPECT_THAT(shell(folder_.path(), "export CUDA_VISIBLE_DEVICES=3 ROCR_VISIBLE_DEVICES=; " + verify).errors,
              HasSubstr("; CUDA_VISIBLE_DEVICES is set to '3' " + followed + "; ROCR_VISIBLE_DEVICES is set to '' " +
                        followed + "\n"));
  const Finished plain = shell(folder_.path(), verify);
  EXPECT_THAT(plain.errors, HasSubstr(", --device cpu, pinned to core"));
  EXPECT_THAT(plain.errors, ::testing::Not(HasSubstr("not followed")));
}

TEST_F(Program, AReaderThatLeavesIsNoFault) {
  EXPECT_EQ(shell(folder_.path(), "($HONE --manual; echo $? >status) | head -n 1 >/dev/null; cat status").output,
            "0\n");
}

TEST_F(Program, WithJsonAnErrorIsADocumentToo) {
  const Finished done = hone({"status", "--json"});
  EXPECT_EQ(done.exit_status, 2);
  const auto document = json::from_text<ErrorDocument>(done.output);
  ASSERT_TRUE(document) << to_text(document.error());
  EXPECT_EQ(document->schema, "hone.error/1");
  EXPECT_EQ(document->code, ErrorCode::usage);
  EXPECT_THAT(document->what, HasSubstr("there is no campaign"));
  EXPECT_THAT(document->help.value_or(""), HasSubstr("hone run"));
}

TEST_F(Program, WithJsonAWrongOptionIsADocumentToo) {
  const Finished done = hone({"status", "--json", "--tine"});
  EXPECT_EQ(done.exit_status, 2);
  EXPECT_TRUE(json::from_text<ErrorDocument>(done.output));
}

TEST_F(Program, WithoutACompilerDoctorEndsWithThree) {
  Processes processes;
  const auto done =
      processes.run({.argv = {HONE_BINARY, "doctor", "--json"}, .environment = {{"PATH", folder_.path().string()}}});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_status, 3);
  EXPECT_THAT(done->output, StartsWith("{\n  \"schema\": \"hone.doctor/1\""));
}

TEST(ErrorDocuments, HoldAllOfAnError) {
  Error error{ErrorCode::io, "cannot write", {"log.jsonl", 3, 0}, "the disk is full", "free some space"};
  const ErrorDocument document = to_document(std::move(error).because({ErrorCode::io, "ENOSPC"}));
  EXPECT_EQ(document.where, "log.jsonl:3");
  ASSERT_EQ(document.causes.size(), 1u);
  EXPECT_EQ(document.causes[0].what, "ENOSPC");
  EXPECT_FALSE(document.causes[0].where);
}

}  // namespace
}  // namespace hone::cli
