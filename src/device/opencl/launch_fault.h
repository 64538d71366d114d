// What a status of OpenCL says of the kernel whose launch it answers. Absent: it says nothing of the kernel, the
// machine or hone is at fault. Any thread.
#pragma once

#include <optional>

#include "device/device.h"
#include "device/opencl/opencl_types.h"

namespace hone::device::opencl {

std::optional<Fault> fault_of_launch(ClStatus status);

}  // namespace hone::device::opencl
