// hone's own kernels on a real driver: every byte that they write is the byte that the processor's code writes, and
// every byte that they watch is watched.
#include "device/launcher/duties.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "device/fill.h"
#include "device/launcher/drawn.h"
#include "device/opencl/opencl_driver.h"
#include "device/opencl/programs.h"
#include "device/opencl/testing/processor.h"

namespace hone::device::launcher {
namespace {

using task::DType;
using task::FillKind;

constexpr uint64_t k_room_bytes = 64 << 10;

class DutiesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto name = opencl::processor_here();
    if (!name) return;
    const auto library = opencl::OpenclLibrary::open();
    const auto chosen = opencl::choose_device(*library, *name);
    std::string log;
    auto binary = opencl::build_binary(*library, chosen->device, duties_text("opencl"), "-cl-std=CL1.2", log);
    ASSERT_TRUE(binary) << to_text(binary.error()) << log;
    auto driver = opencl::open_driver(*library, *name);
    ASSERT_TRUE(driver) << to_text(driver.error());
    driver_ = std::move(*driver);
    auto duties = Duties::make(*driver_, *binary);
    ASSERT_TRUE(duties) << to_text(duties.error());
    duties_ = std::move(*duties);
  }
  static void TearDownTestSuite() {
    duties_.reset();
    driver_.reset();
  }

  void SetUp() override {
    HONE_NEEDS_PROCESSOR();
    memory_ = *driver_->allocate(k_room_bytes);
    const std::vector<std::byte> rest(k_room_bytes, k_untouched);
    ASSERT_TRUE(driver_->write({memory_, 0, k_room_bytes}, rest));
  }
  void TearDown() override {
    if (driver_) driver_->release(memory_);
  }

  // Content of so many bytes in the middle of the room, with guards up to k_rest bytes before its end.
  Zones zones(uint64_t bytes) const {
    return {memory_, k_offset, bytes, k_room_bytes - k_rest, words_of(k_before), words_of(k_after)};
  }

  std::vector<std::byte> all() {
    std::vector<std::byte> bytes(k_room_bytes);
    EXPECT_TRUE(driver_->read({memory_, 0, k_room_bytes}, bytes));
    return bytes;
  }

  static std::vector<std::byte> noise_of(const PhiloxStream& stream, uint64_t bytes);

  // The content that a stage made, when what lies beside it is guards and nothing else was touched.
  std::vector<std::byte> staged(uint64_t bytes, StageRecord record, Place place = {}) {
    record.use = Use::read;
    EXPECT_TRUE(duties_->stage(zones(bytes), record, place));
    const std::vector<std::byte> room = all();
    const auto part = [&](uint64_t from, uint64_t to) {
      return std::vector(room.begin() + static_cast<ptrdiff_t>(from), room.begin() + static_cast<ptrdiff_t>(to));
    };
    const uint64_t end = k_offset + bytes;
    const uint64_t guards_end = k_room_bytes - k_rest;
    EXPECT_EQ(part(0, k_offset), noise_of(k_before, k_offset));
    EXPECT_EQ(part(end, guards_end), noise_of(k_after, guards_end - end));
    EXPECT_EQ(part(guards_end, k_room_bytes), std::vector<std::byte>(k_rest, k_untouched));
    return part(k_offset, end);
  }

  void change(uint64_t at) {
    const std::byte other[] = {all()[at] ^ std::byte{1}};
    ASSERT_TRUE(driver_->write({memory_, at, 1}, other));
  }

  static constexpr std::byte k_untouched{0xa5};
  static constexpr uint64_t k_offset = 4096 + 16 * 7;
  static constexpr uint64_t k_rest = 64;
  static const PhiloxStream k_before;
  static const PhiloxStream k_after;

  static void gather(const GatherTable& table, uint32_t set, const View& to, uint64_t to_words) {
    const auto launches = duties_->gathering(table, set, to, to_words);
    ASSERT_TRUE(launches) << to_text(launches.error());
    for (const Launch& launch : *launches) ASSERT_TRUE(driver_->enqueue(launch));
  }

  // What an examination finds.
  FindingsRecord found(uint64_t bytes, Place place) {
    EXPECT_TRUE(driver_->enqueue(duties_->examination(zones(bytes), place, true)));
    std::vector<uint32_t> words(Duties::k_words_per_set);
    const View room{*driver_->allocate(Duties::k_set_bytes), 0, Duties::k_set_bytes};
    gather({}, place.set, room, 0);
    EXPECT_TRUE(driver_->read(room, std::as_writable_bytes(std::span(words))));
    driver_->release(room.memory);
    return Duties::findings_in(words, uint64_t{1} << place.parameter);
  }

