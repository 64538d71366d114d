// Linking: an artefact's objects behind a pad object of secret size, into one shared object for one load.
// Layout luck proves nothing: four fixed layouts promote 2 to 8 % of equal kernels, so every load is linked anew
// (JUDGE.md 1). Pad objects are made once per size and kept. Failure: io, environment; what the linker says against the
// objects is a value.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/disk.h"
#include "base/result.h"
#include "device/cpu/compiler.h"
#include "device/device.h"

namespace hone::device::cpu {

struct LinkRequest {
  const Compiler& compiler;
  std::filesystem::path objects_folder;
  std::vector<std::string> objects;
  int threads = 1;
  std::filesystem::path pads_folder;  // the cache of pad objects
  uint64_t pad_bytes = 0;
  std::filesystem::path output_folder;  // private to this load
};

struct LinkOutcome {
  std::optional<std::filesystem::path> library;  // absent: the linker refused
  std::string messages;                          // untrusted
};

Result<LinkOutcome> link(const LinkRequest& request);

}  // namespace hone::device::cpu
