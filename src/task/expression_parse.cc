// Text to tree: a tokenizer and one function for each level of precedence, as in Python's grammar.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/text.h"
#include "task/expression_tree.h"

namespace hone::task {

namespace {

constexpr std::array<Function, 7> k_functions{
    {{"min", 1, 64}, {"max", 1, 64}, {"ceildiv", 2, 2}, {"abs", 1, 1}, {"range", 1, 3}, {"len", 1, 1}, {"log2", 1, 1}}};

constexpr std::string_view k_what_it_takes =
    "an expression is made of numbers, names, ( ) [ ], + - * / // % **, comparisons, and, or, not";

enum class TokenKind { integer, decimal, text, word, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  uint32_t column = 1;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_word_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> all() {
    std::vector<Token> tokens;
    do {
      HONE_TRY(Token token, next());
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  uint32_t column() const { return static_cast<uint32_t>(at_ + 1); }

  Result<Token> next() {
    while (at_ < text_.size() && is_space(peek())) ++at_;
    if (at_ == text_.size()) return Token{TokenKind::end, "", column()};
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_word_start(c)) return word();
    if (c == '\'' || c == '"') return quoted(c);
    return symbol();
  }

  Token word() {
    const size_t start = at_;
    while (is_word(peek())) ++at_;
    return {TokenKind::word, std::string(text_.substr(start, at_ - start)), static_cast<uint32_t>(start + 1)};
  }

  Result<Token> quoted(char quote) {
    const uint32_t start = column();
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      return at_column(start, "the string has no end", "close it with the quote that opens it");
    const std::string_view body = text_.substr(at_ + 1, end - at_ - 1);
    if (body.find('\\') != std::string_view::npos)
      return at_column(start, "strings hold no escapes", "write it without a backslash");
    at_ = end + 1;
    return Token{TokenKind::text, std::string(body), start};
  }

  // Digits with single underscores between them; the underscores are dropped.
  void digits(std::string& out) {
    while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)) && !out.empty() && is_digit(out.back()))) {
      if (peek() != '_') out += peek();
      ++at_;
    }
  }

  void exponent(std::string& out) {
    if (peek() != 'e' && peek() != 'E') return;
    const size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (!is_digit(peek(1 + sign))) return;
    out += "e";
    if (peek(1) == '-') out += '-';
    at_ += 1 + sign;
    digits(out);
  }

  Result<Token> number() {
    const uint32_t start = column();
    std::string text;
    digits(text);
    const bool leading_zero = text.size() > 1 && text[0] == '0';
    const size_t whole_length = text.size();
    if (peek() == '.') {
      text += '.';
      ++at_;
      digits(text);
    }
    exponent(text);
    if (is_word(peek()) || peek() == '.')
      return at_column(column(), "a number ends here, but the text goes on", "put an operator between them");
    const bool whole = text.size() == whole_length;
    if (whole && leading_zero)
      return at_column(start, "an integer does not start with 0", "leave the leading zeros out");
    return Token{whole ? TokenKind::integer : TokenKind::decimal, std::move(text), start};
  }

  Result<Token> symbol() {
    static constexpr std::array<std::string_view, 20> symbols{"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/",
                                                              "%",  "<",  ">",  "(",  ")",  "[",  "]", ",", "=", "!"};
    const uint32_t start = column();
    for (const std::string_view one : symbols) {
      if (!text_.substr(at_).starts_with(one)) continue;
      if (one == "=") return at_column(start, "'=' has no meaning here", "compare with '=='");
      if (one == "!") return at_column(start, "'!' has no meaning here", "write 'not' or '!='");
      at_ += one.size();
      return Token{TokenKind::symbol, std::string(one), start};
    }
    return at_column(start, fmt::format("unexpected character '{}'", quote_untrusted(text_.substr(at_, 1), 8)),
                     std::string(k_what_it_takes));
  }

  std::string_view text_;
  size_t at_ = 0;
};

