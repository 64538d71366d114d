// Clocks: what a person asked of the device's clocks (--clocks), from the making of an executor to its end. Nobody else
// ever asks. What could not be locked is no reason not to judge: every verdict says how it was.
// Ownership: the executor owns the one it was made of, and the lock. Failure: usage for a word that says nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "execute/executor.h"

namespace hone::execute {

struct Clocks {
  bool locked = false;          // else as they are
  std::optional<uint32_t> mhz;  // absent: the highest that the device has
};

// "as-is", "lock", "lock:1500"
Result<Clocks> parse_clocks(std::string_view word);

// `library` is NVML's file, empty for its usual name. Only an NVIDIA device's clocks can be locked.
Result<std::unique_ptr<Executor>> with_clocks(std::unique_ptr<Executor> executor, const Clocks& clocks,
                                              const std::string& library = {});

}  // namespace hone::execute
