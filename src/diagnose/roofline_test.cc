#include "diagnose/roofline.h"

#include <gtest/gtest.h>

namespace hone::diagnose {
namespace {

using task::CacheState;
using task::DType;
using task::Role;

device::Ceilings some_ceilings() {
  device::Ceilings c;
  c.bandwidth = {{"L1", 32 << 10, 400e9, 200e9, {}, {}},
                 {"L2", 1 << 20, 100e9, 100e9, {}, {}},
                 {"memory", 8ull << 30, 20e9, 25e9, {}, {}}};
  c.arithmetic = {{"f32", 100e9, 512}, {"i32", 200e9, 256}};
  c.empty_launch_seconds = 10e-6;
  return c;
}

// A case with one argument per role given, `bytes` each.
struct Sample {
  explicit Sample(std::vector<Role> roles, uint64_t bytes) : arguments(roles.size()) {
    for (size_t i = 0; i < roles.size(); ++i) {
      arguments[i].role = roles[i];
      task::BoundArgument argument;
      argument.argument = &arguments[i];
      argument.bytes = bytes;
      bound.arguments.push_back(argument);
    }
  }
  std::vector<task::Argument> arguments;
  task::BoundCase bound;
};

TEST(Roofline, ColdCasesGoAtTheSpeedOfMemory) {
  Sample s({Role::in, Role::out}, 1000);
  s.bound.bytes_read = 10e6;
  s.bound.bytes_written = 10e6;
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  ASSERT_TRUE(floor);
  EXPECT_DOUBLE_EQ(floor->seconds, 20e6 / 20e9);
  EXPECT_EQ(floor->binding.name, "memory");
  EXPECT_EQ(floor->bytes_source, BytesSource::contract);
  EXPECT_EQ(floor->terms.size(), 2u);
  EXPECT_EQ(to_text(*floor), "1.00 ms, bound by memory at 20.0 GB/s");
}

TEST(Roofline, WhatIsOnlyReadGoesAtTheBetterRate) {
  Sample s({Role::in}, 1000);
  s.bound.bytes_read = 30e6;
  s.bound.bytes_written = 10e6;
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  EXPECT_DOUBLE_EQ(floor->seconds, 20e6 / 20e9 + 20e6 / 25e9);
}

TEST(Roofline, WarmCasesGoAtTheSpeedOfTheSmallestLevelThatHoldsThem) {
  const auto level = [](uint64_t bytes, CacheState cache) {
    const Sample s({Role::in, Role::out}, bytes);
    return floor_of(s.bound, some_ceilings(), cache)->largest(Resource::memory)->name;
  };
  EXPECT_EQ(level(16 << 10, CacheState::warm), "L1");
  EXPECT_EQ(level((16 << 10) + 1, CacheState::warm), "L2");
  EXPECT_EQ(level(512 << 10, CacheState::warm), "L2");
  EXPECT_EQ(level(1 << 20, CacheState::warm), "memory");
  EXPECT_EQ(level(5ull << 30, CacheState::warm), "memory");
  EXPECT_EQ(level(16, CacheState::cold), "memory");
}

TEST(Roofline, BytesDefaultToTheArgumentsSizes) {
  const Sample s({Role::in, Role::inout, Role::out, Role::scratch, Role::scalar}, 1'000'000);
  const Traffic traffic = traffic_of(s.bound);
  EXPECT_EQ(traffic.read_bytes, 2e6);
  EXPECT_EQ(traffic.written_bytes, 1e6);
  EXPECT_EQ(traffic.source, BytesSource::argument_sizes);
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  EXPECT_NE(to_text(*floor).find("(bytes from argument sizes)"), std::string::npos);
}

TEST(Roofline, HalfAStatementIsCompletedFromTheSizes) {
  Sample s({Role::in, Role::out}, 1000);
  s.bound.bytes_read = 5000;
  const Traffic traffic = traffic_of(s.bound);
  EXPECT_EQ(traffic.read_bytes, 5000.0);
  EXPECT_EQ(traffic.written_bytes, 1000.0);
  EXPECT_EQ(traffic.source, BytesSource::argument_sizes);
}

TEST(Roofline, ArithmeticBindsWhenItTakesLonger) {
  Sample s({Role::in, Role::out}, 1'000'000);
  s.bound.flops = {{DType::f32, 1e9}, {DType::u32, 1e8}, {DType::f64, 1e12}};
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  EXPECT_EQ(floor->binding.name, "f32");
  EXPECT_DOUBLE_EQ(floor->seconds, 0.01);
  EXPECT_DOUBLE_EQ(*floor->binding.amount, 1e9);
  EXPECT_EQ(floor->terms.size(), 4u) << "memory, f32, u32 at the rate of i32, launch; f64 was not measured";
}

TEST(Roofline, TheEmptyLaunchIsAFloorToo) {
  const Sample s({Role::in, Role::out}, 64);
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  EXPECT_EQ(floor->binding.resource, Resource::launch);
  EXPECT_DOUBLE_EQ(floor->seconds, 10e-6);
  EXPECT_EQ(to_text(*floor), "10.0 µs, bound by empty launch");
}

TEST(Roofline, NothingKnownIsNoFloor) {
  const Sample none({}, 0);
  EXPECT_FALSE(floor_of(none.bound, some_ceilings(), CacheState::cold));
  const Sample sizes({Role::in}, 1000);
  EXPECT_FALSE(floor_of(sizes.bound, device::Ceilings{}, CacheState::cold));
}

TEST(Roofline, FractionIsFloorOverTime) {
  Floor floor;
  floor.seconds = 2.0;
  EXPECT_DOUBLE_EQ(fraction_of_floor(floor, 4.0), 0.5);
  EXPECT_DOUBLE_EQ(fraction_of_floor(floor, 1.0), 2.0);
}

TEST(Roofline, FloorsGoThroughJson) {
  const Sample s({Role::in, Role::out}, 1'000'000);
  const auto floor = floor_of(s.bound, some_ceilings(), CacheState::cold);
  const auto again = json::from_text<Floor>(json::to_text(*floor));
  ASSERT_TRUE(again);
  EXPECT_EQ(json::to_text(*again), json::to_text(*floor));
}

}  // namespace
}  // namespace hone::diagnose
