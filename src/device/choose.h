// Which device a word of --device names, and why. The word is one of
//   auto         the first that runs the task's language, GPUs before what runs on the processor
//   INDEX        among those, in the order of `hone doctor`
//   KIND         the first of a kind: cpu, cuda, hip, opencl
//   KIND:INDEX   "cuda:1"; of OpenCL platform and device, "opencl:0.1"
//   KIND:UUID    and a UUID alone, whole or its first 8 characters or more ("GPU-" need not be typed)
//   VENDOR       the first of nvidia, amd, intel
// Pure. Failure: environment for a word that names no device which runs the language, with those that do; usage for a
// UUID's beginning that names several. Where nothing runs the language, `absences` say what to type.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/accelerators.h"
#include "task/types.h"

namespace hone::device {

struct Choice {
  std::optional<Accelerator> accelerator;  // absent: the processor
  std::string reason;                      // "the first that runs cuda kernels (of 2)"
};

Result<Choice> choose_device(std::string_view word, task::Language language,
                             const std::vector<Accelerator>& accelerators, std::span<const Absence> absences = {});

// "cuda:0", "opencl:0.1": what names it to --device on this machine, for now. Its uuid names it for good.
std::string place_of(const Accelerator& accelerator);

}  // namespace hone::device
