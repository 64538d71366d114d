#include "record/blobs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/testing/faulty_disk.h"

namespace hone::record {
namespace {

using hone::testing::FaultyDisk;

class BlobsTest : public ::testing::Test {
 protected:
  void damage(const Digest& digest, std::string_view bytes) {
    fs::remove(blobs_.path_of(digest));
    std::ofstream(blobs_.path_of(digest)) << bytes;
  }

  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "hone-blobs-");
  FaultyDisk disk_;
  Blobs blobs_ = *Blobs::open(disk_, folder_.path() / "blobs");
};

TEST_F(BlobsTest, GivesBackWhatWasPut) {
  const std::string bytes("a\0b\n\xff", 5);
  for (const std::string& content : {std::string(), bytes, std::string(3 << 20, 'x')}) {
    const auto digest = blobs_.put(content);
    ASSERT_TRUE(digest);
    EXPECT_EQ(*digest, sha256(content));
    EXPECT_EQ(*blobs_.get(*digest), content);
    EXPECT_TRUE(blobs_.has(*digest));
  }
}

TEST_F(BlobsTest, LiesWhereTheDocumentSays) {
  const auto digest = blobs_.put("hello\n");
  EXPECT_EQ(blobs_.path_of(*digest).lexically_relative(folder_.path()),
            "blobs/58/91b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  struct stat info {};
  ASSERT_EQ(stat(blobs_.path_of(*digest).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0222, 0u);
}

TEST_F(BlobsTest, PuttingTwiceWritesOnce) {
  ASSERT_TRUE(blobs_.put("same"));
  disk_.writes_before_full = 0;
  EXPECT_TRUE(blobs_.put("same"));
  EXPECT_FALSE(blobs_.put("other"));
  EXPECT_EQ(blobs_.list()->size(), 1u);
}

TEST_F(BlobsTest, AMissingBlobIsAnIoError) {
  const auto missing = blobs_.get(sha256("never put"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
  EXPECT_FALSE(blobs_.has(sha256("never put")));
}

TEST_F(BlobsTest, ADamagedBlobIsRefusedAndHealedByPutting) {
  const auto digest = blobs_.put("content");
  for (const std::string_view damaged : {"", "c0ntent", "content and more"}) {
    damage(*digest, damaged);
    const auto got = blobs_.get(*digest);
    ASSERT_FALSE(got) << damaged;
    EXPECT_EQ(got.error().code, ErrorCode::refused);
    ASSERT_TRUE(blobs_.put("content"));
    EXPECT_EQ(*blobs_.get(*digest), "content");
  }
}

TEST_F(BlobsTest, ListsBlobsAndNothingElse) {
  const auto a = *blobs_.put("a");
  const auto b = *blobs_.put("bb");
  std::ofstream(folder_.path() / "blobs" / "README") << "x";
  std::ofstream(blobs_.path_of(a).parent_path() / ".half.1.1.tmp") << "x";
  fs::create_directories(folder_.path() / "blobs" / "zz");
  std::ofstream(folder_.path() / "blobs" / "zz" / std::string(62, '0')) << "x";
  const auto listed = blobs_.list();
  ASSERT_EQ(listed->size(), 2u);
  EXPECT_LT((*listed)[0].digest, (*listed)[1].digest);
  for (const StoredBlob& blob : *listed) EXPECT_EQ(blob.size_bytes, blob.digest == a ? 1u : 2u);
  EXPECT_TRUE(blobs_.has(b));
}

TEST_F(BlobsTest, RemovesOneAndLeavesTheRest) {
  const auto a = *blobs_.put("a");
  const auto b = *blobs_.put("b");
  ASSERT_TRUE(blobs_.remove(a));
  ASSERT_TRUE(blobs_.remove(a));
  EXPECT_FALSE(blobs_.has(a));
  EXPECT_EQ(*blobs_.get(b), "b");
}

TEST_F(BlobsTest, RemovesWhatDeadWritersLeft) {
  const auto a = *blobs_.put("a");
  std::ofstream(blobs_.path_of(a).parent_path() / ".half.1.1.tmp") << "x";
  ASSERT_TRUE(blobs_.remove_leftovers());
  EXPECT_EQ(list_files(folder_.path())->size(), 1u);
  EXPECT_EQ(*blobs_.get(a), "a");
}

// One operation fails: then there is no such blob, or the whole one; and putting again succeeds.
TEST_F(BlobsTest, AFaultAtEveryOperationLeavesNoHalfBlob) {
  uint64_t at = 1;
  for (bool reached = true; reached; ++at) {
    const std::string bytes = "content " + std::to_string(at);
    FaultyDisk faulty;
    auto blobs = Blobs::open(faulty, folder_.path() / "blobs");
    faulty.operations = 0;
    faulty.fail_from = faulty.fail_until = at;
    const auto put = blobs->put(bytes);
    reached = faulty.operations >= at;
    ASSERT_EQ(put.has_value(), !reached) << at;
    ASSERT_EQ(blobs_.get(sha256(bytes)).has_value(), blobs_.has(sha256(bytes))) << at;
    ASSERT_TRUE(blobs_.put(bytes));
    ASSERT_EQ(*blobs_.get(sha256(bytes)), bytes);
  }
  EXPECT_GT(at, 8u);
}

TEST_F(BlobsTest, TwoWritersOfTheSameBytesAgree) {
  const auto write_all_of_them = [&] {
    FaultyDisk disk;
    auto blobs = Blobs::open(disk, folder_.path() / "blobs");
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(blobs->put("content " + std::to_string(i)));
  };
  std::thread other(write_all_of_them);
  write_all_of_them();
  other.join();
  EXPECT_EQ(blobs_.list()->size(), 200u);
  const auto listed = blobs_.list();
  for (const StoredBlob& blob : *listed) EXPECT_TRUE(blobs_.get(blob.digest));
  EXPECT_EQ(list_files(folder_.path())->size(), 200u);
}

}  // namespace
}  // namespace hone::record
