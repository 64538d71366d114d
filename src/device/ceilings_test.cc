#include "device/ceilings.h"

#include <gtest/gtest.h>

namespace hone::device {
namespace {

Ceilings some_ceilings() {
  Ceilings c;
  c.device_key = "ab12";
  c.measured_at = "2026-11-29T18:24:30.123Z";
  c.threads = 2;
  c.bandwidth = {{"L1", 32768, 2e11, 2.5e11, 2e11, {}}, {"memory", 1ull << 34, 2e10, 1.5e10, 1.8e10, 2e10}};
  c.arithmetic = {{"f32", 1.1e11, 512}};
  return c;
}

class StoredCeilings : public testing::Test {
 protected:
  const fs::path& folder() const { return folder_.path(); }
  Disk disk_;
  TemporaryFolder folder_ = *TemporaryFolder::make(fs::temp_directory_path(), "ceilings");
};

TEST_F(StoredCeilings, ComeBackAsTheyWere) {
  const Ceilings stored = some_ceilings();
  ASSERT_TRUE(store_ceilings(disk_, stored, folder()));
  const auto loaded = load_ceilings("ab12", 2, folder());
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ(json::to_text(**loaded), json::to_text(stored));
  EXPECT_FALSE((*loaded)->empty_launch_seconds) << "absent stays absent";
  const auto text = read_file(ceilings_path(folder(), "ab12", 2));
  EXPECT_NE(text->find("\"schema\": \"hone.ceilings/1\""), std::string::npos);
}

TEST_F(StoredCeilings, AreOfOneDeviceAndThreadCount) {
  ASSERT_TRUE(store_ceilings(disk_, some_ceilings(), folder()));
  EXPECT_FALSE(*load_ceilings("ab12", 1, folder()));
  EXPECT_FALSE(*load_ceilings("cd34", 2, folder()));
}

TEST_F(StoredCeilings, DamageIsNamedNotGuessed) {
  const fs::path path = ceilings_path(folder(), "ab12", 2);
  ASSERT_TRUE(store_ceilings(disk_, some_ceilings(), folder()));
  const std::string good = *read_file(path);
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& bad : {good.substr(0, good.size() / 2), replaced("hone.ceilings/1", "hone.ceilings/9"),
                                 replaced("ab12", "ab13"), replaced("threads", "thread")}) {
    ASSERT_TRUE(write_file(disk_, path, bad));
    const auto loaded = load_ceilings("ab12", 2, folder());
    ASSERT_FALSE(loaded) << bad;
    EXPECT_EQ(loaded.error().code, ErrorCode::contract);
    EXPECT_EQ(loaded.error().where.file, path.string());
  }
}

// The worked example of docs/ceilings.md is a file that hone reads.
TEST_F(StoredCeilings, TheDocumentedExampleIsRead) {
  const std::string page = *read_file(std::string(HONE_SOURCE_DIR) + "/docs/ceilings.md");
  const size_t start = page.find("```json\n") + 8;
  const std::string key = "cc0164dceda6c58670c3abeed4e433f59eb8a4d124b364d7339bea11234b1712";
  const fs::path path = ceilings_path(folder(), key, 1);
  ASSERT_TRUE(disk_.make_directories(path.parent_path()));
  ASSERT_TRUE(write_file(disk_, path, page.substr(start, page.find("```", start) - start)));
  const auto loaded = load_ceilings(key, 1, folder());
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->arithmetic[0].vector_bits, 512);
}

TEST(Ceilings, TheLargerRateCounts) {
  Ceilings c = some_ceilings();
  raise(c, LevelBandwidth{"memory", 1ull << 34, 3e10, 1e10, {}, 3e10});
  EXPECT_EQ(c.bandwidth[1].copy_bytes_per_second, 3e10);
  EXPECT_EQ(c.bandwidth[1].read_bytes_per_second, 1.5e10);
  EXPECT_EQ(*c.bandwidth[1].ordinary_copy_bytes_per_second, 1.8e10);
  EXPECT_EQ(*c.bandwidth[1].non_temporal_copy_bytes_per_second, 3e10);
  raise(c, ArithmeticRate{"f32", 1e11, 256});
  EXPECT_EQ(c.arithmetic[0].vector_bits, 512);
  raise(c, ArithmeticRate{"f32", 2e11, 256});
  EXPECT_EQ(c.arithmetic[0].flops_per_second, 2e11);
  raise(c, ArithmeticRate{"f64", 1e10, 512});
  EXPECT_EQ(c.arithmetic.size(), 2u);
}

}  // namespace
}  // namespace hone::device
