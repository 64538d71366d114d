// What a sanitizer printed about a candidate's kernels, whose names and files the candidate chose.
#include "device/cuda/sanitizer_report.h"

#include <algorithm>

#include "fuzz.h"

using namespace hone;

namespace {

// Four bytes an escaped one, and a note that something was cut.
constexpr size_t k_most_text_bytes = 4 * device::cuda::k_longest_report_text_bytes + 64;

void check_text(const std::string& text) {
  fuzz::require(text.size() <= k_most_text_bytes, "the cap holds");
  fuzz::require(std::ranges::none_of(text, [](char c) { return c == '\n' || c == '\x1b' || c == '\0'; }),
                "one line, without control characters");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto report = device::cuda::read_sanitizer_report(device::SanitizerTool::memcheck, fuzz::text_of(data, size));
  fuzz::require(report.findings.size() <= device::cuda::k_most_findings, "findings are bounded");
  check_text(report.complaint);
  for (const device::SanitizerFinding& finding : report.findings) {
    for (const std::string* text : {&finding.message, &finding.space, &finding.kernel, &finding.file})
      check_text(*text);
    fuzz::require(!finding.kernel.empty(), "a finding names its kernel");
    fuzz::require(finding.count > 0, "what was found was found");
  }
  return 0;
}
