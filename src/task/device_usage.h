// What the body of a device kernel tells about its launch: how far each index runs, which blocks and grid cover that,
// how much memory a block needs. Guesses, and marked as such in the draft; "?" is what the body does not tell.
// Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "task/cpp_usage.h"
#include "task/device_fold.h"
#include "task/device_signature.h"

namespace hone::task {

// A size that the kernel does not take as a parameter: how many blocks or threads there are is all that tells it.
struct LaunchAxis {
  std::string name;
  int64_t multiple_of =
      1;  // threads of a block, where nothing holds an index to a bound and only whole blocks are right
};

struct LaunchGuess {
  Bounds bounds;  // of the indices of the folded body, for guess_shape
  std::vector<LaunchAxis> axes;
  std::vector<std::string> grid;   // expressions over sizes and axes, "?" where open
  std::vector<std::string> block;  // numbers or "?"
  std::string grid_why;            // the comment beside it
  std::string block_why;
  std::optional<std::string> dynamic_shared_bytes;  // absent: the kernel declares none
  std::vector<std::string> tunables;  // words in capitals that the kernel uses and its file does not define
};

LaunchGuess guess_launch(const DeviceKernel& kernel, const FoldedBody& folded, const NamedWords& names);
// Bytes of a local argument of OpenCL, or "?".
std::string guess_local_bytes(const FoldedBody& folded, const LaunchGuess& launch, const CppParameter& parameter);

}  // namespace hone::task
