// What NVIDIA's drivers say of their devices, and which run-time compiler there is. To be called in the describing
// child alone (device/describing.h). Failure: environment, with what to type; a question that a driver refuses leaves
// its figure absent.
#pragma once

#include "device/accelerators.h"

namespace hone::device::cuda {

Result<Accelerators> describe_devices(const DriverFiles& files);
Result<Accelerators> describe_compiler(const DriverFiles& files);

}  // namespace hone::device::cuda
