// Words that C++ and its libraries have taken, so that a contract cannot use them as names in a kernel.
// Any thread.
#pragma once

#include <string_view>

namespace hone::task {

bool is_cpp_keyword(std::string_view word);  // of C++20, alternative spellings such as `and` included
// A macro of this name would change what headers or the compiler mean: keywords, reserved names, `std`, `main`, …
bool breaks_as_macro(std::string_view word);

}  // namespace hone::task
