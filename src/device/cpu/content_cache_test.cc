#include "device/cpu/content_cache.h"

#include <gtest/gtest.h>

namespace hone::device::cpu {
namespace {

FillPlan plan_of(uint64_t count) {
  FillPlan plan;
  plan.dtype = task::DType::f32;
  plan.count = count;
  plan.fill.kind = task::FillKind::uniform;
  return plan;
}

std::vector<std::byte> copied(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<std::byte> made(uint64_t count, std::string_view key) {
  std::vector<std::byte> bytes(count * 4);
  fill(bytes, plan_of(count), sha256(key), 0);
  return bytes;
}

TEST(ContentCache, MakesAContentOnceForAPair) {
  ContentCache cache;
  cache.reserve(2 * 400);
  for (const char* key : {"a", "b", "a", "b"})
    EXPECT_EQ(copied(cache.get(plan_of(100), sha256(key), 0)), made(100, key));
  EXPECT_EQ(cache.generated(), 2u);
}

TEST(ContentCache, TheOldestGoesFirst) {
  ContentCache cache;
  cache.reserve(2 * 400);
  for (const char* key : {"a", "b", "c", "b", "c", "a"}) cache.get(plan_of(100), sha256(key), 0);
  EXPECT_EQ(cache.generated(), 4u);
}

// Memory that is used again shows nothing of what it held.
TEST(ContentCache, SizesMayChange) {
  ContentCache cache;
  cache.reserve(1000);
  for (const uint64_t count : {100, 10, 250, 7, 240, 100, 1})
    EXPECT_EQ(copied(cache.get(plan_of(count), sha256("key"), 0)), made(count, "key")) << count;
}

TEST(ContentCache, WithoutRoomEveryContentIsMade) {
  ContentCache cache;
  EXPECT_EQ(copied(cache.get(plan_of(50), sha256("a"), 0)), made(50, "a"));
  EXPECT_EQ(copied(cache.get(plan_of(50), sha256("b"), 0)), made(50, "b"));
  EXPECT_EQ(cache.get(plan_of(0), sha256("c"), 0).size(), 0u);
}

TEST(ContentCache, AnotherArgumentIsAnotherContent) {
  ContentCache cache;
  cache.reserve(10000);
  const auto first = copied(cache.get(plan_of(50), sha256("a"), 0));
  EXPECT_NE(copied(cache.get(plan_of(50), sha256("a"), 1)), first);
  FillPlan other = plan_of(50);
  other.distribution = Distribution::sparse;
  EXPECT_NE(copied(cache.get(other, sha256("a"), 0)), first);
}

}  // namespace
}  // namespace hone::device::cpu
