// The body of a device kernel with its index arithmetic folded, so that it reads like plain loops: what names a thread,
// a block or both becomes one word (thread.x, block.y, global.x), variables that hold such a thing or plain sums of
// products are replaced by it, pointers into a buffer by the buffer. Guesses for a draft: what is not understood stays
// as it is. Tokens point into the kernel's text and into `words`. Any thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "task/device_signature.h"

namespace hone::task {

struct FoldedBody {
  CppFunction function;                            // the kernel with the folded body
  Constants names;                                 // block.x → the first variable that held it
  Constants widths;                                // x → what stood for blockDim.x in an index, when not itself
  std::shared_ptr<std::deque<std::string>> words;  // owns the text of folded tokens
};

// `constants` are replaced by their values.
FoldedBody fold_body(const CppFunction& kernel, const Constants& constants);

// The folded words of dimension `d` ('x', 'y', 'z').
inline std::string index_word(std::string_view kind, char d) { return std::string(kind) + "." + d; }

}  // namespace hone::task
