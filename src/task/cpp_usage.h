// What the body of a function tells about its buffers: whether one is written before it is read, and which shape its
// indices span. Guesses from plain loops over plain indices; anything else is "do not know". A wrong guess shows in
// `check`, whose guard zones and poisoned outputs catch it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "task/cpp_signature.h"

namespace hone::task {

std::optional<Role> guess_role(const CppFunction& function, const std::string& buffer);
// Extents, row-major: names of parameters or numbers. `for (i < B)` and a[i] give [B]; a[i * S + j] with j < S gives
// [B, S].
std::optional<std::vector<std::string>> guess_shape(const CppFunction& function, const std::string& buffer);

}  // namespace hone::task
