// The extern "C" functions of a C++ file, with their parameters as a contract sees them. Reads tokens, runs no
// compiler. Failure: contract with file, line and column; templates, overloads and a missing extern "C" are named as
// such.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/cpp_tokens.h"
#include "task/types.h"

namespace hone::task {

struct CppParameter {
  std::string name;
  std::optional<DType> dtype;  // absent: a type that a contract has no name for
  bool pointer = false;
  bool to_const = false;  // the pointee cannot be written
  Position at;
};

struct CppFunction {
  std::string name;
  std::string returns;  // "void", "int", …
  std::vector<CppParameter> parameters;
  std::vector<CppToken> body;  // empty for a mere declaration
  Position at;
};

Error cpp_error(const std::filesystem::path& file, Position at, std::string what, std::string help = {});
Result<std::vector<CppFunction>> extern_c_functions(const std::filesystem::path& file, std::string_view text);
// The one called `entry`, or the only one when that is empty.
Result<CppFunction> choose_function(const std::filesystem::path& file, const std::vector<CppFunction>& functions,
                                    const std::string& entry);

}  // namespace hone::task
