// The published record of a device, from what its driver or the system shows.
#pragma once

#include "campaign/device_record.h"
#include "device/accelerators.h"
#include "device/cpu/topology.h"

namespace hone::cli {

campaign::DeviceRecord published_record(const device::Accelerator& accelerator);
campaign::DeviceRecord published_record(const device::cpu::Topology& topology);

}  // namespace hone::cli
