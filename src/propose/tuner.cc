#include "propose/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/text.h"
#include "task/compile_options.h"

namespace hone::propose {

namespace {

// Groups up to this size are tried whole; a screen costs a build and some dozens of milliseconds.
constexpr size_t k_exhaustive = 24;
constexpr size_t k_random_start = 8;     // configurations of the first batch in a larger group
constexpr size_t k_largest_search = 48;  // configurations in all
// A winner must look this much faster before it is worth a comparison: δ is 1 %, and a screen errs by a little.
constexpr double k_worth_judging = 0.985;

std::vector<const task::Parameter*> parameters_of_tier(const task::Task& task, int tier) {
  std::vector<const task::Parameter*> out;
  for (const task::Parameter& parameter : task.parameters) {
    if (parameter.tier == tier) out.push_back(&parameter);
  }
  return out;
}

// A variant holds only what differs from the default.
task::Variant with_values(const task::Task& task, task::Variant variant,
                          const std::map<std::string, std::string>& values) {
  for (const task::Parameter& parameter : task.parameters) {
    const auto found = values.find(parameter.name);
    if (found == values.end()) continue;
    if (found->second == parameter.default_value) {
      variant.values.erase(parameter.name);
    } else {
      variant.values[parameter.name] = found->second;
    }
  }
  return variant;
}

// Every legal assignment of these parameters over the present values of the others, in the order of the file.
std::vector<task::Variant> all_assignments(const task::Task& task, const task::Variant& present,
                                           const std::vector<const task::Parameter*>& parameters) {
  std::vector<std::map<std::string, std::string>> assignments{{}};
  for (const task::Parameter* parameter : parameters) {
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& assignment : assignments) {
      for (const std::string& value : parameter->values) {
        longer.push_back(assignment);
        longer.back()[parameter->name] = value;
      }
    }
    assignments = std::move(longer);
  }
  std::vector<task::Variant> variants;
  for (const auto& assignment : assignments) {
    task::Variant variant = with_values(task, present, assignment);
    if (variant != present && task::satisfies_constraints(task, task::tunable_values(task, variant)))
      variants.push_back(std::move(variant));
  }
  return variants;
}

// The present options with this one, which replaces those of its own group.
task::Variant with_option(const task::Task& task, task::Variant variant, const task::CompileOption& option) {
  std::erase_if(variant.options, [&](const std::string& id) {
    const task::CompileOption* row = task::find_compile_option(id);
    return row != nullptr && row->group == option.group;
  });
  variant.options.emplace_back(option.id);
  return task::normal(task, std::move(variant));
}

void add_tunable_group(const task::Task& task, const task::Candidate& from, int tier, std::vector<Group>& groups) {
  const auto parameters = parameters_of_tier(task, tier);
  if (parameters.empty()) return;
  std::vector<std::string> names;
  for (const task::Parameter* parameter : parameters) names.push_back(parameter->name);
  Group group{fmt::format("tunables/{}", tier), tier, "tunables " + join(names, ", "),
              all_assignments(task, from.variant, parameters)};
  if (!group.choices.empty()) groups.push_back(std::move(group));
}

// One more compile option of a tier: one change.
void add_option_group(const task::Task& task, const task::Candidate& from, int tier, std::vector<Group>& groups) {
  Group group{fmt::format("options/{}", tier), tier, fmt::format("compile options of tier {}", tier), {}};
  const std::vector<std::string> present = task::option_ids(task, from.variant);
  for (const task::CompileOption& option : task::compile_options()) {
    if (option.tier != tier || std::find(present.begin(), present.end(), option.id) != present.end()) continue;
    task::Variant variant = with_option(task, from.variant, option);
    if (variant != from.variant) group.choices.push_back(std::move(variant));
  }
  if (!group.choices.empty()) groups.push_back(std::move(group));
}

// What differs between two variants, short: "TILE=8 +O3".
std::string difference(const task::Variant& from, const task::Variant& to) {
  std::vector<std::string> words;
  for (const auto& [name, value] : to.values) {
    const auto before = from.values.find(name);
    if (before == from.values.end() || before->second != value) words.push_back(name + "=" + value);
  }
  for (const auto& [name, value] : from.values) {
    if (!to.values.contains(name)) words.push_back(name + "=default");
  }
  for (const std::string& id : to.options) {
    if (std::find(from.options.begin(), from.options.end(), id) == from.options.end()) words.push_back("+" + id);
  }
  for (const std::string& id : from.options) {
    if (std::find(to.options.begin(), to.options.end(), id) == to.options.end()) words.push_back("-" + id);
  }
  return join(words, " ");
}

size_t distance(const task::Variant& a, const task::Variant& b) { return split(difference(a, b), ' ').size(); }

// A search inside one group: knows what was tried and what was best.
class Search {
 public:
  Search(const Brief& brief, const Group& group, const Screener& screen)
      : brief_(brief), group_(group), screen_(screen) {
    for (const task::Variant& variant : group.choices) {
      task::Candidate candidate = task::with_variant(brief.from, variant);
      if (!brief.rejected.contains(candidate.digest.hex())) left_.push_back(std::move(candidate));
    }
  }

