// Story: a campaign's State together with the verdicts that its views quote, read once from the blobs.
// Pure but for the getter. State and Task must outlive the Story, which points into both. Failure: refused or contract
// when a blob that an event names cannot be had or is no verdict; the error names the event's part. One thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "campaign/state.h"
#include "campaign/verdict.h"
#include "task/task.h"

namespace hone::views {

using ReadBlob = std::function<Result<std::string>(const Digest&)>;

// One version with the verdict that made it: for v0 the measurement, else the comparison with the incumbent of that
// time.
struct Step {
  const campaign::Version* version = nullptr;
  campaign::Verdict verdict;
};

// One experiment with what the judge said of it.
struct Attempt {
  const campaign::Experiment* experiment = nullptr;
  std::optional<campaign::Verdict> verdict;
  std::map<std::string, uint64_t> searched;  // configurations of the search by outcome
};

struct Story {
  const campaign::State* state = nullptr;
  const task::Task* task = nullptr;
  std::vector<Step> steps;        // as State::versions
  std::vector<Attempt> attempts;  // as State::experiments
  std::optional<campaign::Verdict>
      confirmation;  // of the incumbent against v0; absent when it was of another candidate

  const Step* baseline() const { return steps.empty() ? nullptr : &steps.front(); }
  const Step* best() const { return steps.empty() ? nullptr : &steps[state->incumbent_version]; }
  // Numbers from before a rebaseline must not be compared with those after it.
  bool is_comparable(const std::string& time) const { return state->is_comparable(time); }
};

Result<Story> read_story(const campaign::State& state, const task::Task& task, const ReadBlob& read_blob);

}  // namespace hone::views
