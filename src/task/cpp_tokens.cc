#include "task/cpp_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hone::task {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

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

  void word() {
    const auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), is_word);
    const auto length = static_cast<size_t>(end - text_.begin()) - at_;
    emit(std::isdigit(static_cast<unsigned char>(text_[at_])) ? CppKind::number : CppKind::word, length);
  }

  void emit(CppKind kind, size_t length) {
    tokens_.push_back({kind, text_.substr(at_, length), position_});
    advance(length);
  }

  std::string_view text_;
  size_t at_ = 0;
  Position position_{1, 1};
  std::vector<CppToken> tokens_;
};

}  // namespace

std::vector<CppToken> cpp_tokens(std::string_view text) { return Scanner(text).all(); }

}  // namespace hone::task
