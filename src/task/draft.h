// `hone init`: a draft of task.toml from a bare kernel file of C++, CUDA, HIP or OpenCL, every unknown marked "?".
// A small tokenizer reads the signature; no compiler is run. What it guesses (roles and shapes from plain loops and
// indices, grid and block, tolerances) carries a comment that says so; where kernel, reference and dimensions answer
// everything, nothing is open. Failure: usage for a file that cannot be read and for dimensions that fit
// nothing; contract with line and column when there is no usable function (templates, overloads and missing extern "C"
// are named), when the reference's signature does not match, or when the drafted text has faults other than open
// questions.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/task.h"

namespace hone::task {

struct DraftRequest {
  std::filesystem::path kernel;
  std::optional<std::filesystem::path> reference;  // an oracle in C++ in the kernel's folder: makes oracle = c_function
  std::map<std::string, BoundValue> dimensions;    // --dims M=..,a=..: sizes, whole and at least 1, and scalars
  std::string entry;                               // when the file has several functions
  std::optional<Language> language = {};           // absent: what the file's name says
};

struct Draft {
  std::string toml;                         // for task.toml beside the kernel; nothing is written here
  std::vector<std::string> open_questions;  // one line each, what read_task says of `toml`
};

Result<Draft> draft_task(const DraftRequest& request);

}  // namespace hone::task
