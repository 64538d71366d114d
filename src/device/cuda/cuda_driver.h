// CudaDriver: device/launcher/driver.h over NVIDIA's driver library, with one context on one device. It loads cubins
// alone: nothing is compiled where a candidate runs. Every guarded allocation is mapped with unmapped memory before and
// behind it, so that a write far outside is an illegal access; an exact one is the driver's own. Ownership, failure and
// threading: as driver.h.
#pragma once

#include <memory>
#include <string>

#include "device/cuda/cuda_library.h"
#include "device/launcher/driver.h"

namespace hone::device::cuda {

// `uuid` names the device ("GPU-…"); empty is the first one.
Result<std::unique_ptr<launcher::Driver>> open_driver(const CudaLibrary& library, const std::string& uuid,
                                                      launcher::Placing placing = launcher::Placing::guarded);

}  // namespace hone::device::cuda
