// What compute-sanitizer prints, read into findings. The form is its text (2020.3 and newer), every line behind nine
// equal signs: a heading, then lines that are indented.
//
//   ========= Invalid __global__ write of size 4 bytes
//   =========     at scale(float *, int)+0x80 in kernel.cu:25
//   =========     by thread (0,0,0) in block (0,0,0)
//   =========         Device Frame: scale(float *, int)+0x80 in kernel.cu:25
//   =========
//   ========= ERROR SUMMARY: 1 error
//
// Constraints: none that the writer could break: names and files come from the candidate. Any bytes are read, in time
// and memory that their number bounds; what is not understood is passed over. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/sanitized.h"

namespace hone::device::cuda {

// Places beyond these are counted in `more`. Texts are cut to so many bytes before escaping.
inline constexpr size_t k_most_findings = 32;
inline constexpr size_t k_longest_report_text_bytes = 300;

struct SanitizerReport {
  std::vector<SanitizerFinding> findings;  // by place, in the order first seen, errors alone
  uint64_t more = 0;
  bool is_complete = false;  // it ends with a summary: the tool saw its program to the end
  bool is_cut = false;       // it met more than it prints
  std::string complaint;     // the first thing the tool says that is about no kernel; empty: nothing
};

SanitizerReport read_sanitizer_report(SanitizerTool tool, std::string_view text);

// "scale" of "scale(float *, int)" and "void scale<float>(float*)".
std::string_view plain_name(std::string_view kernel);

}  // namespace hone::device::cuda
