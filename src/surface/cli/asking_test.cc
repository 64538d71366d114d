// How a verdict reads to a person.
#include "surface/cli/asking.h"

#include <gmock/gmock.h>

namespace hone::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const campaign::KernelUse& kernel) {
  campaign::Verdict verdict;
  verdict.kernels = {kernel};
  return to_text(verdict);
}

TEST(VerdictText, AKernelIsToldWithItsOccupancy) {
  EXPECT_THAT(text_of({"softmax", 32, 1024, 0, 6, 0.75}),
              HasSubstr("kernel softmax: 32 registers a thread, 1.00 KiB shared a block, nothing spilled, "
                        "6 blocks a multiprocessor (75 % of its threads)\n"));
  EXPECT_THAT(text_of({"k", 255, {}, 16, 1, {}}),
              HasSubstr("kernel k: 255 registers a thread, 16 B of stack and spills a thread, 1 block a "
                        "multiprocessor\n"));
}

TEST(VerdictText, WhatNobodySaysOfAKernelIsLeftOut) {
  EXPECT_THAT(text_of({"k", 8, {}, {}}), HasSubstr("kernel k: 8 registers a thread\n"));
  EXPECT_THAT(text_of({"k", 8, {}, {}}), Not(HasSubstr("multiprocessor")));
}

}  // namespace
}  // namespace hone::cli
