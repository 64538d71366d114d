// A store.git with a fixed little history, for tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/testing/faulty_disk.h"
#include "record/git_store.h"

namespace hone::record::testing {

constexpr const char* k_incumbent = "refs/hone/incumbent";

inline std::vector<TreeFile> sample_files(const std::string& kernel) {
  return {{"kernel.cpp", FileMode::plain, kernel},
          {"sub/deep/data.bin", FileMode::plain, std::string("\0\xff\r\n", 4)},
          {"sub/run.sh", FileMode::executable, "#!/bin/sh\n"}};
}

inline CommitText sample_text(int version) {
  return {"v" + std::to_string(version) + ": tile the loop",
          {{"Hone-Log", "12 abc"}, {"Hone-Verdict", "def"}},
          1'700'000'000 + version};
}

// Version `version` on top of `parents`; a pure function of both.
inline Result<ObjectId> sample_commit(GitStore& store, int version, const std::vector<ObjectId>& parents) {
  HONE_TRY(const ObjectId tree, store.write_tree(sample_files("kernel of v" + std::to_string(version) + "\n")));
  return store.commit_tree(tree, parents, sample_text(version));
}

// git syncs in earnest and often; a folder in memory keeps the tests quick.
inline fs::path quick_folder() {
  const fs::path memory = "/dev/shm";
  return access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
}

class StoreTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::make(quick_folder(), "hone-store-");
  fs::path path_ = folder_.path() / "store.git";
  hone::testing::FaultyDisk disk_;
  Processes processes_;
  GitStore store_ = *GitStore::open(disk_, processes_, path_);
};

}  // namespace hone::record::testing
