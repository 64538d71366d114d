#include "device/cuda/sanitizer_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/disk.h"

namespace hone::device::cuda {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string k_out_of_bounds = R"(========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, int)+0x80 in kernel.cu:25
=========     by thread (0,0,0) in block (0,0,0)
=========     Access to 0x7f0000000400 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 1,024 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main [0x9b86] in program
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, int)+0x80 in kernel.cu:25
=========     by thread (1,0,0) in block (0,0,0)
=========     Access to 0x7f0000000404 is out of bounds
=========
========= ERROR SUMMARY: 2 errors
)";

TEST(SanitizerReport, PlacesAreCountedOnceForAllTheirThreads) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, k_out_of_bounds);
  EXPECT_TRUE(report.is_complete);
  EXPECT_EQ(report.complaint, "");
  ASSERT_THAT(report.findings, SizeIs(1));
  const SanitizerFinding expected{SanitizerTool::memcheck,
                                  FindingKind::invalid_access,
                                  "Invalid __global__ write of size 4 bytes",
                                  "global",
                                  "scale(float *, int)",
                                  "kernel.cu",
                                  25,
                                  2};
  EXPECT_EQ(report.findings[0], expected);
}

TEST(SanitizerReport, ARaceHasItsFirstPlaceAndAllItsHazards) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::racecheck, R"(========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at sum+0x100 in sum.cu:41
=========     and Read access at sum+0x150 in sum.cu:46 [508 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
)");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, FindingKind::race);
  EXPECT_EQ(report.findings[0].kernel, "sum");
  EXPECT_EQ(report.findings[0].file, "sum.cu");
  EXPECT_EQ(report.findings[0].line, 41u);
  EXPECT_EQ(report.findings[0].count, 508u);
  EXPECT_TRUE(report.is_complete);
}

TEST(SanitizerReport, AWarningIsNoFinding) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::racecheck, R"(
========= Warning: Race reported between Write access at sum+0x100 in sum.cu:41
=========     and Write access at sum+0x150 in sum.cu:46 [4 hazards]
========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
)");
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.complaint, "");
}

TEST(SanitizerReport, AnUninitialisedReadHasItsSpace) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::initcheck, R"(
========= Uninitialized __shared__ memory read of size 4 bytes
=========     at add+0x60
)");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, FindingKind::uninitialised);
  EXPECT_EQ(report.findings[0].space, "shared");
  EXPECT_EQ(report.findings[0].kernel, "add");
  EXPECT_EQ(report.findings[0].file, "");
  EXPECT_FALSE(report.findings[0].line);
  EXPECT_FALSE(report.is_complete) << "there is no summary";
}

TEST(SanitizerReport, SaysThatItIsCut) {
  constexpr std::string_view k_cut =
      "========= ERROR SUMMARY: 65536 errors\n"
      "========= ERROR SUMMARY: 65280 errors were not printed. Use --print-limit option to adjust the number\n";
  EXPECT_TRUE(read_sanitizer_report(SanitizerTool::initcheck, k_cut).is_cut);
  EXPECT_TRUE(read_sanitizer_report(SanitizerTool::initcheck, k_cut).is_complete);
  EXPECT_FALSE(read_sanitizer_report(SanitizerTool::initcheck, "========= ERROR SUMMARY: 3 errors\n").is_cut);
}

TEST(SanitizerReport, TheOutermostFrameIsTheKernel) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, R"(
========= Invalid __global__ read of size 8 bytes
=========     at helper(double *)+0x10 in inner.cuh:7
=========         Device Frame: middle(double *)+0x20 in inner.cuh:12
=========         Device Frame: kernel+0x30 in kernel.cu:20
)");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kernel, "kernel");
  EXPECT_EQ(report.findings[0].file, "inner.cuh") << "where it happened";
  EXPECT_EQ(report.findings[0].line, 7u);
}

TEST(SanitizerReport, OlderToolsNameTheFunctionLast) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, R"(
========= Invalid __global__ write of size 4 bytes
=========     at 0x80 in /tmp/kernel.cu:25:space::scale(float *, int)
)");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kernel, "space::scale(float *, int)");
  EXPECT_EQ(report.findings[0].file, "/tmp/kernel.cu");
  EXPECT_EQ(report.findings[0].line, 25u);
}

TEST(SanitizerReport, WhatNamesNoKernelIsTheToolsOwnComplaint) {
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, R"(
========= Error: Target application terminated before first instrumented API call
========= Internal Sanitizer Error: something else
)");
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.complaint, "Error: Target application terminated before first instrumented API call");
  EXPECT_FALSE(report.is_complete);
}

TEST(SanitizerReport, WhatTheWatchedProgramPrintsIsNotRead) {
  const SanitizerReport report =
      read_sanitizer_report(SanitizerTool::memcheck, "Invalid __global__ write of size 4 bytes\n    at k+0x80\n");
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(SanitizerReport, HostileNamesAreQuotedAndCut) {
  const std::string name(100'000, 'k');
  const SanitizerReport report = read_sanitizer_report(
      SanitizerTool::memcheck,
      fmt::format("========= Invalid __global__ write\n=========     at {}\x1b[31m+0x80 in a\x01:1\n"
                  "========= Invalid __global__ write\n=========     at k\x1b[31m+0x80 in a\x01:1\n",
                  name));
  ASSERT_THAT(report.findings, SizeIs(2));
  for (const SanitizerFinding& finding : report.findings)
    EXPECT_LE(finding.kernel.size(), 5 * k_longest_report_text_bytes);
  EXPECT_EQ(report.findings[1].kernel, "k\\x1b[31m");
  EXPECT_EQ(report.findings[1].file, "a\\x01");
}

TEST(SanitizerReport, PlacesBeyondTheMostAreCounted) {
  std::string text;
  for (size_t i = 0; i < k_most_findings + 7; ++i)
    text += fmt::format("========= Invalid __global__ write\n=========     at k+0x80 in k.cu:{}\n", i);
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, text);
  EXPECT_THAT(report.findings, SizeIs(k_most_findings));
  EXPECT_EQ(report.more, 7u);
}

// Real output, where it is at hand: one kernel that writes past its end.
TEST(SanitizerReport, RealOutputIsUnderstood) {
  const auto text = read_file(fs::path(HONE_SOURCE_DIR) / "../shared/samples/ncu-2025.3-h200/memcheck.txt");
  if (!text) GTEST_SKIP() << "there is no sample here";
  const SanitizerReport report = read_sanitizer_report(SanitizerTool::memcheck, *text);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(plain_name(report.findings[0].kernel), "oob");
  EXPECT_EQ(report.findings[0].file, "k.cu");
  EXPECT_EQ(report.findings[0].line, 25u);
  EXPECT_EQ(report.findings[0].count, 32u);
  EXPECT_TRUE(report.is_complete);
}

TEST(PlainName, IsTheFunctionsOwn) {
  EXPECT_EQ(plain_name("scale(float *, int)"), "scale");
  EXPECT_EQ(plain_name("void scale<float>(float*)"), "scale");
  EXPECT_EQ(plain_name("scale"), "scale");
  EXPECT_EQ(plain_name("(anonymous namespace)::scale(int)"), "(anonymous namespace)::scale");
  EXPECT_EQ(plain_name(""), "");
}

}  // namespace
}  // namespace hone::device::cuda