using Operators = std::initializer_list<std::string_view>;

constexpr std::string_view k_smallest_magnitude = "9223372036854775808";  // 2^63: an integer only after '-'

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Node> whole() {
    HONE_TRY(Node node, disjunction());
    if (now().kind != TokenKind::end) return unexpected();
    return node;
  }

 private:
  using Level = Result<Node> (Parser::*)();

  const Token& now() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is(std::string_view text) const {
    return (now().kind == TokenKind::symbol || now().kind == TokenKind::word) && now().text == text;
  }
  Token take() { return tokens_[at_++]; }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }

  Error unexpected() const {
    if (now().kind == TokenKind::end)
      return at_column(now().column, "the expression ends too early", std::string(k_what_it_takes));
    return at_column(now().column, fmt::format("unexpected '{}'", now().text), std::string(k_what_it_takes));
  }

  bool is_one_of(Operators operators) const {
    return std::any_of(operators.begin(), operators.end(), [this](std::string_view text) { return is(text); });
  }

  // operand (operator operand)*, one node for the whole chain; a first operand of the same kind is taken in, since the
  // level associates to the left.
  Result<Node> chain(NodeKind kind, Level operand, Operators operators) {
    HONE_TRY(Node first, (this->*operand)());
    if (!is_one_of(operators)) return first;
    Node node{.kind = kind, .column = first.column};
    if (first.kind == kind && kind != NodeKind::comparison) {
      node = std::move(first);
    } else {
      node.operands.push_back(std::move(first));
    }
    while (is_one_of(operators)) {
      node.columns.push_back(now().column);
      node.operators.push_back(take().text);
      HONE_TRY(Node next, (this->*operand)());
      node.operands.push_back(std::move(next));
    }
    return node;
  }

  Result<Node> disjunction() { return chain(NodeKind::disjunction, &Parser::conjunction, {"or"}); }
  Result<Node> conjunction() { return chain(NodeKind::conjunction, &Parser::negation, {"and"}); }
  Result<Node> comparison() { return chain(NodeKind::comparison, &Parser::sum, {"==", "!=", "<=", ">=", "<", ">"}); }
  Result<Node> sum() { return chain(NodeKind::sum, &Parser::product, {"+", "-"}); }
  Result<Node> product() { return chain(NodeKind::product, &Parser::factor, {"*", "/", "//", "%"}); }

  // Runs `level` one nesting deeper.
  Result<Node> deeper(Level level) {
    if (depth_ == k_depth_limit)
      return at_column(now().column, fmt::format("nested deeper than {}", k_depth_limit), "split it over derived axes");
    ++depth_;
    auto node = (this->*level)();
    --depth_;
    return node;
  }

  Result<Node> unary(NodeKind kind, Level level) {
    const uint32_t column = take().column;
    HONE_TRY(Node operand, deeper(level));
    Node node{.kind = kind, .column = column};
    node.operands.push_back(std::move(operand));
    return node;
  }

  Result<Node> negation() {
    if (is("not")) return unary(NodeKind::logical_not, &Parser::negation);
    return comparison();
  }

  Result<Node> factor() {
    if (accept("+")) return deeper(&Parser::factor);
    if (!is("-")) return power();
    if (after().kind == TokenKind::integer && after().text == k_smallest_magnitude) return smallest_integer();
    HONE_TRY(Node node, unary(NodeKind::negate, &Parser::factor));
    return folded(std::move(node));
  }

  Node smallest_integer() {
    const uint32_t column = take().column;
    ++at_;
    return {.kind = NodeKind::constant, .column = column, .value = {std::numeric_limits<int64_t>::min()}};
  }

  // -5 is the constant -5, so that a negative constant and its text are the same tree.
  static Node folded(Node negate) {
    const Node& operand = negate.operands.front();
    if (operand.kind != NodeKind::constant) return negate;
    const auto* whole = std::get_if<int64_t>(&operand.value.data);
    if (whole && *whole != std::numeric_limits<int64_t>::min())
      return {.kind = NodeKind::constant, .column = negate.column, .value = {-*whole}};
    if (const auto* number = std::get_if<double>(&operand.value.data))
      return {.kind = NodeKind::constant, .column = negate.column, .value = {-*number}};
    return negate;
  }

  Result<Node> power() {
    HONE_TRY(Node base, atom());
    if (!is("**")) return base;
    Node node{.kind = NodeKind::power, .column = now().column};
    ++at_;
    HONE_TRY(Node exponent, deeper(&Parser::factor));
    node.operands.push_back(std::move(base));
    node.operands.push_back(std::move(exponent));
    return node;
  }

  Result<Node> atom() {
    switch (now().kind) {
      case TokenKind::integer:
        return integer();
      case TokenKind::decimal:
        return decimal();
      case TokenKind::text: {
        Token token = take();
        return Node{.column = token.column, .value = {std::move(token.text)}};
      }
      case TokenKind::word:
        return word();
      case TokenKind::symbol:
        return bracketed();
      case TokenKind::end:
        break;
    }
    return unexpected();
  }

  Result<Node> integer() {
    const Token token = take();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc())
      return at_column(token.column, "the integer does not fit into 64 bits", "write it as a double: 1e20");
    return Node{.column = token.column, .value = {value}};
  }

  Result<Node> decimal() {
    const Token token = take();
    double value = 0.0;
    const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
      return at_column(token.column, "the number is outside a double's range", "write a smaller one");
    return Node{.column = token.column, .value = {value}};
  }

  Result<Node> word() {
    if (is("and") || is("or") || is("not")) return unexpected();
    Token token = take();
    if (token.text == "true" || token.text == "false")
      return Node{.column = token.column, .value = {token.text == "true"}};
    if (is("(")) return call(std::move(token));
    return Node{.kind = NodeKind::name, .column = token.column, .name = std::move(token.text)};
  }

  Result<Node> call(Token name) {
    const Function* function = find_function(name.text);
    if (!function) {
      const auto known = function_names();
      return at_column(name.column, fmt::format("unknown function '{}'{}", name.text, did_you_mean(name.text, known)),
                       "functions are " + join(known, ", "));
    }
    ++at_;
    Node node{.kind = NodeKind::call, .column = name.column, .name = std::move(name.text)};
    HONE_CHECK(operands_until(")", node));
    if (node.operands.size() < function->fewest || node.operands.size() > function->most)
      return at_column(node.column,
                       fmt::format("{} does not take {}", node.name, counted(node.operands.size(), "argument")),
                       fmt::format("it takes {} to {}", function->fewest, function->most));
    return node;
  }

  Result<Node> bracketed() {
    const uint32_t column = now().column;
    if (accept("[")) {
      Node node{.kind = NodeKind::list, .column = column};
      HONE_CHECK(operands_until("]", node));
      return node;
    }
    if (!accept("(")) return unexpected();
    HONE_TRY(Node node, deeper(&Parser::disjunction));
    if (!accept(")")) return unexpected();
    return node;
  }

  Status operands_until(std::string_view end, Node& node) {
    while (!accept(end)) {
      HONE_TRY(Node operand, deeper(&Parser::disjunction));
      node.operands.push_back(std::move(operand));
      if (!is(end) && !accept(",")) return unexpected();
    }
    return ok();
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace

const Function* find_function(std::string_view name) {
  for (const Function& function : k_functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : k_functions) names.emplace_back(function.name);
  return names;
}

Result<Node> parse_node(std::string_view text) {
  if (text.size() > k_text_limit_bytes)
    return at_column(1, "the expression is longer than 64 KiB", "split it over derived axes");
  HONE_TRY(auto tokens, Tokenizer(text).all());
  return Parser(std::move(tokens)).whole();
}

}  // namespace hone::task
