// The tuner: which groups there are and in which order, how it searches inside one, and what it offers. Screens are
// answered by a function of the variant: no clock, no device.
#include "propose/tuner.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "base/text.h"
#include "task/compile_options.h"
#include "task/task_folder_for_tests.h"

namespace hone::propose {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class TunerTest : public ::testing::Test {
 protected:
  TunerTest() : folder_(task::scale_files()) { use(std::string(task::k_scale_toml)); }
  void use(const std::string& toml) {
    folder_.write("task.toml", toml);
    task_ = *task::require_task(folder_.path());
    brief_.task = &task_;
    brief_.from = *task::read_candidate(task_, folder_.path());
    brief_.tier_order = {1, 2, 3, 4, 5};
    brief_.experiment = 1;
    brief_.turn = 1;
  }
  // A tier 2 group of `count` values, all legal.
  void use_many(int count) {
    std::vector<std::string> values;
    for (int i = 1; i <= count; ++i) values.push_back(std::to_string(i));
    use(task::replaced(task::replaced(std::string(task::k_scale_toml), "constraints = [\"BLOCK * ITEMS <= 1024\"]", ""),
                       "values = [1, 2, 8], default = 1, tier = 2",
                       "values = [" + join(values, ", ") + "], default = 1, tier = 2"));
  }
  std::vector<Group> groups() const { return groups_of(task_, brief_.from, brief_.tier_order); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Group& one : groups()) all.push_back(one.id);
    return all;
  }
  Plan plan_of(const std::string& group) const { return {2, group, "", "", ""}; }
  Proposal propose(const std::string& group) {
    const auto proposal = make_tuner()->propose(brief_, plan_of(group), screener());
    EXPECT_TRUE(proposal) << to_text(proposal.error());
    return proposal ? *proposal : Proposal{};
  }
  Screener screener() {
    return [this](const std::vector<task::Candidate>& candidates, Nanoseconds limit) -> Result<ScreenAnswer> {
      limits_.push_back(limit);
      ScreenAnswer answer;
      for (const task::Candidate& one : candidates) {
        screened_.push_back(one);
        answer.results.push_back({one.digest.hex(), "ok", ratio_(one), ""});
      }
      answer.device_seconds = 0.5;
      return answer;
    };
  }
  std::string items(const task::Candidate& candidate) const {
    return task::tunable_values(task_, candidate.variant).at("ITEMS");
  }
  // Faster the nearer ITEMS is to this.
  void best_items(int best) {
    ratio_ = [this, best](const task::Candidate& one) { return 0.5 + 0.01 * std::abs(std::stoi(items(one)) - best); };
  }

  task::TaskFolder folder_;
  task::Task task_;
  Brief brief_;
  std::function<std::optional<double>(const task::Candidate&)> ratio_ = [](const auto&) { return 1.0; };
  std::vector<task::Candidate> screened_;
  std::vector<Nanoseconds> limits_;
};

// ---- groups
// ----------------------------------------------------------------------------------------------------------

TEST_F(TunerTest, TheAuthorsTunablesComeBeforeOptionsThatFitAnyKernel) {
  const auto all = names();
  ASSERT_GE(all.size(), 3u);
  EXPECT_EQ(all[0], "tunables/1");
  EXPECT_EQ(all[1], "tunables/2");
  for (size_t i = 2; i < all.size(); ++i) EXPECT_THAT(all[i], HasSubstr("options/"));
}

TEST_F(TunerTest, TiersComeInTheOrderOfTheDiagnosis) {
  brief_.tier_order = {5, 2, 3, 1, 4};
  const auto all = names();
  EXPECT_EQ(all[0], "tunables/2");
  EXPECT_EQ(all[1], "tunables/1");
  EXPECT_EQ(all[2], "options/5");
}

TEST_F(TunerTest, OneTierIsOneChange) {
  for (const Group& group : groups()) {
    if (!group.id.starts_with("tunables/")) continue;
    for (const task::Variant& choice : group.choices) {
      EXPECT_EQ(choice.options, brief_.from.variant.options);
      EXPECT_EQ(choice.values.contains("BLOCK"), group.tier == 1) << group.id;
      EXPECT_EQ(choice.values.contains("ITEMS"), group.tier == 2) << group.id;
    }
  }
}

TEST_F(TunerTest, AnOptionGroupAddsOneOption) {
  for (const Group& group : groups()) {
    if (!group.id.starts_with("options/")) continue;
    for (const task::Variant& choice : group.choices) {
      EXPECT_EQ(choice.values, brief_.from.variant.values);
      ASSERT_EQ(choice.options.size(), 1u);
      EXPECT_EQ(task::find_compile_option(choice.options.front())->tier, group.tier);
    }
  }
}

TEST_F(TunerTest, ThePresentChoiceIsNoChoice) {
  for (const Group& group : groups()) EXPECT_THAT(group.choices, Not(Contains(brief_.from.variant))) << group.id;
}

TEST_F(TunerTest, ConstraintsHold) {
  use(task::replaced(std::string(task::k_scale_toml), "BLOCK * ITEMS <= 1024", "BLOCK * ITEMS <= 256"));
  for (const Group& group : groups()) {
    for (const task::Variant& choice : group.choices) {
      const auto values = task::tunable_values(task_, choice);
      EXPECT_LE(std::stoi(values.at("BLOCK")) * std::stoi(values.at("ITEMS")), 256);
    }
  }
  EXPECT_EQ(groups()[1].choices.size(), 1u) << "128 × 8 is too many, 128 × 2 is not";
}

