// The built-in tuner: the tunables of one tier are one change, and so is one more compile option of one tier. It
// searches inside such a group with rough screens (exhaustively when the group is small, else a random start with
// greedy descent) and offers the winner. The author's own tunables come first, in the diagnosis' tier order, then the
// options, which apply to any kernel, in the same order; a group that is closed in this context is skipped.
// Deterministic for the same brief and the same screen answers.
#pragma once

#include <memory>
#include <vector>

#include "propose/proposer.h"

namespace hone::propose {

// One direction the tuner can take from a candidate.
struct Group {
  std::string id;  // "tunables/2", "options/5"
  int tier = 1;
  std::string title;
  std::vector<task::Variant>
      choices;  // complete variants to try, without the present one; empty when there are too many to list
};

// Every group of a task from a candidate, in the order in which they are tried. Pure.
std::vector<Group> groups_of(const task::Task& task, const task::Candidate& from, const std::vector<int>& tier_order);

std::unique_ptr<Proposer> make_tuner();

}  // namespace hone::propose
