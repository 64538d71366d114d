// run_confined: a confined program run to its end, its output kept up to a cap: compilers and linkers.
// The rest of a flood is read and dropped, so that the program does not block; an endless flood and a missed deadline
// are deaths. Failure: as spawn. What the program itself does wrong is a value. Output is untrusted text. Any
// number of threads at once.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "sandbox/spawn.h"

namespace hone::sandbox {

struct ConfinedRun {
  Confinement confinement;  // output and errors are set by run_confined
  Nanoseconds deadline = std::chrono::seconds(60);
  size_t output_cap_bytes = 64 << 10;
  uint64_t flood_bytes = 256ull << 20;  // killed when it prints more
};

struct ConfinedOutcome {
  enum class How { ended, timed_out, flooded };
  How how = How::ended;
  std::optional<Ending> ending;  // absent unless `ended`
  std::string output;            // both streams, in the order written, at most the cap

  bool succeeded() const { return ending && ending->clean(); }
};

Result<ConfinedOutcome> run_confined(ConfinedRun run);

}  // namespace hone::sandbox
