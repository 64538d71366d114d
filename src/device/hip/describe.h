// What AMD's HIP run time says of its devices, and which run-time compiler there is. To be called in the describing
// child alone (device/describing.h). Failure: environment, with what to type; a question that the run time refuses
// leaves its figure absent. Nobody has run this on an AMD device yet.
#pragma once

#include <string_view>

#include "device/accelerators.h"

namespace hone::device::hip {

// A note on every device of this kind, and on every verdict that comes from one.
inline constexpr std::string_view k_not_run = "hone's HIP backend has not been run on a device by its authors";

Result<Accelerators> describe_devices(const DriverFiles& files);
Result<Accelerators> describe_compiler(const DriverFiles& files);

}  // namespace hone::device::hip
