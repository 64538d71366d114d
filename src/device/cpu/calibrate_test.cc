#include "device/cpu/calibrate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "device/cpu/calibrate_kernels.h"
#include "device/cpu/team.h"

namespace hone::device::cpu {
namespace {

Identity this_machine() {
  const Topology topology = *read_topology();
  return identity_of(topology, *choose_cores(topology, {}, 1), "none", "none");
}

TEST(CalibrateKernels, EveryCopyCopies) {
  alignas(64) static std::byte from[8192];
  alignas(64) static std::byte to[8192];
  for (size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<std::byte>(i * 7);
  for (const CopyKernel& kernel : copy_kernels()) {
    std::memset(to, 0, sizeof to);
    kernel.run(to, from, 4096);
    EXPECT_EQ(std::memcmp(to, from, 4096), 0) << kernel.vector_bits;
    EXPECT_EQ(to[4096], std::byte{0}) << kernel.vector_bits;
  }
}

TEST(CalibrateKernels, EveryReadDependsOnTheBytes) {
  alignas(64) static std::byte from[4096];
  for (const ReadKernel& kernel : read_kernels()) {
    std::memset(from, 0, sizeof from);
    const uint64_t before = kernel.run(from, sizeof from);
    from[0] = std::byte{1};
    EXPECT_NE(kernel.run(from, sizeof from), before) << kernel.vector_bits;
  }
}

TEST(CalibrateKernels, EveryArithmeticKernelCountsItsLanes) {
  for (const ArithmeticKernel& kernel : arithmetic_kernels()) {
    EXPECT_NE(kernel.run(1), kernel.run(2)) << name_of(kernel.dtype) << kernel.vector_bits;
    const double lanes = kernel.vector_bits / 8.0 / static_cast<double>(task::size_bytes(kernel.dtype));
    EXPECT_EQ(std::fmod(kernel.operations_per_pass, 2 * lanes), 0.0);
  }
}

TEST(Team, PreparesBeforeEachRepetitionAndRunsAtLeastThree) {
  std::atomic<int> prepared = 0;
  std::atomic<int> run = 0;
  const auto seconds = best_seconds(
      this_machine().cores,
      [&] {
        return Work{[&] { ++prepared; }, [&] { ++run; }};
      },
      0.0);
  ASSERT_TRUE(seconds);
  EXPECT_GE(*seconds, 0.0);
  EXPECT_EQ(run, 3);
  EXPECT_EQ(prepared, 3);
}

TEST(Team, ACoreThatIsNotThereIsAnError) {
  const auto none = best_seconds(
      {8000},
      [] {
        return Work{[] {}, [] {}};
      },
      0.0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::environment);
  EXPECT_FALSE(best_seconds(
      {},
      [] {
        return Work{[] {}, [] {}};
      },
      0.0));
}

TEST(Calibrate, GivesEveryCeilingOnce) {
  const Identity identity = this_machine();
  const auto ceilings = calibrate(identity, 1, 0.0);
  ASSERT_TRUE(ceilings) << to_text(ceilings.error());
  EXPECT_EQ(ceilings->device_key, identity.key().hex());
  EXPECT_EQ(ceilings->bandwidth.size(), identity.cache_bytes.size() + 1);
  EXPECT_EQ(ceilings->bandwidth.back().level, "memory");
  EXPECT_FALSE(ceilings->empty_launch_seconds);
  for (const LevelBandwidth& level : ceilings->bandwidth) {
    EXPECT_GT(level.read_bytes_per_second, 0.0) << level.level;
    EXPECT_GE(level.copy_bytes_per_second, *level.ordinary_copy_bytes_per_second) << level.level;
  }
  for (const ArithmeticRate& rate : ceilings->arithmetic) EXPECT_GT(rate.flops_per_second, 0.0) << rate.dtype;
}

TEST(Calibrate, OneCeilingCanBeMeasuredAgain) {
  const Identity identity = this_machine();
  const auto memory = measure_level(identity, 1, "memory", 0.0);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->level, "memory");
  EXPECT_EQ(measure_arithmetic(identity, 1, "f64", 0.0)->dtype, "f64");
  EXPECT_FALSE(measure_level(identity, 1, "L9", 0.0));
  EXPECT_FALSE(measure_arithmetic(identity, 1, "f16", 0.0));
  EXPECT_FALSE(calibrate(identity, 1000, 0.0));
}

}  // namespace
}  // namespace hone::device::cpu
