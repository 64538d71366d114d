#include "task/cpp_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace hone::task {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  Scanner(std::string_view text, CppText kind) : text_(text), kind_(kind) {}

  std::vector<CppToken> all() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (is_space(text_[at_])) return advance(1);
    if (starts("//")) return advance_to("\n");
    if (starts("/*")) return advance_past("*/");
    if (text_[at_] == '#' && line_is_empty()) return directive();
    if (text_[at_] == '"' || text_[at_] == '\'') return emit(CppKind::quoted, quoted_length());
    if (is_word(text_[at_])) return word();
    if (const auto meaning = digraph()) return emit_as(*meaning, 2);
    emit(CppKind::symbol, symbol_length());
  }

  void advance(size_t bytes) {
    for (const char c : text_.substr(at_, bytes)) {
      ++position_.column;
      if (c == '\n') position_ = {position_.line + 1, 1};
    }
    at_ = std::min(text_.size(), at_ + bytes);
  }

  void advance_to(std::string_view end) { advance(std::min(text_.find(end, at_), text_.size()) - at_); }
  void advance_past(std::string_view end) {
    advance_to(end);
    advance(end.size());
  }

  bool line_is_empty() const { return tokens_.empty() || tokens_.back().at.line != position_.line; }

  // A preprocessor line goes on where it ends in a backslash.
  void directive() {
    if (kind_ == CppText::preprocessed)
      return emit(CppKind::directive, std::min(text_.find('\n', at_), text_.size()) - at_);
    do {
      advance_to("\n");
      const bool continues = at_ > 0 && at_ < text_.size() && text_[at_ - 1] == '\\';
      advance(1);
      if (!continues) return;
    } while (at_ < text_.size());
  }

  size_t quoted_length() const {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != text_[at_] && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size()) - at_;
  }

  size_t symbol_length() const {
    static constexpr std::array<std::string_view, 20> pairs{"::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
                                                            "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    return std::any_of(pairs.begin(), pairs.end(), [this](std::string_view pair) { return starts(pair); }) ? 2 : 1;
  }

  // The two letters of "<::" are one only where the third goes on with them: std::vector<::name>.
  std::optional<std::string_view> digraph() const {
    struct Row {
      std::string_view spelling, meaning;
    };
    static constexpr std::array<Row, 4> rows{{{"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}}};
    if (starts("<::") && !starts("<:::") && !starts("<::>")) return std::nullopt;
    for (const Row& row : rows) {
      if (starts(row.spelling)) return row.meaning;
    }
    return std::nullopt;
  }

  size_t word_length(size_t from) const {
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<size_t>(std::find_if_not(begin, text_.end(), is_word) - begin);
  }

  void word() {
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return emit(CppKind::number, number_length());
    const size_t length = word_length(at_);
    if (const auto raw = raw_string_length(length)) return emit(CppKind::quoted, *raw);
    emit(CppKind::word, length);
  }

  // 1'000'000: an apostrophe parts digits.
  size_t number_length() const {
    size_t length = word_length(at_);
    while (at_ + length + 1 < text_.size() && text_[at_ + length] == '\'' && is_word(text_[at_ + length + 1]))
      length += 1 + word_length(at_ + length + 1);
    return length;
  }

  // R"x(…)x": ends nowhere but at its own mark.
  std::optional<size_t> raw_string_length(size_t prefix) const {
    static constexpr std::array<std::string_view, 5> prefixes{"R", "LR", "uR", "UR", "u8R"};
    const size_t quote = at_ + prefix;
    const bool is_raw = std::find(prefixes.begin(), prefixes.end(), text_.substr(at_, prefix)) != prefixes.end();
    if (!is_raw || quote >= text_.size() || text_[quote] != '"') return std::nullopt;
    const size_t open = text_.find('(', quote);
    if (open == std::string_view::npos) return std::nullopt;
    const std::string mark = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const size_t end = text_.find(mark, open);
    return (end == std::string_view::npos ? text_.size() : end + mark.size()) - at_;
  }

  void emit(CppKind kind, size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), position_});
    advance(length);
  }
  void emit_as(std::string_view symbol, size_t length) {
    tokens_.push_back({CppKind::symbol, symbol, position_});
    advance(length);
  }

  std::string_view text_;
  CppText kind_;
  size_t at_ = 0;
  Position position_{1, 1};
  std::vector<CppToken> tokens_;
};

}  // namespace

std::vector<CppToken> cpp_tokens(std::string_view text, CppText kind) { return Scanner(text, kind).all(); }

}  // namespace hone::task
