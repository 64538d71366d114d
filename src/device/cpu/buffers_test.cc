// Where buffers lie must be luck: a kernel that is fast at one address proves nothing.
#include "device/cpu/buffers.h"

#include <gtest/gtest.h>

#include <set>

namespace hone::device::cpu {
namespace {

constexpr int k_sets = 2;
constexpr uint64_t k_align = 64;
constexpr uint64_t k_seeds = 64;

Buffers laid_out(uint64_t seed) {
  const ParameterLayout input{ParameterKind::buffer, task::DType::f32, 4000, k_align, false};
  const ParameterLayout output{ParameterKind::buffer, task::DType::f32, 4000, k_align, true};
  const ParameterLayout scalar{ParameterKind::value, task::DType::i32, 0, 1, false};
  const std::vector<ParameterLayout> parameters{input, output, scalar, output};
  LayoutDice dice(seed);
  auto made = Buffers::make(parameters, k_sets, dice);
  EXPECT_TRUE(made) << to_text(made.error());
  return *std::move(made);
}

using Slots = std::vector<std::tuple<uint32_t, uint32_t, uint64_t>>;

Slots slots_of(const Buffers& buffers) {
  Slots slots;
  for (const Buffer& buffer : buffers.in_mapping_order())
    slots.emplace_back(buffer.slot.set, buffer.slot.parameter, buffer.slot.payload_offset);
  return slots;
}

TEST(Buffers, PayloadsAreAlignedBetweenTheirGuards) {
  for (uint64_t seed = 0; seed < k_seeds; ++seed) {
    const Buffers buffers = laid_out(seed);
    for (const Buffer& buffer : buffers.in_mapping_order()) {
      EXPECT_EQ(buffer.slot.payload_offset % k_align, 0u);
      EXPECT_GE(buffer.guard_before().size(), k_guard_bytes);
      EXPECT_GE(buffer.guard_after(buffer.capacity_bytes).size(), k_guard_bytes);
    }
  }
}

TEST(Buffers, EveryPlaceOfAPageMayBeAPayloadsStart) {
  std::set<uint64_t> places;
  for (uint64_t seed = 0; seed < k_seeds; ++seed) places.insert(laid_out(seed).at(0, 1).slot.payload_offset % 4096);
  EXPECT_GT(places.size(), 4096 / k_align / 3) << "a third of them, at least";
}

TEST(Buffers, TheSetsOfAnArmLieAtDifferentPlaces) {
  size_t different = 0;
  for (uint64_t seed = 0; seed < k_seeds; ++seed) {
    const Buffers buffers = laid_out(seed);
    if (buffers.at(0, 1).slot.payload_offset != buffers.at(1, 1).slot.payload_offset) ++different;
  }
  EXPECT_GT(different, k_seeds / 2);
}

TEST(Buffers, AnyBufferMayBeMappedFirst) {
  std::set<std::pair<uint32_t, uint32_t>> first;
  for (uint64_t seed = 0; seed < k_seeds; ++seed) {
    const BufferSlot slot = laid_out(seed).in_mapping_order().front().slot;
    first.emplace(slot.set, slot.parameter);
  }
  EXPECT_EQ(first.size(), 6u) << "three buffers of two sets";
}

TEST(Buffers, FollowTheirSeedAlone) {
  EXPECT_EQ(slots_of(laid_out(7)), slots_of(laid_out(7)));
  EXPECT_NE(slots_of(laid_out(7)), slots_of(laid_out(8)));
}

TEST(Buffers, AreFoundBySetAndParameter) {
  const Buffers buffers = laid_out(3);
  for (int set = 0; set < k_sets; ++set) {
    for (const size_t parameter : {0u, 1u, 3u}) {
      EXPECT_EQ(buffers.at(set, parameter).slot.set, static_cast<uint32_t>(set));
      EXPECT_EQ(buffers.at(set, parameter).slot.parameter, parameter);
    }
  }
}

TEST(Buffers, OnlyWhatIsWrittenIsWritable) {
  const Buffers buffers = laid_out(3);
  EXPECT_EQ(buffers.at(0, 0).slot.writable, 0u);
  EXPECT_EQ(buffers.at(0, 1).slot.writable, 1u);
}

}  // namespace
}  // namespace hone::device::cpu