  static std::unique_ptr<Driver> driver_;
  static std::optional<Duties> duties_;
  Memory memory_;
};

std::unique_ptr<Driver> DutiesTest::driver_;
std::optional<Duties> DutiesTest::duties_;
const PhiloxStream DutiesTest::k_before = poison_stream(sha256("before"), 1);
const PhiloxStream DutiesTest::k_after = poison_stream(sha256("after"), 2);

// poison() by its stream: sixteen bytes a block, the same again after 4096.
std::vector<std::byte> DutiesTest::noise_of(const PhiloxStream& stream, uint64_t bytes) {
  std::vector<std::byte> noise(bytes);
  for (uint64_t i = 0; i < bytes; ++i) {
    const PhiloxBlock block = philox_block(stream, i / 16 % 256);
    noise[i] = std::byte(block[i / 4 % 4] >> (8 * (i % 4)));
  }
  return noise;
}

FillPlan plan_of(DType dtype, FillKind kind, uint64_t count) {
  FillPlan plan;
  plan.dtype = dtype;
  plan.count = count;
  plan.fill.kind = kind;
  plan.fill.mean = 0.25;
  plan.fill.deviation = 3.0;
  plan.fill.low = kind == FillKind::integers ? -3 : -1.5;
  plan.fill.high = kind == FillKind::integers ? 100 : 2.75;
  if (name_of(dtype).starts_with("u") || dtype == DType::boolean) plan.fill.low = 0;
  if (dtype == DType::boolean) plan.fill.high = 1;
  return plan;
}

StageRecord drawing(const DrawRecord& draw, const PhiloxStream& stream) {
  StageRecord record;
  record.making = Making::draw;
  record.draw = draw;
  record.stream = words_of(stream);
  return record;
}

TEST_F(DutiesTest, WhatADeviceDrawsIsWhatTheProcessorDraws) {
  size_t drawn = 0;
  for (const auto& [dtype, name] : EnumNames<DType>::table) {
    for (const FillKind kind : {FillKind::uniform, FillKind::normal, FillKind::integers}) {
      for (const uint64_t count : {1u, 2u, 255u, 256u, 257u, 1023u, 1025u, 3000u}) {
        const FillPlan plan = plan_of(dtype, kind, count);
        const auto record = drawn_on_device(plan);
        if (!record) continue;
        ++drawn;
        SCOPED_TRACE(fmt::format("{} {} {}", name, name_of(kind), count));
        std::vector<std::byte> expected(count * task::size_bytes(dtype));
        fill(expected, plan, sha256("a key"), 5);
        ASSERT_EQ(staged(expected.size(), drawing(*record, element_stream(sha256("a key"), 5))), expected);
      }
    }
  }
  EXPECT_GT(drawn, 150u);
}

TEST_F(DutiesTest, ManyIntegersAreDrawnAsTheProcessorDrawsThem) {
  FillPlan plan = plan_of(DType::i32, FillKind::integers, 1000);
  plan.fill.low = -1e9;
  plan.fill.high = 1e9;
  const auto record = drawn_on_device(plan);
  ASSERT_TRUE(record);
  std::vector<std::byte> expected(4000);
  fill(expected, plan, sha256("k"), 0);
  EXPECT_EQ(staged(4000, drawing(*record, element_stream(sha256("k"), 0))), expected);
}

TEST_F(DutiesTest, WhatOnlyTheProcessorCanMakeIsNotDrawn) {
  FillPlan stress = plan_of(DType::f32, FillKind::normal, 10);
  stress.distribution = Distribution::heavy_tail;
  EXPECT_FALSE(drawn_on_device(stress));
  FillPlan wide = plan_of(DType::i64, FillKind::integers, 10);
  wide.fill.low = -9e18;
  wide.fill.high = 9e18;
  EXPECT_FALSE(drawn_on_device(wide));
}

