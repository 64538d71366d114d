// An error is a small document: what happened, where, why it matters, what to do, and what caused it.
// Ownership: plain values. Errors never carry a stack trace; text from outside must be escaped before it is put in.
// Threading: values, no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enums.h"

namespace hone {

// What kind of failure it is; decides the process's exit code (CLI: 1 no, 2 usage or contract, 3 environment, 4
// inconclusive, 5 internal or I/O, 130 interrupted).
enum class ErrorCode { refused, usage, contract, environment, inconclusive, io, internal, interrupted };

template <>
struct EnumNames<ErrorCode> {
  static constexpr EnumName<ErrorCode> table[] = {
      {ErrorCode::refused, "refused"},           {ErrorCode::usage, "usage"},
      {ErrorCode::contract, "contract"},         {ErrorCode::environment, "environment"},
      {ErrorCode::inconclusive, "inconclusive"}, {ErrorCode::io, "io"},
      {ErrorCode::internal, "internal"},         {ErrorCode::interrupted, "interrupted"},
  };
};

int exit_code(ErrorCode code);

// Where an error was found. A line or column of 0 does not occur: the field is then absent from all output.
struct Where {
  std::string file;
  uint32_t line = 0;    // 1-based, 0 = the whole file
  uint32_t column = 0;  // 1-based, 0 = the whole line

  bool empty() const { return file.empty() && line == 0; }
};

std::string to_text(const Where& where);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string what;
  Where where = {};
  std::string why = {};   // why it matters; may be empty
  std::string help = {};  // what to do; may be empty
  std::vector<Error> causes = {};

  Error because(Error cause) && {
    causes.push_back(std::move(cause));
    return std::move(*this);
  }
};

// "file:3:7: what\n  why: …\n  do: …\n  because: …", ends with a newline.
std::string to_text(const Error& error);

}  // namespace hone
