// Display: what the loop tells the person in front of it. The loop reports, surface/cli draws; tests record.
// Calls come in order from one thread; none may fail, and only ask_target() may block.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "campaign/event.h"
#include "judge/job.h"

namespace hone::loop {

// What a person wants to reach.
struct TargetAnswer {
  std::optional<double> seconds;  // absent: to run without a target
};

class Display {
 public:
  virtual ~Display() = default;
  virtual void phase(const std::string& text) { std::ignore = text; }  // one line: a step begins
  virtual void note(const std::string& text) { std::ignore = text; }   // one line worth keeping on the screen
  virtual void progress(const judge::Progress& progress, std::optional<Nanoseconds> time_left) {
    std::ignore = progress;
    std::ignore = time_left;
  }
  // Nothing: nobody is there to ask, or the person leaves it to hone.
  virtual std::optional<TargetAnswer> ask_target(std::optional<double> baseline_seconds) {
    std::ignore = baseline_seconds;
    return std::nullopt;
  }
  virtual void decided(const campaign::ExperimentStarted& started, const campaign::Decided& decided) {
    std::ignore = started;
    std::ignore = decided;
  }
};

}  // namespace hone::loop
