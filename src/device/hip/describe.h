// What AMD's HIP run time says of its devices, and which run-time compiler there is. To be called in the describing
// child alone (device/describing.h). Failure: environment, with what to type; a question that the run time refuses
// leaves its figure absent. Nobody has run this on an AMD device yet; every device says so.
#pragma once

#include "device/accelerators.h"

namespace hone::device::hip {

Result<Accelerators> describe_devices(const DriverFiles& files);
Result<Accelerators> describe_compiler(const DriverFiles& files);

}  // namespace hone::device::hip
