// The beam: from where the next experiment starts. A structurally right change that first loses a little is parked;
// what can be built on it gets every second experiment until one wins or the branch expires.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "loop/session.h"

namespace hone::loop {

namespace {

constexpr size_t k_beam = 2;
// Every second experiment goes to what is parked: three tries for one branch.
constexpr uint64_t k_parked_experiments = 6;
// A branch that loses more would need two or three further gains in a row to pay.
constexpr double k_largest_parked_loss = 1.05;
constexpr int k_structural_tiers[] = {2, 3};  // a new memory layout or algorithm changes what the other tiers can do

// Of such a tier, and in the source or its launches: a compile option that changes nothing is no ground to build on.
bool is_structural(int tier, const task::Candidate& candidate, const task::Candidate& from) {
  const bool of_tier =
      std::find(std::begin(k_structural_tiers), std::end(k_structural_tiers), tier) != std::end(k_structural_tiers);
  return of_tier && candidate.variant.options == from.variant.options;
}

std::string other_tiers(int tier) {
  std::vector<std::string> others;
  for (int other = 1; other <= 5; ++other) {
    if (other != tier) others.push_back(std::to_string(other));
  }
  return fmt::format("tiers {} on top of it", join(others, ", "));
}

std::string reason_for(double ratio) {
  const double loss = ratio - 1.0;
  return loss > 0 ? fmt::format("loses {} alone", percent(loss))
                  : fmt::format("its gain of {} alone is not proven", percent(-loss));
}

uint64_t tries_from(const campaign::State& state, const std::string& digest) {
  return static_cast<uint64_t>(
      std::count_if(state.experiments.begin(), state.experiments.end(),
                    [&](const campaign::Experiment& one) { return one.started.parent == digest; }));
}

// The least tried first, so that no branch waits until it expires.
std::vector<std::string> parked_branches(const campaign::State& state) {
  std::vector<std::string> branches;
  for (const auto& [digest, parked] : state.parked) branches.push_back(digest);
  std::stable_sort(branches.begin(), branches.end(), [&](const std::string& a, const std::string& b) {
    return tries_from(state, a) < tries_from(state, b);
  });
  return branches;
}

}  // namespace

// The incumbent and what is parked, in turns. What somebody wrote down starts from the best.
std::vector<std::string> Session::starting_points() const {
  const std::string& best = state().incumbent()->candidate;
  std::vector<std::string> points{best};
  if (services_.proposer->source() == propose::Source::written) return points;
  for (std::string& branch : parked_branches(state())) points.push_back(std::move(branch));
  const bool was_the_incumbents_turn =
      !state().experiments.empty() && state().experiments.back().started.parent == best;
  if (was_the_incumbents_turn) std::rotate(points.begin(), points.begin() + 1, points.end());
  return points;
}

Result<std::optional<propose::Plan>> Session::next_plan(task::Candidate& from) {
  for (const std::string& digest : starting_points()) {
    HONE_TRY(from, candidate(digest));
    HONE_TRY(auto plan, services_.proposer->plan(brief_from(from)));
    if (plan) return plan;
  }
  return std::optional<propose::Plan>();
}

// `ratio`: its time over the incumbent's. Run again after a crash it finds what is done.
Status Session::park(const task::Candidate& candidate, const task::Candidate& from, double ratio) {
  const campaign::ExperimentStarted started = state().experiments.back().started;
  const std::string digest = candidate.digest.hex();
  if (state().parked.contains(digest)) return close_group(digest, started.group, "just searched");
  const bool worth =
      is_structural(started.tier, candidate, from) && ratio <= k_largest_parked_loss && state().parked.size() < k_beam;
  if (!worth || services_.proposer->source() == propose::Source::written) return ok();
  HONE_CHECK(judging_->introduce(candidate, started.parent, std::string(services_.proposer->name())));
  campaign::Parked parked{digest,
                          started.experiment,
                          reason_for(ratio),
                          other_tiers(started.tier),
                          {},
                          started.experiment + k_parked_experiments};
  const auto& diagnosis = state().diagnosis;
  if (diagnosis && diagnosis->fraction_of_floor) parked.expected_gain = 1.0 / *diagnosis->fraction_of_floor - 1.0;
  HONE_CHECK(store_->append(std::move(parked)));
  return close_group(digest, started.group, "just searched");
}

Status Session::unpark(const std::string& digest, const std::string& reason) {
  if (!state().parked.contains(digest)) return ok();
  return store_->append(campaign::Unparked{digest, reason});
}

Status Session::expire_parked() {
  std::vector<std::string> expired;
  for (const auto& [digest, parked] : state().parked) {
    if (state().experiments.size() >= parked.expires_after) expired.push_back(digest);
  }
  for (const std::string& digest : expired) HONE_CHECK(unpark(digest, "expired"));
  return ok();
}

namespace {

bool stands_on(const campaign::State& state, std::string digest, const std::string& base) {
  while (true) {
    if (digest == base) return true;
    const campaign::CandidateAdded* added = state.find_candidate(digest);
    if (added == nullptr || !added->parent) return false;
    digest = *added->parent;
  }
}

}  // namespace

Status Session::unpark_what_stands_on(const campaign::Version& wrong) {
  std::vector<std::string> branches;
  for (const auto& [digest, parked] : state().parked) {
    if (stands_on(state(), digest, wrong.candidate)) branches.push_back(digest);
  }
  const std::string reason = fmt::format("stands on v{}, which was found wrong", wrong.number);
  for (const std::string& digest : branches) HONE_CHECK(unpark(digest, reason));
  return ok();
}

}  // namespace hone::loop
