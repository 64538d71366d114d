// C++ source text as tokens with positions: names, numbers, strings (raw ones too) and operators; digraphs read as what
// they stand for. Comments and preprocessor lines are left out. Enough to find a function and its parameters; no macro
// is expanded and nothing is looked up. Views point into the text or to constants. No failure, any thread.
#pragma once

#include <string_view>
#include <vector>

#include "task/toml.h"

namespace hone::task {

enum class CppKind { word, number, quoted, symbol, directive };

struct CppToken {
  CppKind kind;
  std::string_view text;
  Position at;

  bool is(std::string_view other) const { return text == other; }
};

// As somebody wrote it, or as a preprocessor printed it: there each line of a directive that is left (#pragma) is one
// token, and no line goes on in the next.
enum class CppText { written, preprocessed };

std::vector<CppToken> cpp_tokens(std::string_view text, CppText kind = CppText::written);

}  // namespace hone::task
