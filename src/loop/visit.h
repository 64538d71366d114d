// Visit: one question asked inside a campaign between its runs (hone verify, measure, compare).
// It takes the campaign's lock and its pins, is answered from the store when the store can, and else is paid for and
// charged like a run's question: a comparison takes the campaign's next k, its rounds and its verdict are events. It
// promotes nothing, closes nothing, belongs to no experiment, and no run decides by its answer, so asking again buys no
// luck. A comparison that was interrupted goes on when the same is asked again; another question or a run gives it up.
// Failures: usage (no baseline yet; a run's own comparison is open), environment (another hone is at work, changed
// pins), interrupted, io.
#pragma once

#include <optional>
#include <string>

#include "loop/judging.h"

namespace hone::loop {

struct VisitRequest {
  fs::path campaign_folder;
  fs::path task_folder;                    // where the user's task is; only compared with the contract
  std::optional<std::string> hidden_file;  // the cases that the contract commits to
  Visitor visitor;
  campaign::Question question = campaign::Question::verify;
  std::string candidate;  // digests of candidates that the log knows
  std::string incumbent;  // compare alone
};

struct VisitServices {
  Disk* disk = nullptr;
  Clock* clock = nullptr;
  Display* display = nullptr;
  execute::Executor* executor = nullptr;
  std::optional<device::Ceilings> ceilings;
  std::function<bool()> cancelled = [] { return false; };
};

Result<Answer> visit(const VisitRequest& request, const VisitServices& services);

// A run begins: the comparison that a visit left open is given up and stays charged.
Status give_up_visit(Store& store, const std::string& reason);

}  // namespace hone::loop
