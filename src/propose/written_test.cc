// What somebody wrote down: a script's lines and a person's edit.
#include <gmock/gmock.h>

#include "propose/manual.h"
#include "propose/script.h"
#include "propose/tuner.h"
#include "task/task_folder_for_tests.h"

namespace hone::propose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Screener k_no_screen = [](const auto&, Nanoseconds) -> Result<ScreenAnswer> { return ScreenAnswer{}; };

class Written : public ::testing::Test {
 protected:
  Written() : folder_(task::scale_files()), task_(*task::require_task(folder_.path())) {
    brief_.task = &task_;
    brief_.from = *task::read_candidate(task_, folder_.path());
    brief_.turn = 1;
  }
  std::unique_ptr<Proposer> script(const std::string& text) {
    folder_.write("script.jsonl", text);
    auto made = make_script(folder_.path() / "script.jsonl");
    EXPECT_TRUE(made) << to_text(made.error());
    return made ? *std::move(made) : nullptr;
  }
  std::unique_ptr<Proposer> manual() const { return make_manual(folder_.path()); }
  // The candidate of this turn.
  task::Candidate offered(Proposer& proposer) {
    const auto plan = proposer.plan(brief_);
    EXPECT_TRUE(plan && *plan);
    const auto proposal = proposer.propose(brief_, **plan, k_no_screen);
    EXPECT_TRUE(proposal) << to_text(proposal.error());
    return *proposal->candidate;
  }

  task::TaskFolder folder_;
  task::Task task_;
  Brief brief_;
};

TEST_F(Written, ALineReplacesTheChoicesThatItNames) {
  brief_.from = task::with_variant(brief_.from, {{{"ITEMS", "8"}}, {"O3"}});
  auto proposer = script(R"({"tier":1,"change":"a","values":{"BLOCK":"64"}})"
                         "\n"
                         R"({"tier":1,"change":"b","options":[]})"
                         "\n");
  const task::Candidate first = offered(*proposer);
  EXPECT_EQ(first.variant.values, (std::map<std::string, std::string>{{"BLOCK", "64"}}));
  EXPECT_THAT(first.variant.options, ElementsAre("O3"));
  brief_.turn = 2;
  const task::Candidate second = offered(*proposer);
  EXPECT_EQ(second.variant.values.at("ITEMS"), "8");
  EXPECT_TRUE(second.variant.options.empty());
}

TEST_F(Written, ALineTakesItsFilesFromAFolderBesideTheScript) {
  folder_.write("faster/kernel.cpp", "extern \"C\" int scale(float a, const float* x, float* y, int n);  // faster\n");
  auto proposer = script("{\"tier\":3,\"change\":\"another kernel\",\"folder\":\"faster\"}\n");
  EXPECT_THAT(offered(*proposer).files.front().bytes, HasSubstr("// faster"));
}

TEST_F(Written, AValueThatTheTaskDoesNotKnowIsAnErrorOfTheScript) {
  auto proposer = script("{\"tier\":1,\"change\":\"a\",\"values\":{\"BLOCK\":\"65\"}}\n");
  const auto proposal = proposer->propose(brief_, **proposer->plan(brief_), k_no_screen);
  ASSERT_FALSE(proposal);
  EXPECT_EQ(proposal.error().code, ErrorCode::contract);
}

TEST_F(Written, AScriptEndsAfterItsLastLineAndHasNoTurnZero) {
  auto proposer = script("{\"tier\":1,\"change\":\"a\",\"values\":{\"BLOCK\":\"64\"}}\n");
  brief_.turn = 2;
  EXPECT_EQ(*proposer->plan(brief_), std::nullopt);
  brief_.turn = 0;
  EXPECT_EQ(*proposer->plan(brief_), std::nullopt);
}

TEST_F(Written, TwoScriptsAreTwoProposers) {
  auto first = script("{\"tier\":1,\"change\":\"a\"}\n");
  folder_.write("other.jsonl", "{\"tier\":1,\"change\":\"a\"}\n");
  const auto other = make_script(folder_.path() / "other.jsonl");
  ASSERT_TRUE(other);
  EXPECT_NE(first->identity(), (*other)->identity());
  EXPECT_EQ(first->name(), (*other)->name());
}

TEST_F(Written, WhoeverWroteSomethingWaitsForItsJudgement) {
  EXPECT_EQ(script("")->source(), Source::written);
  EXPECT_EQ(manual()->source(), Source::written);
  EXPECT_EQ(make_tuner()->source(), Source::searched);
}

TEST_F(Written, AnUntouchedKernelIsNoEdit) { EXPECT_EQ(*manual()->plan(brief_), std::nullopt); }

TEST_F(Written, AnEditIsOfferedOnce) {
  folder_.write("kernel.cpp", "extern \"C\" int scale(float a, const float* x, float* y, int n);  // edit\n");
  auto proposer = manual();
  const task::Candidate edit = offered(*proposer);
  EXPECT_THAT(edit.files.front().bytes, HasSubstr("// edit"));
  brief_.rejected = {edit.digest.hex()};
  EXPECT_EQ(*proposer->plan(brief_), std::nullopt);
}

TEST_F(Written, ClosedAsADirectionAnEditIsNotOfferedAgain) {
  folder_.write("kernel.cpp", "extern \"C\" int scale(float a, const float* x, float* y, int n);  // edit\n");
  auto proposer = manual();
  brief_.closed_groups = {(*proposer->plan(brief_))->group};
  EXPECT_EQ(*proposer->plan(brief_), std::nullopt);
}

}  // namespace
}  // namespace hone::propose
