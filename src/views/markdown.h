// Markdown as the views write it, and the one place where text that hone did not write is kept from being markup.
// Rows, headings and lists take text that is Markdown already; everything from outside passes inline_text or
// quoted_block first. Pure, no failure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::views {

// Caps of foreign text. 2000 characters is the published cap of an experiment's text; a block shows what fits a screen
// or two.
constexpr size_t k_inline_cap_bytes = 200;
constexpr size_t k_text_cap_bytes = 2000;
constexpr size_t k_block_cap_bytes = 4096;
constexpr size_t k_block_cap_lines = 40;

// Control characters, invalid UTF-8, direction overrides and invisible characters made visible; capped. Not safe as
// Markdown.
std::string plain_text(std::string_view foreign, size_t cap_bytes = k_text_cap_bytes);
// The same on one line, for terminals and tables in plain text.
std::string line_text(std::string_view foreign, size_t cap_bytes = k_inline_cap_bytes);
// One line without a meaning in Markdown or HTML: no markup, link, mention, table bar or line break survives.
std::string inline_text(std::string_view foreign, size_t cap_bytes = k_inline_cap_bytes);
// A paragraph that names the source and says that what follows is quoted untrusted text, then the text as an indented
// code block with "| " before every line: no content can end the block.
std::string quoted_block(std::string_view foreign, std::string_view source);

std::string heading(int level, std::string_view text);
std::string bullet(std::string_view text);
std::string row(const std::vector<std::string>& cells);
// Heading row, rule and rows; every row as long as the heading.
std::string table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

}  // namespace hone::views