// ---- plans
// -----------------------------------------------------------------------------------------------------------

TEST_F(TunerTest, ClosedGroupsAreSkipped) {
  auto tuner = make_tuner();
  EXPECT_EQ(tuner->plan(brief_)->value().group, "tunables/1");
  brief_.closed_groups = {"tunables/1"};
  const Plan plan = tuner->plan(brief_)->value();
  EXPECT_EQ(plan.group, "tunables/2");
  EXPECT_EQ(plan.tier, 2);
  EXPECT_FALSE(plan.hypothesis.empty() || plan.change.empty() || plan.expected.empty());
}

TEST_F(TunerTest, WithEveryGroupClosedItHasNoPlan) {
  for (const std::string& name : names()) brief_.closed_groups.insert(name);
  EXPECT_EQ(*make_tuner()->plan(brief_), std::nullopt);
}

// ---- searches
// --------------------------------------------------------------------------------------------------------

TEST_F(TunerTest, ASmallGroupIsTriedWhole) {
  use_many(25);
  best_items(17);
  const Proposal proposal = propose("tunables/2");
  EXPECT_EQ(screened_.size(), 24u);
  ASSERT_TRUE(proposal.candidate);
  EXPECT_EQ(items(*proposal.candidate), "17");
  EXPECT_DOUBLE_EQ(*proposal.best_ratio, 0.5);
  EXPECT_EQ(proposal.steps.size(), 24u);
}

TEST_F(TunerTest, ALargeGroupIsSampledAndNeverTwiceTheSame) {
  use_many(200);
  best_items(120);
  const Proposal proposal = propose("tunables/2");
  EXPECT_LE(screened_.size(), 48u);
  EXPECT_GT(screened_.size(), 8u);
  std::set<std::string> seen;
  for (const task::Candidate& one : screened_) EXPECT_TRUE(seen.insert(one.digest.hex()).second);
  EXPECT_TRUE(proposal.candidate);
}

TEST_F(TunerTest, TheSameBriefAndScreensGiveTheSameSearch) {
  use_many(200);
  best_items(120);
  const Proposal first = propose("tunables/2");
  const auto order = screened_;
  screened_.clear();
  const Proposal second = propose("tunables/2");
  ASSERT_EQ(order.size(), screened_.size());
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i].digest, screened_[i].digest);
  EXPECT_EQ(first.candidate->digest, second.candidate->digest);
}

TEST_F(TunerTest, WhatWasRejectedIsNotTriedAgain) {
  use_many(10);
  best_items(7);
  const std::string best = propose("tunables/2").candidate->digest.hex();
  screened_.clear();
  brief_.rejected = {best};
  const Proposal proposal = propose("tunables/2");
  EXPECT_EQ(screened_.size(), 8u);
  ASSERT_TRUE(proposal.candidate);
  EXPECT_NE(proposal.candidate->digest.hex(), best);
}

TEST_F(TunerTest, WithoutAFasterOneTheBestIsNearAndNothingIsOffered) {
  ratio_ = [this](const task::Candidate& one) { return items(one) == "2" ? 1.02 : 1.3; };
  const Proposal proposal = propose("tunables/2");
  EXPECT_FALSE(proposal.candidate);
  ASSERT_TRUE(proposal.near);
  EXPECT_EQ(items(*proposal.near), "2");
  EXPECT_DOUBLE_EQ(proposal.near_ratio, 1.02);
  EXPECT_THAT(proposal.reason, HasSubstr("none looks faster"));
}

TEST_F(TunerTest, AGainWithinTheScreensErrorIsNotOffered) {
  ratio_ = [](const auto&) { return 0.986; };
  EXPECT_FALSE(propose("tunables/2").candidate);
  ratio_ = [](const auto&) { return 0.985; };
  EXPECT_TRUE(propose("tunables/2").candidate);
}

TEST_F(TunerTest, AConfigurationThatFailsIsNeverTheBest) {
  ratio_ = [this](const task::Candidate& one) -> std::optional<double> {
    if (items(one) == "8") return std::nullopt;
    return 0.9;
  };
  const Proposal proposal = propose("tunables/2");
  ASSERT_TRUE(proposal.candidate);
  EXPECT_EQ(items(*proposal.candidate), "2");
}

TEST_F(TunerTest, ASearchTakesHalfOfTheTimeThatIsLeft) {
  brief_.time_left = std::chrono::seconds(20);
  propose("tunables/2");
  ASSERT_FALSE(limits_.empty());
  EXPECT_EQ(limits_.front(), std::chrono::seconds(10));
}

TEST_F(TunerTest, AFailedScreenEndsTheSearchWithItsError) {
  const Screener broken = [](const auto&, Nanoseconds) -> Result<ScreenAnswer> {
    return Error{ErrorCode::interrupted, "Ctrl-C"};
  };
  const auto proposal = make_tuner()->propose(brief_, plan_of("tunables/2"), broken);
  ASSERT_FALSE(proposal);
  EXPECT_EQ(proposal.error().code, ErrorCode::interrupted);
}

TEST_F(TunerTest, AGroupThatIsGoneOffersNothing) {
  const Proposal proposal = propose("tunables/5");
  EXPECT_FALSE(proposal.candidate);
  EXPECT_FALSE(proposal.reason.empty());
}

}  // namespace
}  // namespace hone::propose
