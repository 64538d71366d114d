// Files inside a folder that may have been written by somebody hostile: no way out, no symbolic links, not even in a
// parent. Every component is opened without following links, so that a swap between the check and the use gains
// nothing. Failure: contract, `what` starts with the quoted path and says what is wrong with it; io when reading itself
// fails.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace hone::task {

struct InsideFile {
  std::string bytes;
  bool executable = false;  // by its owner, which is what git records
};

// Says what is wrong with the text of a path, before any file is looked at.
Status check_relative(std::string_view path);
Result<Fd> open_inside(const std::filesystem::path& folder, std::string_view path);  // a regular file
Result<uint64_t> size_inside(const std::filesystem::path& folder, std::string_view path);
Result<InsideFile> read_inside(const std::filesystem::path& folder, std::string_view path, uint64_t limit_bytes);

}  // namespace hone::task
