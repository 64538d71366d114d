// Hidden cases: a TOML file outside of the task's folder, to which the contract commits by [hidden] sha256, so that
// neither side can change it later. The digest is the SHA-256 of the file's bytes; a nonce of 32 random bytes in it
// keeps anybody from guessing cases until the digest fits. docs/task.md, "Hidden cases", has the format.
//
// A hidden case lies in the public domain and is known as hidden-1, hidden-2, … in an order that follows from nonce and
// bindings alone: secret to whoever lacks the file, and the same in every job, so that an interrupted comparison goes
// on. Diagnostics of the file name what it binds: they are for its author (`hone check --hidden`) and for nobody else.
// Files are read once. Failures: usage or contract; with_hidden_cases tells nothing of what the file holds.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/read.h"
#include "task/task.h"

namespace hone::task {

constexpr std::string_view k_hidden_id = "hidden-";

struct ReadHidden {
  Digest digest;            // what a contract commits to
  std::vector<Case> cases;  // in the order of their ids; empty where there are errors
  Diagnostics diagnostics;
};

Result<ReadHidden> read_hidden(const Task& task, const std::filesystem::path& file);

// Is this the file that the contract commits to?
Status check_commitment(const Task& task, const std::filesystem::path& file);
// The task with its hidden cases behind the public ones.
Result<Task> with_hidden_cases(Task task, const std::filesystem::path& file);

}  // namespace hone::task
