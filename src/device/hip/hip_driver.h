// HipDriver: device/launcher/driver.h over AMD's HIP run time, on one device. It loads code objects alone: no
// candidate's text is compiled where it runs. Nobody has run this on an AMD device yet: it is tested against a
// stand-in. AMD's run time ends the process on most of what a kernel can do wrong, which the judge takes for the
// kernel's fault. Ownership, failure and threading: as driver.h.
#pragma once

#include <memory>
#include <string>

#include "device/hip/hip_library.h"
#include "device/launcher/driver.h"

namespace hone::device::hip {

// `uuid` names the device as uuid_of does; empty is the first one. Needs HIP 6.
Result<std::unique_ptr<launcher::Driver>> open_driver(const HipLibrary& library, const std::string& uuid);

}  // namespace hone::device::hip
