// C++ source text as tokens with positions: names, numbers, strings and operators; comments and preprocessor lines are
// left out. Enough to find a function and its parameters; no macro is expanded and nothing is looked up. Views point
// into the text.
#pragma once

#include <string_view>
#include <vector>

#include "task/toml.h"

namespace hone::task {

enum class CppKind { word, number, quoted, symbol };

struct CppToken {
  CppKind kind;
  std::string_view text;
  Position at;

  bool is(std::string_view other) const { return text == other; }
};

std::vector<CppToken> cpp_tokens(std::string_view text);

}  // namespace hone::task
