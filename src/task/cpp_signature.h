// The extern "C" functions of a C++ file, with their parameters as a contract sees them. Reads tokens, runs no
// compiler. Failure: contract with file, line and column; templates, overloads and a missing extern "C" are named as
// such.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/cpp_declarator.h"

namespace hone::task {

Result<std::vector<CppFunction>> extern_c_functions(const std::filesystem::path& file, std::string_view text);
// The one called `entry`, or the only one when that is empty. `noun` is what messages call one of them.
Result<CppFunction> choose_function(const std::filesystem::path& file, const std::vector<CppFunction>& functions,
                                    const std::string& entry, std::string_view noun = "extern \"C\" function");

}  // namespace hone::task
