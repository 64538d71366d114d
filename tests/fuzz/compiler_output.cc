// What a compiler, a candidate or an agent printed, on its way to a terminal and into a report.
#include <algorithm>
#include <span>

#include "fuzz.h"
#include "views/markdown.h"

using namespace hone;

namespace {

constexpr size_t k_cap_bytes = 300;
constexpr size_t k_longest_escape_bytes = 4;  // one character may straddle the cap

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

bool every_line_starts_with(std::string_view prefix, std::span<const std::string> lines) {
  return std::all_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(prefix); });
}

void check_quoted(std::string_view text) {
  const std::string quoted = quote_untrusted(text, k_cap_bytes);
  fuzz::require(std::none_of(quoted.begin(), quoted.end(), is_control), "no control character survives");
  fuzz::require(quote_untrusted(quoted, quoted.size() + 1) == quoted, "what was quoted is clean UTF-8");
  const size_t note = quoted.ends_with(" more bytes cut]") ? quoted.rfind("\n[") : std::string::npos;
  fuzz::require(std::min(note, quoted.size()) < k_cap_bytes + k_longest_escape_bytes, "the cap holds");
}

void check_line(const std::string& line) {
  fuzz::require(line.find_first_of("\n\t\r") == std::string::npos, "one line stays one line");
}

// Nothing that opens a tag or splits a table's cell is left without its backslash.
void check_inline(const std::string& text) {
  check_line(text);
  fuzz::require(text.find_first_of("<>@") == std::string::npos, "no markup survives");
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 1))
    fuzz::require(at > 0 && text[at - 1] == '\\', "no table bar survives");
}

void check_block(std::string_view text) {
  std::vector<std::string> lines = split_lines(views::quoted_block(text, "a compiler"));
  fuzz::require(lines.size() >= 2 && lines[1].empty(), "the source stands in a paragraph of its own");
  lines.erase(lines.begin(), lines.begin() + 2);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  fuzz::require(every_line_starts_with("    ", lines), "no content ends the block");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  check_quoted(text);
  check_line(views::line_text(text));
  check_inline(views::inline_text(text));
  check_block(text);
  return 0;
}
