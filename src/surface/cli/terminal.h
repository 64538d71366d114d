// The loop's Display on a terminal: a table of iterations that grows and one live line with phase, count and time left.
// Elsewhere one line per step on standard error. NO_COLOR is honoured. Owns nothing; one thread.
#pragma once

#include <memory>

#include "loop/display.h"

namespace hone::cli {

enum class Verbosity { normal, quiet };

// Quiet for --json: nothing but errors on standard error.
std::unique_ptr<loop::Display> make_display(Verbosity verbosity, const Clock& clock);

}  // namespace hone::cli
