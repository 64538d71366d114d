#include "base/disk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/testing/faulty_disk.h"

namespace hone {
namespace {

using testing::FaultyDisk;

class DiskTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-disk-");
  fs::path file_ = folder_.path() / "file";
};

TEST_F(DiskTest, ShortWritesAreCompleted) {
  FaultyDisk disk;
  disk.longest_write_bytes = 3;
  ASSERT_TRUE(write_file(disk, file_, "hello world", Durable::yes));
  EXPECT_EQ(*read_file(file_), "hello world");
}

TEST_F(DiskTest, AFullDiskLeavesTheOldFileAndNoTemporary) {
  FaultyDisk disk;
  ASSERT_TRUE(write_file(disk, file_, "old"));
  disk.writes_before_full = 0;
  const Status failed = write_file(disk, file_, "new");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::io);
  EXPECT_NE(to_text(failed.error()).find("free space"), std::string::npos);
  EXPECT_EQ(*read_file(file_), "old");
  EXPECT_EQ(list_files(folder_.path())->size(), 1u);
}

TEST_F(DiskTest, AFailedSyncIsNotSuccess) {
  FaultyDisk disk;
  disk.sync_fails = true;
  EXPECT_FALSE(write_file(disk, file_, "x", Durable::yes));
  EXPECT_FALSE(path_exists(file_));
  EXPECT_TRUE(write_file(disk, file_, "x", Durable::no));
}

TEST_F(DiskTest, UnchangedFilesAreNotTouched) {
  FaultyDisk disk;
  ASSERT_TRUE(write_file_if_changed(disk, folder_.path() / "a/b", "same"));
  disk.writes_before_full = 0;
  EXPECT_TRUE(write_file_if_changed(disk, folder_.path() / "a/b", "same"));
  EXPECT_FALSE(write_file_if_changed(disk, folder_.path() / "a/b", "other"));
}

TEST_F(DiskTest, ReadingRefusesWhatIsNotAPlainFile) {
  EXPECT_FALSE(read_file(folder_.path()));
  EXPECT_FALSE(read_file(folder_.path() / "absent"));
  ASSERT_EQ(mkfifo((folder_.path() / "fifo").c_str(), 0600), 0);
  std::ofstream(file_) << "0123456789";
  EXPECT_FALSE(read_file(file_, 9));
  EXPECT_EQ(read_file(file_, 10)->size(), 10u);
}

TEST_F(DiskTest, ListingSkipsLinks) {
  std::ofstream(file_) << "x";
  fs::create_symlink(file_, folder_.path() / "link");
  EXPECT_EQ(*list_files(folder_.path()), std::vector<fs::path>{"file"});
}

TEST_F(DiskTest, TemporaryFoldersVanish) {
  fs::path path;
  {
    const auto inner = TemporaryFolder::make(folder_.path(), "t");
    ASSERT_TRUE(inner);
    path = inner->path();
    std::ofstream(path / "x") << "x";
  }
  EXPECT_FALSE(path_exists(path));
}

// A pipe without a writer would keep whoever opens it waiting for ever.
TEST(ReadFile, APipeIsNoRegularFile) {
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-disk-");
  const fs::path pipe = folder->path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto read = read_file(pipe);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("not a regular file"), std::string::npos);
}

TEST(UserFolders, WithoutAHomeTheyLieInNobodysRoot) {
  const std::string home = getenv("HOME") == nullptr ? "" : getenv("HOME");
  const char* cache = getenv("XDG_CACHE_HOME");
  const std::string kept = cache == nullptr ? "" : cache;
  unsetenv("XDG_CACHE_HOME");
  for (const char* nowhere : {"", "relative"}) {
    setenv("HOME", nowhere, 1);
    EXPECT_TRUE(user_cache_folder().is_absolute());
    EXPECT_NE(user_cache_folder().string().find(fmt::format("hone-{}", getuid())), std::string::npos);
  }
  setenv("HOME", home.c_str(), 1);
  if (cache != nullptr) setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace hone