TEST_F(DutiesTest, PatternsEndWhereTheViewEnds) {
  for (const uint64_t bytes : {1u, 7u, 8u, 9u, 4093u, 4096u}) {
    StageRecord record;
    record.pattern = 0x0807060504030201;
    const auto written = staged(bytes, record);
    for (uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(written[i], std::byte(i % 8 + 1)) << bytes << " at " << i;
    // What overwrites an output leaves the guards alone too.
    ASSERT_TRUE(duties_->pattern({memory_, k_offset, bytes}, 0));
    const FindingsRecord findings = found(bytes, {});
    EXPECT_EQ(findings.broken_before | findings.broken_after, 0u);
    EXPECT_EQ(findings.changed_inputs, 1u);
  }
}

TEST_F(DutiesTest, NoiseIsThePoisonOfTheProcessor) {
  for (const uint64_t bytes : {1u, 15u, 16u, 17u, 4096u, 5001u}) {
    std::vector<std::byte> expected(bytes);
    poison(expected, DType::u8, sha256("n"), 3);
    StageRecord record;
    record.making = Making::noise;
    record.stream = words_of(poison_stream(sha256("n"), 3));
    ASSERT_EQ(staged(bytes, record), expected) << bytes;
  }
}

// Lengths at which the guard behind begins at a multiple of 16, of 4, and at neither.
TEST_F(DutiesTest, EveryByteBesideTheContentIsWatched) {
  std::mt19937 dice(7);
  for (const uint64_t bytes : {5008u, 5012u, 5001u}) {
    const Place place{2, 33};
    const uint64_t end = k_offset + bytes;
    const uint64_t last = k_room_bytes - k_rest - 1;
    for (const uint64_t at : {uint64_t{0}, uint64_t{15}, uint64_t{16}, k_offset - 1, end, end + 1, end + 16, last,
                              uint64_t{dice() % k_offset}, end + dice() % (last - end)}) {
      SCOPED_TRACE(fmt::format("{} bytes, at {}", bytes, at));
      std::ignore = staged(bytes, {}, place);
      const FindingsRecord before = found(bytes, place);
      EXPECT_EQ(before.broken_before | before.broken_after | before.changed_inputs, 0u) << "as it was written";
      std::ignore = staged(bytes, {}, place);
      change(at);
      const FindingsRecord after = found(bytes, place);
      EXPECT_EQ(after.broken_before, at < k_offset ? uint64_t{1} << 33 : 0);
      EXPECT_EQ(after.broken_after, at < k_offset ? 0 : uint64_t{1} << 33);
      EXPECT_EQ(after.changed_inputs, 0u);
    }
  }
}

TEST_F(DutiesTest, EveryByteAndEveryPlaceOfAnInputIsWatched) {
  constexpr uint64_t k_bytes = 1003;
  std::vector<std::byte> bytes(k_bytes, std::byte{9});
  StageRecord record;
  record.making = Making::upload;
  const auto changed = [&](std::span<const std::byte> to) {
    EXPECT_TRUE(driver_->write({memory_, k_offset, k_bytes}, bytes));
    std::ignore = staged(k_bytes, record);
    EXPECT_TRUE(driver_->write({memory_, k_offset, k_bytes}, to));
    return found(k_bytes, {}).changed_inputs != 0;
  };
  EXPECT_FALSE(changed(bytes));
  for (const size_t at : {size_t{0}, size_t{500}, k_bytes - 1}) {
    std::vector<std::byte> other = bytes;
    other[at] ^= std::byte{0x10};
    EXPECT_TRUE(changed(other)) << at;
  }
  bytes[4] = std::byte{1}, bytes[8] = std::byte{2};
  std::vector<std::byte> other = bytes;
  std::swap(other[4], other[8]);
  EXPECT_TRUE(changed(other)) << "two words have changed places";
}

TEST_F(DutiesTest, RangesAreGathered) {
  std::vector<std::byte> bytes(k_room_bytes);
  std::mt19937 dice(3);
  for (std::byte& one : bytes) one = std::byte(dice());
  ASSERT_TRUE(driver_->write({memory_, 0, k_room_bytes}, bytes));
  const Memory to = *driver_->allocate(4096);
  gather({{memory_, {{10, 0, 100}, {60000, 112, 7}}}}, 0, {to, 0, 4096}, 2048);
  std::vector<std::byte> gathered(119);
  ASSERT_TRUE(driver_->read({to, 0, 119}, gathered));
  EXPECT_TRUE(std::equal(gathered.begin(), gathered.begin() + 100, bytes.begin() + 10));
  EXPECT_TRUE(std::equal(gathered.begin() + 112, gathered.end(), bytes.begin() + 60000));
  driver_->release(to);
}

TEST_F(DutiesTest, ColdCachesLeaveEverythingElseAlone) {
  ASSERT_TRUE(driver_->enqueue(duties_->cold_caches()));
  ASSERT_TRUE(duties_->scrub_shared());
  ASSERT_TRUE(driver_->finish());
  EXPECT_EQ(all(), std::vector<std::byte>(k_room_bytes, k_untouched));
}

}  // namespace
}  // namespace hone::device::launcher
