// The head of one function of C++, CUDA, HIP or OpenCL C, with its parameters as a contract sees them, read from
// tokens. Failure: contract with file, line and column. Tokens point into a text that must outlive them. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/cpp_tokens.h"
#include "task/types.h"

namespace hone::task {

using CppTokens = std::span<const CppToken>;

enum class Dialect { cpp, cuda, opencl };  // HIP reads like CUDA

struct CppParameter {
  std::string name;
  std::optional<DType> dtype;  // absent: a type that a contract has no name for
  bool pointer = false;
  bool to_const = false;  // the pointee cannot be written
  bool local = false;     // OpenCL: local memory of a work-group
  std::string type = {};  // its words: "unsigned int"
  Position at = {};
};

struct CppFunction {
  std::string name;
  std::string returns;  // "void", "int", …
  std::vector<CppParameter> parameters;
  std::vector<CppToken> body;  // empty for a mere declaration
  Position at = {};
};

Error cpp_error(const std::filesystem::path& file, Position at, std::string what, std::string help = {});
// Index of the token that closes the bracket at `open`; the end when nothing does.
size_t closing(CppTokens tokens, size_t open);
// `tokens` go from the return type to the last parameter, without the closing bracket; `open` is the opening one.
Result<CppFunction> read_head(const std::filesystem::path& file, CppTokens tokens, size_t open, Dialect dialect);

}  // namespace hone::task
