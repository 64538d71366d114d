// Golden files: what a test produced stands beside it in the tree. HONE_REBASE=1 in the environment writes the file
// anew instead of comparing; the change then shows in the diff, where a person judges it. For GoogleTest bodies alone.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "base/disk.h"

namespace hone::testing {

inline bool is_rebasing() {
  const char* value = std::getenv("HONE_REBASE");
  return value != nullptr && std::string_view(value) == "1";
}

inline void expect_golden(const fs::path& file, std::string_view content) {
  Disk disk;
  if (is_rebasing()) {
    ASSERT_TRUE(disk.make_directories(file.parent_path()) && write_file(disk, file, content)) << file;
  }
  const auto golden = read_file(file);
  ASSERT_TRUE(golden) << file << " is missing; HONE_REBASE=1 writes it";
  EXPECT_EQ(*golden, content) << file << " differs; HONE_REBASE=1 rewrites it";
}

}  // namespace hone::testing
