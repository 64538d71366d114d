// Which of OpenCL's devices is meant. Failure: environment, naming what there is not. One thread.
#pragma once

#include <string>

#include "device/opencl/opencl_library.h"

namespace hone::device::opencl {

// A device is named "P.D", platform and device in the order of the library; empty is the first GPU, else the first
// device of all.
struct Chosen {
  Platform platform = nullptr;
  Device device = nullptr;
  std::string name;  // "0.1"
};
Result<Chosen> choose_device(const OpenclLibrary& library, const std::string& name);

// The processor whose own name is `device_name`: where other devices cannot be seen, they are not counted.
Result<Chosen> choose_processor(const OpenclLibrary& library, const std::string& device_name);

}  // namespace hone::device::opencl
