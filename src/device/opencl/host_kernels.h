// HostKernels: what a runner runs of a contract whose kernels are OpenCL's and whose device is this machine's own
// cores. Such a runtime works on the runner's buffers in place, and executes kernels as native code inside the runner:
// the trust level is host-code, and everything that a runner promises holds.
#pragma once

#include "device/cpu/callee.h"

namespace hone::device::opencl {

// page.library is the program's binary, page.processor the processor's own name.
std::unique_ptr<cpu::Callee> make_host_kernels(const cpu::ControlPage& page, const cpu::Payloads& payloads);

}  // namespace hone::device::opencl
