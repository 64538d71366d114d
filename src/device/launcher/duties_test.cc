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

  View view(uint64_t bytes, uint64_t offset = k_offset) const { return {memory_, offset, bytes}; }

  std::vector<std::byte> all() {
    std::vector<std::byte> bytes(k_room_bytes);
    EXPECT_TRUE(driver_->read({memory_, 0, k_room_bytes}, bytes));
    return bytes;
  }

  // What lies in a view, when nothing beside it was touched.
  std::vector<std::byte> only(const View& view) {
    const std::vector<std::byte> bytes = all();
    const auto from = bytes.begin() + static_cast<ptrdiff_t>(view.offset_bytes);
    const auto to = from + static_cast<ptrdiff_t>(view.size_bytes);
    const auto touched = [](std::byte one) { return one != k_untouched; };
    EXPECT_EQ(std::find_if(bytes.begin(), from, touched), from) << "written before its start";
    EXPECT_EQ(std::find_if(to, bytes.end(), touched), bytes.end()) << "written past its end";
    return {from, to};
  }

  static constexpr std::byte k_untouched{0xa5};
  static constexpr uint64_t k_offset = 4096 + 16 * 7;

  // What the duties found in a set.
  static std::vector<uint32_t> found(uint32_t set) {
    std::vector<uint32_t> words(Duties::k_slots_per_set);
    const View room{*driver_->allocate(Duties::k_set_bytes), 0, Duties::k_set_bytes};
    EXPECT_TRUE(duties_->gather_results(set, 0, room));
    EXPECT_TRUE(driver_->read(room, std::as_writable_bytes(std::span(words))));
    driver_->release(room.memory);
    return words;
  }

  static std::unique_ptr<Driver> driver_;
  static std::optional<Duties> duties_;
  Memory memory_;
};

std::unique_ptr<Driver> DutiesTest::driver_;
std::optional<Duties> DutiesTest::duties_;

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
        SetUp();
        ASSERT_TRUE(duties_->draw(view(expected.size()), *record, words_of(element_stream(sha256("a key"), 5))));
        ASSERT_EQ(only(view(expected.size())), expected);
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
  ASSERT_TRUE(duties_->draw(view(4000), *record, words_of(element_stream(sha256("k"), 0))));
  EXPECT_EQ(only(view(4000)), expected);
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
    SetUp();
    ASSERT_TRUE(duties_->pattern(view(bytes), 0x0807060504030201));
    const auto written = only(view(bytes));
    for (uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(written[i], std::byte(i % 8 + 1)) << bytes << " at " << i;
  }
}

TEST_F(DutiesTest, NoiseIsThePoisonOfTheProcessor) {
  for (const uint64_t bytes : {1u, 15u, 16u, 17u, 4096u, 5001u}) {
    SetUp();
    std::vector<std::byte> expected(bytes);
    poison(expected, DType::u8, sha256("n"), 3);
    ASSERT_TRUE(duties_->noise(view(bytes), words_of(poison_stream(sha256("n"), 3))));
    ASSERT_EQ(only(view(bytes)), expected) << bytes;
  }
}

TEST_F(DutiesTest, EveryByteOfAGuardIsWatched) {
  constexpr uint64_t k_bytes = 5001;
  const StreamWords stream = words_of(poison_stream(sha256("g"), 1));
  ASSERT_TRUE(duties_->noise(view(k_bytes), stream));
  std::mt19937 dice(7);
  for (const uint64_t at : {uint64_t{0}, uint64_t{15}, uint64_t{16}, k_bytes - 1, uint64_t{dice() % k_bytes}}) {
    ASSERT_TRUE(duties_->clear_results(2));
    ASSERT_TRUE(duties_->check_noise(view(k_bytes), stream, 2 * Duties::k_slots_per_set, 4));
    EXPECT_EQ(found(2)[0], 0u) << "as it was written";
    const std::byte was = all()[k_offset + at];
    const std::byte other[] = {was ^ std::byte{1}};
    ASSERT_TRUE(driver_->write({memory_, k_offset + at, 1}, other));
    ASSERT_TRUE(duties_->check_noise(view(k_bytes), stream, 2 * Duties::k_slots_per_set, 4));
    EXPECT_EQ(found(2)[0], 4u) << at;
    const std::byte again[] = {was};
    ASSERT_TRUE(driver_->write({memory_, k_offset + at, 1}, again));
  }
}

TEST_F(DutiesTest, ASumChangesWithEveryByteAndEveryPlace) {
  constexpr uint64_t k_bytes = 1003;
  std::vector<std::byte> bytes(k_bytes, std::byte{9});
  const auto sum = [&] {
    EXPECT_TRUE(driver_->write(view(k_bytes), bytes));
    EXPECT_TRUE(duties_->clear_results(0));
    EXPECT_TRUE(duties_->sum(view(k_bytes), 6));
    const auto words = found(0);
    return std::pair(words[6], words[7]);
  };
  const auto before = sum();
  EXPECT_EQ(sum(), before);
  for (const size_t at : {size_t{0}, size_t{500}, k_bytes - 1}) {
    bytes[at] ^= std::byte{0x10};
    EXPECT_NE(sum(), before) << at;
    bytes[at] ^= std::byte{0x10};
  }
  bytes[4] = std::byte{1}, bytes[8] = std::byte{2};
  const auto ordered = sum();
  std::swap(bytes[4], bytes[8]);
  EXPECT_NE(sum(), ordered) << "two words have changed places";
}

TEST_F(DutiesTest, RangesAreGathered) {
  std::vector<std::byte> bytes(k_room_bytes);
  std::mt19937 dice(3);
  for (std::byte& one : bytes) one = std::byte(dice());
  ASSERT_TRUE(driver_->write({memory_, 0, k_room_bytes}, bytes));
  const Memory to = *driver_->allocate(4096);
  ASSERT_TRUE(duties_->gather(memory_, {10, 0, 100, 60000, 112, 7}, {to, 0, 4096}));
  std::vector<std::byte> gathered(119);
  ASSERT_TRUE(driver_->read({to, 0, 119}, gathered));
  EXPECT_TRUE(std::equal(gathered.begin(), gathered.begin() + 100, bytes.begin() + 10));
  EXPECT_TRUE(std::equal(gathered.begin() + 112, gathered.end(), bytes.begin() + 60000));
  driver_->release(to);
}

TEST_F(DutiesTest, ColdCachesLeaveEverythingElseAlone) {
  ASSERT_TRUE(duties_->make_caches_cold());
  ASSERT_TRUE(duties_->scrub_shared());
  ASSERT_TRUE(driver_->finish());
  only(view(0));
}

}  // namespace
}  // namespace hone::device::launcher
