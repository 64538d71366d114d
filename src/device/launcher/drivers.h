// The drivers that a launcher can open: one row a backend that launches device code (drivers.cc).
#pragma once

#include <memory>
#include <string_view>

#include "device/launcher/driver.h"

namespace hone::device::launcher {

// `backend` is "cuda", "opencl" or "hip"; an empty uuid is its first device. Failure: environment.
Result<std::unique_ptr<Driver>> open_driver(std::string_view backend, const std::string& uuid, Placing placing);

}  // namespace hone::device::launcher
