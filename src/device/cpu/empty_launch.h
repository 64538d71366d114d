// The empty launch: what a launch of a kernel that does nothing takes at least, with thaw, wake and freeze. It stands
// beside every CPU time and is one term of the floor. Seconds. Failure: as compiling and loading.
#pragma once

#include "base/result.h"
#include "device/cpu/cpu_device.h"

namespace hone::device::cpu {

Result<double> measure_empty_launch(CpuDevice& device, int threads);

}  // namespace hone::device::cpu
