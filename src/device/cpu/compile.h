// Compiling: candidate files → objects, in a confined build that sees those files, the request's header roots and the
// system, and nothing else. Cached by content under <cache>/artefacts/<key>/: the key covers files, macros, options,
// header roots, compiler, its version and flags, and the CPU model, since -march=native means another machine
// elsewhere. A folder there appears whole or not at all; beside the objects it keeps what the compiler said and what
// the entry returns. What is wrong with the candidate is a CompileFault; errors are the machine's. Any number of
// threads and processes may compile into one cache at once, the same request among them: what they build is the same,
// and the first one stays.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "device/cpu/compiler.h"
#include "device/device.h"

namespace hone::device::cpu {

struct BuildPlace {
  std::filesystem::path cache;  // holds artefacts/ and pads/
  std::string cpu_model;
};

Result<CompileOutcome> compile(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request);

// Pads depend on the compiler's target alone; they are kept per compiler.
std::filesystem::path pads_folder(const Compiler& compiler, const BuildPlace& place);

}  // namespace hone::device::cpu
