#include "task/ptx_tokens.h"

#include <algorithm>
#include <cctype>

namespace hone::task {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

size_t word_length(std::string_view rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_word);
  return std::max<size_t>(1, static_cast<size_t>(end - rest.begin()));
}

// Up to and with `end`; all of it when there is none.
size_t length_past(std::string_view rest, std::string_view end, size_t from) {
  const size_t at = rest.find(end, from);
  return at == std::string_view::npos ? rest.size() : at + end.size();
}

}  // namespace

std::vector<PtxToken> ptx_tokens(std::string_view text) {
  std::vector<PtxToken> tokens;
  uint32_t line = 1;
  while (!text.empty()) {
    size_t length = 1;
    bool kept = false;
    if (text.starts_with("//")) {
      length = length_past(text, "\n", 2);
    } else if (text.starts_with("/*")) {
      length = length_past(text, "*/", 2);
    } else if (!is_space(text[0])) {
      length = text[0] == '"' ? length_past(text, "\"", 1) : word_length(text);
      kept = true;
    }
    if (kept) tokens.push_back({text.substr(0, length), line});
    line += static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    text.remove_prefix(length);
  }
  return tokens;
}

}  // namespace hone::task
