// The digest of a task: its parsed content in canonical form, then every file that says what is right.
// Private to reading; docs/task.md states the bytes.
#pragma once

#include <string>

#include "task/report.h"
#include "task/task.h"
#include "task/toml.h"

namespace hone::task {

// Compact JSON, keys sorted by their bytes; an integer and the same number written as a double differ.
std::string canonical_json(const TomlNode& node);
// Sets task.digest; a file that cannot be read is reported.
void set_digest(const TomlNode& document, Task& task, Report& report);

}  // namespace hone::task
