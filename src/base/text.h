// Small text tools: numbers with units for people, spelling suggestions, and the escaping of text that hone did not
// write. Pure functions, no failure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

std::string human_time(double seconds);                            // "1.23 ms", three significant digits
std::string human_bytes(uint64_t bytes);                           // "8.00 MiB"
std::string human_rate(double per_second, std::string_view unit);  // "12.3 GB/s", decimal prefixes
std::string percent(double fraction, int digits = 1);              // 0.123 → "12.3 %"
std::string signed_percent(double fraction, int digits = 1);       // 0.123 → "+12.3 %"

std::string counted(size_t count, std::string_view noun);  // "1 error", "2 errors", "0 errors"

// The closest of `known` to `word` when it is close enough to be a typing error, else "".
std::string suggestion(std::string_view word, std::span<const std::string> known);
// ", did you mean 'x'?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// Text from outside: control characters (but newline and tab) become \xNN, invalid UTF-8 too, cut to `cap_bytes` with a
// note.
std::string quote_untrusted(std::string_view text, size_t cap_bytes);

// As one word of a shell: "plain/path", "'with space'".
std::string shell_word(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::vector<std::string> split_lines(std::string_view text);  // without the newlines; a last empty line is dropped

// A table in monospaced text, columns aligned, two spaces between them. The first row is the heading.
std::string align_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace hone
