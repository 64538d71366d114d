// Logs for tests: written through Log, read back as lines, damaged on purpose.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/testing/faulty_disk.h"
#include "record/log.h"

namespace hone::record::testing {

inline Status ignore_line(std::string_view, uint64_t) { return ok(); }

inline std::string sample_body(uint64_t seq) {
  return fmt::format(R"({{"seq":{},"kind":"sample","text":"a b"}})", seq);
}

// The bytes of a good log with lines 1 to `lines`.
inline std::string sample_log(uint64_t lines) {
  std::string text;
  Digest previous;
  for (uint64_t seq = 1; seq <= lines; ++seq) {
    const auto line = seal(sample_body(seq), previous);
    text += line->text;
    previous = line->hash;
  }
  return text;
}

inline void put_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The bodies in the log, verified.
inline Result<std::vector<std::string>> bodies_in(const fs::path& path) {
  std::vector<std::string> bodies;
  HONE_TRY(const auto content, read_log(path, [&](std::string_view line, uint64_t) -> Status {
             bodies.push_back(body_of(line));
             return ok();
           }));
  EXPECT_EQ(content.head.lines, bodies.size());
  return bodies;
}

class LogTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-log-");
  fs::path path_ = folder_.path() / "log.jsonl";
  hone::testing::FaultyDisk disk_;  // told to fail nothing; it spares the syncs
};

}  // namespace hone::record::testing
