// A scalar argument as the bits that a kernel's parameter of that type holds, in the low bytes. Pure; any thread.
#pragma once

#include <cstdint>

#include "task/task.h"

namespace hone::device {

uint64_t scalar_bits(task::DType dtype, const task::BoundValue& value);

}  // namespace hone::device
