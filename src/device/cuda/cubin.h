// What a cubin holds: its kernels with what each takes of the device, what it lacks, and what it could keep from launch
// to launch. A reader of ELF64 as ptxas writes it for sm_75 to sm_120; the tests hold it against `ptxas -v`. Spilled
// bytes are not in a cubin; they are part of local_bytes. The bytes come out of a confined build and are untrusted.
// Failure: refused, where that is no cubin. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "device/resources.h"

namespace hone::device::cuda {

// Memory of the module that a kernel can write.
struct CubinVariable {
  std::string name;  // empty: bytes that no symbol names
  uint64_t size_bytes = 0;
};

struct Cubin {
  std::vector<KernelResources> kernels;  // in the order of the symbols
  std::vector<std::string> undefined;    // sorted: "vprintf", "malloc", "cudaLaunchDevice"
  std::vector<CubinVariable> globals;    // in the order of the symbols, nameless ones last
};

Result<Cubin> read_cubin(Bytes file);

}  // namespace hone::device::cuda
