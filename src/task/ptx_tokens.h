// PTX as tokens with lines: words with their dots (".param", "ld.param.u64", "%rd1"), and single symbols. Comments and
// white space are left out; a string is one token. Views point into the text. Any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hone::task {

struct PtxToken {
  std::string_view text;
  uint32_t line = 0;

  bool is(std::string_view other) const { return text == other; }
};

std::vector<PtxToken> ptx_tokens(std::string_view text);

}  // namespace hone::task
