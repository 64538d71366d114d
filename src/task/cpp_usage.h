// What the body of a function tells about its buffers: whether one is written before it is read, and which shape its
// indices span. Guesses from plain loops over plain indices; anything else is "do not know". A wrong guess shows in
// `check`, whose guard zones and poisoned outputs catch it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "task/cpp_declarator.h"

namespace hone::task {

std::optional<Role> guess_role(const CppFunction& function, const std::string& buffer);
// What index variables stay below: names of parameters or numbers, "" where two loops disagree.
using Bounds = std::map<std::string, std::string, std::less<>>;
void add_bound(std::string_view variable, std::string_view extent, Bounds& bounds);
// Of loops that start at 0.
Bounds loop_bounds(CppTokens body);
// Extents, row-major: names of parameters or numbers. `for (i < B)` and a[i] give [B]; a[i * S + j] with j < S gives
// [B, S].
std::optional<std::vector<std::string>> guess_shape(const CppFunction& function, const std::string& buffer,
                                                    const Bounds& bounds);
inline std::optional<std::vector<std::string>> guess_shape(const CppFunction& function, const std::string& buffer) {
  return guess_shape(function, buffer, loop_bounds(function.body));
}

}  // namespace hone::task
