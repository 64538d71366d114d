// Which contents a device makes itself (duties_source.h), and as what record: those of the contract's own uniform,
// normal and integers fills that timed launches use. All else is made on the host by device/fill.h and copied. Pure;
// any thread.
#pragma once

#include <optional>

#include "device/fill.h"
#include "device/launcher/wire.h"

namespace hone::device::launcher {

// Nothing where the host has to make it.
std::optional<DrawRecord> drawn_on_device(const FillPlan& plan);
StreamWords words_of(const PhiloxStream& stream);

// Eight bytes that a buffer repeats: of a constant fill its value, of poison in a floating type its NaN.
uint64_t constant_pattern(const FillPlan& plan);
uint64_t poison_pattern(task::DType dtype, const Digest& sub_key, uint32_t argument_index);

}  // namespace hone::device::launcher
