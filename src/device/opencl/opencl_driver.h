// OpenclDriver: device/launcher/driver.h over OpenCL 1.2: one context and one queue on one device, programs from
// binaries alone. Ownership, failure and threading: as driver.h.
#pragma once

#include <memory>
#include <string>

#include "device/launcher/driver.h"
#include "device/opencl/opencl_library.h"

namespace hone::device::opencl {

// `name` as in choose.h.
Result<std::unique_ptr<launcher::Driver>> open_driver(const OpenclLibrary& library, const std::string& name);

}  // namespace hone::device::opencl
