#include "device/opencl/specialise.h"

#include <gmock/gmock.h>

namespace hone::device::opencl {
namespace {

using testing::ElementsAre;

LaunchStep step(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block) {
  LaunchStep step;
  step.grid = grid;
  step.block = block;
  return step;
}

TEST(VariantsOf, NameEachWorkGroupOnce) {
  const LaunchStep steps[] = {step({10, 1, 1}, {64, 1, 1}), step({20, 1, 1}, {64, 1, 1}), step({1, 1, 1}, {8, 4, 2})};
  EXPECT_THAT(variants_of(steps), ElementsAre("64-1-1-goffs0-smallgrid", "8-4-2-goffs0-smallgrid"));
}

TEST(VariantsOf, TellLargeGridsApart) {
  const LaunchStep steps[] = {step({65534, 1, 1}, {1, 1, 1}), step({1, 32768, 1}, {1, 2, 1})};
  EXPECT_THAT(variants_of(steps), ElementsAre("1-1-1-goffs0-smallgrid", "1-2-1-goffs0"));
}

}  // namespace
}  // namespace hone::device::opencl
