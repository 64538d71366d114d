// System-call rules of confined processes (JUDGE.md 1), compiled by libseccomp into a filter that a child can install
// with one system call and without allocating. Two rule sets: build (compilers may start programs) and runner (one
// process, no new ones). Failure: internal, when a rule cannot be compiled or the kernel refuses the filter. A filter
// is a value; any thread.
#pragma once

#include <linux/filter.h>

#include <string_view>
#include <vector>

#include "base/enums.h"
#include "base/result.h"

namespace hone::sandbox {

enum class Rules { build, runner };

// May the process have more than its first thread? With `one`, every clone is refused.
enum class Threads { one, many };

using Filter = std::vector<sock_filter>;

// Rules that speak of "oneself" use the process that calls make_filter: a runner makes its own.
Result<Filter> make_filter(Rules rules, Threads threads);

// Needs no_new_privileges. 0 or errno; async-signal-safe.
int install_filter(const Filter& filter);

// The system calls that a rule set refuses or bends, for tests and documents.
std::vector<std::string_view> ruled_calls(Rules rules);

}  // namespace hone::sandbox
