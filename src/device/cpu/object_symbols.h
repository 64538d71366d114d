// The functions that an object file defines and exports: a small reader of ELF64 relocatable files (System V ABI,
// chapter 4). The bytes come out of a confined build and are untrusted: every offset is checked, and what makes no
// sense reads as "no functions". Pure.
#pragma once

#include <string>
#include <vector>

#include "base/hash.h"

namespace hone::device::cpu {

std::vector<std::string> exported_functions(Bytes object);

}  // namespace hone::device::cpu