  Result<Proposal> run() {
    if (left_.size() <= k_exhaustive) {
      HONE_CHECK(try_batch(left_.size()));
    } else {
      HONE_CHECK(descend());
    }
    return proposal();
  }

 private:
  Status try_batch(size_t count);
  Status descend();
  Proposal proposal() const;

  const Brief& brief_;
  const Group& group_;
  const Screener& screen_;
  std::vector<task::Candidate> left_;
  std::vector<campaign::SearchStep> steps_;
  std::optional<task::Candidate> best_;
  double best_ratio_ = 1.0;
  double device_seconds_ = 0;
};

Status Search::try_batch(size_t count) {
  count = std::min(count, left_.size());
  const std::vector<task::Candidate> batch(left_.begin(), left_.begin() + static_cast<ptrdiff_t>(count));
  left_.erase(left_.begin(), left_.begin() + static_cast<ptrdiff_t>(count));
  const Nanoseconds limit = brief_.time_left.value_or(std::chrono::hours(1)) / 2;
  HONE_TRY(const ScreenAnswer answer, screen_(batch, limit));
  device_seconds_ += answer.device_seconds;
  for (size_t i = 0; i < std::min(batch.size(), answer.results.size()); ++i) {
    const campaign::ScreenResult& result = answer.results[i];
    steps_.push_back(
        {result.candidate, result.outcome, result.ratio, difference(brief_.from.variant, batch[i].variant)});
    if (!result.ratio || (best_ && *result.ratio >= best_ratio_)) continue;
    best_ratio_ = *result.ratio;
    best_ = batch[i];
  }
  return ok();
}

// Random start, then the untried neighbours of the best until none is better or the search is long enough.
Status Search::descend() {
  std::mt19937_64 shuffle(brief_.experiment);
  std::shuffle(left_.begin(), left_.end(), shuffle);
  HONE_CHECK(try_batch(k_random_start));
  while (best_ && !left_.empty() && steps_.size() < k_largest_search) {
    const double before = best_ratio_;
    const task::Variant centre = best_->variant;
    std::stable_sort(left_.begin(), left_.end(), [&](const task::Candidate& a, const task::Candidate& b) {
      return distance(centre, a.variant) < distance(centre, b.variant);
    });
    HONE_CHECK(try_batch(std::min<size_t>(k_random_start, k_largest_search - steps_.size())));
    if (best_ratio_ >= before) break;
  }
  return ok();
}

Proposal Search::proposal() const {
  Proposal proposal;
  proposal.steps = steps_;
  proposal.device_seconds = device_seconds_;
  if (best_) proposal.best_ratio = best_ratio_;
  if (!best_ || best_ratio_ > k_worth_judging) {
    proposal.reason = fmt::format("{} configurations of {} tried, none looks faster", steps_.size(), group_.title);
    proposal.near = best_;
    proposal.near_ratio = best_ratio_;
    return proposal;
  }
  proposal.candidate = best_;
  proposal.reason =
      fmt::format("{} looks {:.2f} × as fast; best of {} configurations of {}",
                  difference(brief_.from.variant, best_->variant), 1.0 / best_ratio_, steps_.size(), group_.title);
  return proposal;
}

class Tuner final : public Proposer {
 public:
  std::string_view name() const override { return "tune"; }

  Result<std::optional<Plan>> plan(const Brief& brief) override {
    for (const Group& group : groups_of(*brief.task, brief.from, brief.tier_order)) {
      if (brief.closed_groups.contains(group.id)) continue;
      return std::optional(Plan{group.tier, group.id,
                                fmt::format("another choice of {} suits this device better", group.title),
                                fmt::format("search {} configurations, offer the best", group.choices.size()),
                                "time of every timed case falls"});
    }
    return std::optional<Plan>();
  }

  Result<Proposal> propose(const Brief& brief, const Plan& plan, const Screener& screen) override {
    for (const Group& group : groups_of(*brief.task, brief.from, brief.tier_order)) {
      if (group.id == plan.group) return Search(brief, group, screen).run();
    }
    Proposal nothing;
    nothing.reason = "the group has no other choice from here";
    return nothing;
  }
};

}  // namespace

std::vector<Group> groups_of(const task::Task& task, const task::Candidate& from, const std::vector<int>& tier_order) {
  std::vector<Group> groups;
  for (const int tier : tier_order) add_tunable_group(task, from, tier, groups);
  for (const int tier : tier_order) add_option_group(task, from, tier, groups);
  return groups;
}

std::unique_ptr<Proposer> make_tuner() { return std::make_unique<Tuner>(); }

}  // namespace hone::propose
