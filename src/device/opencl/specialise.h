// Specialising: an OpenCL runtime for a processor may compile a kernel once more for the work-group size of a launch.
// In a runner nothing compiles, so it is done before, in the confined build: PoCL makes what POCL_BINARY_SPECIALIZE_WG
// names and keeps it in its kernel cache, which a runner then gets a copy of. Cached by content beside the artefacts.
// Failure: environment or io; what is wrong with the kernel is a Fault.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/device.h"
#include "device/workshop.h"

namespace hone::device::opencl {

struct SpecialiseRequest {
  std::string processor;               // its own name
  std::string driver;                  // part of the key
  std::filesystem::path program;       // the binary
  Digest digest;                       // of it
  std::vector<LaunchStep> steps = {};  // of all launches to come
  Nanoseconds deadline = std::chrono::seconds(60);
};

// The files of the runtime's kernel cache, or why there are none.
using Specialised = std::variant<std::vector<BuiltFile>, Fault>;
Result<Specialised> specialise(const std::filesystem::path& cache, const SpecialiseRequest& request);

// The variants that PoCL is asked for, as it names them, distinct: of launches whose grid it calls small, and of
// others.
std::vector<std::string> variants_of(std::span<const LaunchStep> steps);

// The role "specialise-opencl": PROCESSOR PROGRAM.
int specialise_main(int argc, char** argv);

}  // namespace hone::device::opencl
