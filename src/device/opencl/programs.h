// OpenCL programs as sources and as the device's own binaries. Failure: refused, where the source does not compile (the
// log says why); else environment. The program belongs to the caller. One thread.
#pragma once

#include <string>
#include <string_view>

#include "device/opencl/choose.h"

namespace hone::device::opencl {

// From a binary to a program that kernels can be taken from.
Result<Program> program_of(const OpenclLibrary& library, Context context, Device device, std::string_view binary);

// From source to the device's binary; what the compiler says goes to `log`.
Result<std::string> build_binary(const OpenclLibrary& library, Device device, const std::string& source,
                                 const std::string& options, std::string& log);

// The binary that a loaded or built program stands for.
Result<std::string> binary_of(const OpenclLibrary& library, Program program);

Result<Context> make_context(const OpenclLibrary& library, Device device);

}  // namespace hone::device::opencl
