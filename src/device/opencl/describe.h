// The OpenCL platforms of this machine and their devices. To be called in the describing child alone
// (device/describing.h). Failure: environment, with what to type; a question that a driver refuses leaves its figure
// absent.
#pragma once

#include "device/accelerators.h"

namespace hone::device::opencl {

Result<Accelerators> describe_devices(const DriverFiles& files);

}  // namespace hone::device::opencl
