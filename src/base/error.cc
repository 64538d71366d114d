#include "base/error.h"

#include <fmt/format.h>

namespace hone {

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::refused:
      return 1;
    case ErrorCode::usage:
    case ErrorCode::contract:
      return 2;
    case ErrorCode::environment:
      return 3;
    case ErrorCode::inconclusive:
      return 4;
    case ErrorCode::io:
    case ErrorCode::internal:
      return 5;
    case ErrorCode::interrupted:
      return 130;
  }
  return 5;
}

std::string to_text(const Where& where) {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  return text;
}

namespace {

void append_text(std::string& out, const Error& error, const std::string& indent) {
  out += indent;
  if (!error.where.empty()) out += to_text(error.where) + ": ";
  out += error.what + "\n";
  if (!error.why.empty()) out += indent + "  why: " + error.why + "\n";
  if (!error.help.empty()) out += indent + "  do:  " + error.help + "\n";
  for (const Error& cause : error.causes) {
    out += indent + "  because:\n";
    append_text(out, cause, indent + "    ");
  }
}

}  // namespace

std::string to_text(const Error& error) {
  std::string out;
  append_text(out, error, "");
  return out;
}

}  // namespace hone
