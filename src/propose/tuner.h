// The built-in tuner: one group of tunables of one tier is one change, and so is one group of compile options. It searches inside a
// group with rough screens (exhaustively when the group is small, else a random start with greedy descent) and offers the winner.
// Groups come in the diagnosis' tier order; a group that is closed in this context is skipped.
// Deterministic for the same brief and the same screen answers.
#pragma once

#include <memory>
#include <vector>

#include "propose/proposer.h"

namespace hone::propose {

// One direction the tuner can take from a candidate.
struct Group {
  std::string id;  // "tunables/2", "option/march"
  int tier = 1;
  std::string title;
  std::vector<task::Variant> choices;  // complete variants to try, without the present one; empty when there are too many to list
};

// Every group of a task from a candidate, in tier order. Pure.
std::vector<Group> groups_of(const task::Task& task, const task::Candidate& from, const std::vector<int>& tier_order);

std::unique_ptr<Proposer> make_tuner();

}  // namespace hone::propose
