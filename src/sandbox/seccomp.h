// System-call rules of confined processes (JUDGE.md 1 and 5): tables of what is allowed, everything else is refused.
// Four rule sets: build (compilers, which start programs and write files), runner (one process that computes; it
// starts nothing, opens nothing for writing, signals nobody), launcher (hone's own code and vendors' drivers: what a
// build may, and what drivers ask of their devices) and sanitizer (what a launcher may, and a vendor's checker to talk
// with what it watches; only where a network and processes of its own are all that it can reach). libseccomp compiles a
// set into a filter that a child installs with one system call and without allocating. A refused call answers EPERM;
// ENOSYS where libc then takes an older call, and for calls newer than these tables; calls of another ABI (32-bit, x32)
// are refused whatever they are. Failure: internal, when a rule cannot be compiled or the kernel refuses the filter. A
// filter is a value; any thread.
#pragma once

#include <linux/filter.h>

#include <string>
#include <vector>

#include "base/enums.h"
#include "base/result.h"

namespace hone::sandbox {

enum class Rules { build, runner, launcher, sanitizer };

// May the process have more than its first thread? With `one`, a runner's every clone is refused.
enum class Threads { one, many };

using Filter = std::vector<sock_filter>;

// Rules that speak of "oneself" use the process that calls make_filter: a runner makes its own.
Result<Filter> make_filter(Rules rules, Threads threads);

// Needs no_new_privileges. 0 or errno; async-signal-safe.
int install_filter(const Filter& filter);

// What a rule set allows, for people and tests: a purpose and its calls. A call that is allowed for some arguments
// alone has the words that say which behind it.
struct AllowedCalls {
  std::string purpose;
  std::vector<std::string> calls;
};
std::vector<AllowedCalls> allowed_calls(Rules rules);

}  // namespace hone::sandbox

namespace hone {
template <>
struct EnumNames<sandbox::Rules> {
  using T = sandbox::Rules;
  static constexpr EnumName<T> table[] = {
      {T::build, "build"}, {T::runner, "runner"}, {T::launcher, "launcher"}, {T::sanitizer, "sanitizer"}};
};
}  // namespace hone
