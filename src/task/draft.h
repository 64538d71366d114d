// `hone init`: a draft of task.toml from a bare C++ kernel file, every unknown marked "?".
// A small tokenizer reads the signature of the extern "C" function; it never runs a compiler.
// Failure: contract with line and column when there is no usable function (templates and missing extern "C" are named).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"

namespace hone::task {

struct DraftRequest {
  std::filesystem::path kernel;
  std::optional<std::filesystem::path> reference;  // an oracle in C++: makes oracle = c_function
  std::map<std::string, int64_t> dimensions;       // --dims M=..,N=..
  std::string entry;                               // when the file has several functions
};

struct Draft {
  std::string toml;
  std::vector<std::string> open_questions;  // one line each
};

Result<Draft> draft_task(const DraftRequest& request);

}  // namespace hone::task
