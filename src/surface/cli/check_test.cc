// `hone check --contract-only`: what it prints where, and with which status it ends.
#include "surface/cli/check.h"

#include <gmock/gmock.h>

#include "campaign/verdict.h"
#include "loop/testing/sample_texts.h"
#include "surface/cli/testing/small_campaign.h"
#include "task/task_folder_for_tests.h"

namespace hone::cli {

Command check_command();

namespace {

using ::testing::HasSubstr;

// One output that stands for all of the input, without saying how many terms it adds up.
std::string with_a_warning() {
  const std::string text(task::k_scale_toml);
  return task::replaced(text, "role = \"out\"\ndtype = \"f32\"\nshape = [\"n\"]",
                        "role = \"out\"\ndtype = \"f32\"\nshape = [1]");
}

testing::Called check(const task::TaskFolder& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"check", folder.path().string(), "--contract-only"});
  return testing::call({check_command()}, more);
}

TEST(Check, SaysThatAContractIsSound) {
  const auto called = check(task::TaskFolder(task::scale_files()));
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("the contract of 'scale' is sound (2 cases, digest 073aaf04"));
}

TEST(Check, JsonIsOneDocumentAndWarningsAreInItAndOnStandardError) {
  const task::TaskFolder folder(task::scale_files());
  folder.write("task.toml", with_a_warning());
  ::testing::internal::CaptureStderr();
  const auto called = check(folder, {"--json"});
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(called.status, 0) << called.error;
  const auto document = json::from_text<ContractDocument>(called.output);
  ASSERT_TRUE(document) << to_text(document.error()) << called.output;
  EXPECT_EQ(document->name, "scale");
  EXPECT_EQ(document->cases, 2u);
  ASSERT_EQ(document->warnings.size(), 1u);
  EXPECT_THAT(document->warnings[0].what, HasSubstr("states no terms"));
  EXPECT_THAT(told, ::testing::AllOf(HasSubstr("warning: "), HasSubstr("states no terms")));
}

TEST(Check, AVerdictCarriesTheWarningsAsNotes) {
  const task::TaskFolder folder(task::scale_files());
  folder.write("task.toml", with_a_warning());
  folder.write("tape.jsonl", std::string(loop::testing::k_tape));
  const auto called = testing::call({check_command()}, {"check", folder.path().string(), "--json", "--tape",
                                                        (folder.path() / "tape.jsonl").string()});
  const auto verdict = json::from_text<campaign::Verdict>(called.output);
  ASSERT_TRUE(verdict) << called.output << called.error;
  EXPECT_THAT(verdict->notes, ::testing::Contains(HasSubstr("contract: argument 'y' seems to be reduced")));
}

TEST(Check, AFormulaAtFaultIsFoundWithoutRunningAnything) {
  const task::TaskFolder folder(task::scale_files());
  folder.write("task.toml", task::replaced(std::string(task::k_scale_toml), "kind = \"normal\", mean = 0.0, std = 1.0",
                                           "kind = \"formula\", formula = \"1 // (i - 7)\""));
  const auto called = check(folder);
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("task.toml:18:41: division by zero"));
}

TEST(Check, AFaultAndAnOpenQuestionAreCountedInPlainWords) {
  const task::TaskFolder folder(task::scale_files());
  folder.write("task.toml", task::replaced(std::string(task::k_scale_toml), "role = \"out\"", "role = \"?\""));
  EXPECT_THAT(check(folder).error, HasSubstr("1 open question\n"));
  folder.write("task.toml", task::replaced(std::string(task::k_scale_toml), "role = \"out\"", "role = \"outt\""));
  EXPECT_THAT(check(folder).error, HasSubstr(": 1 error, 0 open questions"));
}

}  // namespace
}  // namespace hone::cli
