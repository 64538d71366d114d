// A file that a person named on the command line or that a task must have: whatever is wrong with it is theirs to
// mend, so every failure is told with why it matters and what to do, and never as a defect of hone. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace hone::task {

// `code` is the kind of every failure (usage or contract); `why` says what the file is for.
Result<std::string> read_named_file(const std::filesystem::path& file, uint64_t limit_bytes, ErrorCode code,
                                    std::string why);

}  // namespace hone::task
