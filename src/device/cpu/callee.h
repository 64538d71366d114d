// Callee: the foreign code that a runner runs, behind one call. prepare() comes before the runner's system calls are
// confined and maps no foreign code; load() comes after and may; call() is a launch. Ownership: whatever it needs until
// the process ends. Failure: words for the judge, of at most a line; a status for a call. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/cpu/control_page.h"

namespace hone::device::cpu {

// Where the runner has mapped the payloads: [set][parameter], null where a parameter is no buffer.
using Payloads = std::vector<std::vector<std::byte*>>;

class Callee {
 public:
  virtual ~Callee() = default;
  virtual std::string prepare() = 0;       // empty: it is done; else why it cannot be
  virtual std::string load() = 0;          // likewise
  virtual int32_t call(uint32_t set) = 0;  // 0: it worked
};

// Functions of a shared object, by the C calling convention (libffi).
std::unique_ptr<Callee> make_library_call(const ControlPage& page, const Payloads& payloads);

}  // namespace hone::device::cpu
