#include "record/torn.h"

#include "base/testing/faulty_disk.h"
#include "record/testing/sample_log.h"

namespace hone::record {
namespace {

using TornTest = testing::LogTest;

TEST_F(TornTest, NothingIsThereAtFirst) { EXPECT_TRUE(torn_at(path_, 1)->empty()); }

TEST_F(TornTest, KeepsBytesByLineAndOrder) {
  ASSERT_TRUE(keep_torn(disk_, path_, 3, "first"));
  ASSERT_TRUE(keep_torn(disk_, path_, 3, std::string_view("sec\0nd", 6)));
  ASSERT_TRUE(keep_torn(disk_, path_, 4, "other line"));
  const auto tails = torn_at(path_, 3);
  ASSERT_EQ(tails->size(), 2u);
  EXPECT_EQ((*tails)[0].file.filename(), "3.bytes");
  EXPECT_EQ((*tails)[1].file.filename(), "3-2.bytes");
  EXPECT_EQ((*tails)[1].size_bytes, 6u);
  EXPECT_EQ((*tails)[1].digest, sha256(std::string_view("sec\0nd", 6)));
}

TEST_F(TornTest, DoesNotKeepTheSameBytesTwice) {
  ASSERT_TRUE(keep_torn(disk_, path_, 3, "same"));
  ASSERT_TRUE(keep_torn(disk_, path_, 3, "same"));
  EXPECT_EQ(torn_at(path_, 3)->size(), 1u);
}

TEST_F(TornTest, AFullDiskLeavesNoHalfTail) {
  hone::testing::FaultyDisk disk;
  disk.writes_before_full = 0;
  EXPECT_FALSE(keep_torn(disk, path_, 3, "bytes"));
  EXPECT_TRUE(torn_at(path_, 3)->empty());
}

}  // namespace
}  // namespace hone::record
