// What an AMD code object holds: its kernels with what each takes of the device and of its caller, and what it could
// keep from launch to launch. It lacks nothing: its compiler's linker says what is not defined, and so does the loader.
// A reader of ELF64 as LLVM's AMDGPU backend writes it (its "User Guide for AMDGPU Backend", code objects of version 3
// and newer). The bytes come out of a confined build and are untrusted. Failure: refused, where that is no code object.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "device/resources.h"

namespace hone::device::hip {

struct CodeArgument {
  std::string kind;  // "by_value", "global_buffer", "hidden_block_count_x"
  uint64_t size_bytes = 0;
};

struct CodeKernel {
  KernelResources resources;
  std::vector<CodeArgument> arguments;  // in their order, those that the run time adds last
};

// Memory of the module that is there to be written.
struct CodeVariable {
  std::string name;  // empty: bytes that no symbol names
  uint64_t size_bytes = 0;
};

struct CodeObject {
  std::vector<CodeKernel> kernels;
  std::vector<CodeVariable> globals;  // by their places
};

Result<CodeObject> read_code_object(Bytes file);

}  // namespace hone::device::hip
