// Display: what the loop tells the person in front of it. The loop reports, surface/cli draws; tests record.
// Calls come in order from one thread; none may fail or block for long.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "campaign/event.h"
#include "judge/job.h"

namespace hone::loop {

class Display {
 public:
  virtual ~Display() = default;
  virtual void phase(const std::string& text) { std::ignore = text; }  // one line: a step begins
  virtual void note(const std::string& text) { std::ignore = text; }   // one line worth keeping on the screen
  virtual void progress(const judge::Progress& progress, std::optional<Nanoseconds> time_left) {
    std::ignore = progress;
    std::ignore = time_left;
  }
  virtual void decided(const campaign::ExperimentStarted& started, const campaign::Decided& decided) {
    std::ignore = started;
    std::ignore = decided;
  }
};

}  // namespace hone::loop
