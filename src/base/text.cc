#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace hone {

namespace {

// Three significant digits without an exponent.
std::string three_digits(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

struct Scale {
  double factor;
  std::string_view unit;
};

template <size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales, std::string_view suffix) {
  for (const Scale& scale : scales) {
    if (std::abs(value) >= 0.9995 * scale.factor || &scale == &scales.back())
      return fmt::format("{} {}{}", three_digits(value / scale.factor), scale.unit, suffix);
  }
  return "";
}

}  // namespace

std::string human_time(double seconds) {
  constexpr std::array<Scale, 4> scales{{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  return scaled(seconds, scales, "");
}

std::string human_bytes(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array<Scale, 4> scales{{{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}}};
  return scaled(static_cast<double>(bytes), scales, "");
}

std::string human_rate(double per_second, std::string_view unit) {
  constexpr std::array<Scale, 5> scales{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}}};
  return scaled(per_second, scales, unit);
}

std::string percent(double fraction, int digits) { return fmt::format("{:.{}f} %", 100.0 * fraction, digits); }
std::string signed_percent(double fraction, int digits) { return fmt::format("{:+.{}f} %", 100.0 * fraction, digits); }

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string best = suggestion(word, known);
  return best.empty() ? "" : fmt::format(", did you mean '{}'?", best);
}

namespace {

// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none.
size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : (lead & 0xf0) == 0xe0       ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool overlong_or_surrogate = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
                                     (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
  return overlong_or_surrogate ? 0 : length;
}

bool is_control(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

}  // namespace

std::string quote_untrusted(std::string_view text, size_t cap_bytes) {
  std::string out;
  size_t at = 0;
  while (at < text.size() && out.size() < cap_bytes) {
    const auto c = static_cast<unsigned char>(text[at]);
    const size_t length = is_control(c) ? 0 : utf8_length(text.substr(at));
    if (length == 0) {
      out += fmt::format("\\x{:02x}", c);
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  if (at < text.size()) out += fmt::format("\n[{} more bytes cut]", text.size() - at);
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view k_plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@";
  if (!text.empty() && text.find_first_not_of(k_plain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::vector<std::string> split_lines(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.empty()) return {};
  return split(text, '\n');
}

namespace {

// Code points, which is what a terminal column holds for the characters that hone prints.
size_t display_width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string align_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - display_width(row[i]) + 2, ' ');
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace hone
