// What an entry returns, read from what the compiler's preprocessor makes of the sources: a symbol of C linkage does
// not say. Nothing, if the name is defined at least once and every definition of it says `void`, before the name or
// after
// `->`; else a status. Type names that stand for void are not seen through, and a name that is given to a function by
// other means (assembler, alias, pragma) is taken for a status: a candidate gains nothing by hiding what it returns.
// Pure function, no failure, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "device/device.h"

namespace hone::device::cpu {

// One preprocessed text a source, of C or C++.
Returns returns_of(std::span<const std::string> preprocessed, std::string_view entry);

}  // namespace hone::device::cpu
