// Which variables of a PTX module are only ever read: tables that a compiler or its mathematical functions put into
// global memory, though nobody writes them. An address is followed through a function's registers; as soon as it goes
// anywhere but into the address of a load, its variable counts as written. So a variable that is not named here may
// still be one that nobody writes; one that is named is one that no instruction of the text can write through its name.
// Takes time in proportion to the text. Pure; any thread.
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "task/ptx_tokens.h"

namespace hone::task {

// Those of `variables` that are only read.
std::set<std::string_view> only_read(std::span<const PtxToken> tokens, std::set<std::string_view> variables);

}  // namespace hone::task
