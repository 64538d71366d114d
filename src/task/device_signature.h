// The kernels of a CUDA, HIP or OpenCL file that can be found by their plain names: `extern "C" __global__ void
// NAME(…)` and `__kernel void NAME(…)`, attributes such as __launch_bounds__ included. Reads tokens, runs no compiler.
// Failure: contract with file, line and column; templates and a missing extern "C" are named as such, and the help of
// the latter is the line to write. Views point into `text`. Any thread.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/cpp_declarator.h"

namespace hone::task {

struct DeviceKernel {
  CppFunction function;
  std::vector<CppToken> attributes;  // what stands before its name: __launch_bounds__(256), …
};

Result<std::vector<DeviceKernel>> device_kernels(const std::filesystem::path& file, std::string_view text,
                                                 Dialect dialect);
using Constants = std::map<std::string, std::string, std::less<>>;

// What the file gives a name.
struct NamedWords {
  Constants constants;                         // whole numbers: `#define TILE 16`, `const int TILE = 16;`
  std::set<std::string, std::less<>> defined;  // every macro and every word that is assigned something
};

// Names with more than one value are no constants.
NamedWords named_words(std::string_view text);

}  // namespace hone::task
