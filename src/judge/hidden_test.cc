// What of a hidden case may leave a judge, field by field, and that a public one loses nothing.
#include "judge/hidden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/task_folder_for_tests.h"

namespace hone::judge {
namespace {

using testing::HasSubstr;
using testing::Not;

task::BoundCase bound_case(bool hidden) {
  task::BoundCase bound;
  bound.id = hidden ? "hidden-1" : "odd";
  bound.hidden = hidden;
  return bound;
}

Failure wrong_element() {
  return {campaign::Outcome::incorrect_numerical,
          ArmName::candidate,
          "outside the error bound",
          "wrong at element 12345",
          "n = 12345",
          campaign::Mismatch{"hidden-1", "sparse", "y", 12345, "1.5", "2.5", 7.0}};
}

TEST(Veiled, AFailureKeepsItsKindAndNothingThatTellsSizesOrValues) {
  const Failure veil = veiled(wrong_element(), bound_case(true));
  EXPECT_EQ(veil.outcome, campaign::Outcome::incorrect_numerical);
  EXPECT_EQ(veil.reason, "outside the error bound");
  EXPECT_EQ(veil.message, "the hidden case 'hidden-1' fails: outside the error bound");
  EXPECT_EQ(veil.details, "");
  ASSERT_TRUE(veil.mismatch);
  EXPECT_EQ(veil.mismatch->case_id, "hidden-1");
  EXPECT_EQ(veil.mismatch->distribution, "sparse");
  EXPECT_EQ(veil.mismatch->argument, "y");
  EXPECT_FALSE(veil.mismatch->index);
  EXPECT_EQ(veil.mismatch->expected, "");
  EXPECT_EQ(veil.mismatch->found, "");
  EXPECT_FALSE(veil.mismatch->error_over_bound);
}

TEST(Veiled, APublicFailureStaysWhole) {
  const Failure same = veiled(wrong_element(), bound_case(false));
  EXPECT_EQ(same.message, "wrong at element 12345");
  EXPECT_EQ(same.details, "n = 12345");
  EXPECT_EQ(same.mismatch->index, 12345u);
  EXPECT_EQ(same.mismatch->found, "2.5");
}

campaign::Correctness counts() {
  campaign::Correctness counts;
  counts.trials = 3;
  counts.elements_compared = 12345;
  counts.worst_error_over_bound = 0.5;
  counts.worst_absolute_error = 0.25;
  counts.worst_relative_error = 0.125;
  return counts;
}

TEST(Veiled, CountsHoldNeitherElementsNorErrors) {
  const campaign::Correctness veil = veiled(counts(), bound_case(true));
  EXPECT_EQ(veil.trials, 3u);
  EXPECT_EQ(veil.elements_compared, 0u);
  EXPECT_FALSE(veil.worst_error_over_bound);
  EXPECT_FALSE(veil.worst_absolute_error);
  EXPECT_FALSE(veil.worst_relative_error);
}

TEST(Veiled, PublicCountsStayWhole) {
  const campaign::Correctness same = veiled(counts(), bound_case(false));
  EXPECT_EQ(same.elements_compared, 12345u);
  EXPECT_EQ(same.worst_relative_error, 0.125);
}

TEST(Veiled, AnErrorThatKeepsACaseFromBeingMadeReadySaysItsIdAlone) {
  const Error error{ErrorCode::environment, "12345 elements are too many", {"task.toml", 7, 1}, "of 12345", "fewer"};
  task::Case one;
  one.id = "hidden-1";
  EXPECT_EQ(to_text(veiled(error, one)), to_text(error));
  one.hidden = true;
  const Error veil = veiled(error, one);
  EXPECT_EQ(veil.code, ErrorCode::environment);
  EXPECT_THAT(to_text(veil), HasSubstr("hidden-1"));
  EXPECT_THAT(to_text(veil), Not(HasSubstr("12345")));
  EXPECT_THAT(to_text(veil), Not(HasSubstr("task.toml")));
}

TEST(RequireHiding, OneLayerThatHidesFilesIsEnoughAndNoneIsNot) {
  using sandbox::Layer;
  EXPECT_TRUE(require_hiding({Layer::mount_namespace}));
  EXPECT_TRUE(require_hiding({Layer::landlock}));
  const sandbox::LayerSet neither = sandbox::LayerSet::all().without(Layer::mount_namespace).without(Layer::landlock);
  const Status refused = require_hiding(neither);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::environment);
}

const std::string k_file = "schema = \"hidden/1\"\nnonce = \"" + std::string(64, '7') +
                           "\"\n[[cases]]\nuse = [\"verify\"]\nbind = { n = 4242, a = 0.5 }\n";

class ContractOf : public testing::Test {
 protected:
  ContractOf() {
    folder_.write("task.toml",
                  std::string(task::k_scale_toml) + "[hidden]\nsha256 = \"" + sha256(k_file).hex() + "\"\n");
    outside_.write("hidden.toml", k_file);
    job_.task_folder = folder_.path().string();
  }
  void with_hidden() { job_.hidden_file = (outside_.path() / "hidden.toml").string(); }

  task::TaskFolder folder_{task::scale_files()};
  task::TaskFolder outside_{{}};
  JudgingJob job_;
};

TEST_F(ContractOf, HasHiddenCasesWhereTheJobNamesTheirFile) {
  const size_t known = contract_of(job_)->cases.size();
  with_hidden();
  const auto task = contract_of(job_);
  ASSERT_TRUE(task) << to_text(task.error());
  ASSERT_EQ(task->cases.size(), known + 1);
  EXPECT_TRUE(is_hidden(*task, "hidden-1"));
  EXPECT_FALSE(is_hidden(*task, task->cases.front().id));
  EXPECT_FALSE(is_hidden(*task, "hidden-2"));
}

TEST_F(ContractOf, TakesNoOtherFile) {
  outside_.write("hidden.toml", k_file + "#\n");
  with_hidden();
  EXPECT_FALSE(contract_of(job_));
}

TEST_F(ContractOf, EveryVerdictSaysWhetherHiddenCasesWereUsed) {
  EXPECT_EQ(note_on_hidden(*contract_of(job_)), "the contract commits to hidden cases, and they were not used");
  with_hidden();
  EXPECT_THAT(note_on_hidden(*contract_of(job_)), HasSubstr("1 hidden case too"));
  EXPECT_EQ(note_on_hidden(*task::TaskFolder(task::scale_files()).read().task), "");
}

}  // namespace
}  // namespace hone::judge
