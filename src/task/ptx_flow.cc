#include "task/ptx_flow.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace hone::task {

namespace {

using Tokens = std::span<const PtxToken>;

// What may be done with an address: their result is one too.
constexpr std::string_view k_carrying[] = {"mov", "add", "sub", "mad", "selp", "cvta"};
constexpr std::string_view k_reading[] = {"ld", "ldu"};
// Statements that declare a name, and give nobody anything unless there is a value behind a '='.
constexpr std::string_view k_declaring[] = {".global", ".const", ".shared", ".local", ".param", ".reg"};
// An address gets once around a loop in one pass; what needs more passes is too odd to follow.
constexpr int k_most_passes = 8;

template <class Rows>
bool is_one_of(const Rows& rows, std::string_view word) {
  return std::find(std::begin(rows), std::end(rows), word) != std::end(rows);
}

// "ld.global.nc.u32" → "ld", "%v.x" → "%v", ".global" stays.
std::string_view stem(std::string_view word) { return word.substr(0, word.find('.', 1)); }

bool is_name(std::string_view word) { return word.find_first_of("{}(),[]") == std::string_view::npos; }

// A string is a file's name or a hint; what looks like code in one may be code to another reader of strings.
bool hides_something(const PtxToken& token) {
  return token.text.starts_with('"') && token.text.find_first_of(";\\") != std::string_view::npos;
}

// The bodies of functions, each from the brace that opens it to the next function, so that a register's name means one
// thing; and first what stands before them all.
std::vector<Tokens> bodies_of(Tokens tokens) {
  std::vector<Tokens> bodies;
  size_t begin = 0;
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && !tokens[i].is(".entry") && !tokens[i].is(".func")) continue;
    bodies.push_back(tokens.subspan(begin, i - begin));
    while (i < tokens.size() && !tokens[i].is("{") && !tokens[i].is(";")) ++i;
    begin = std::min(i, tokens.size());
  }
  return bodies;
}

// ".loc 1 12 5, function_name $L__info_string0, inlined_at 1 40 3": how many tokens of it are in front.
size_t length_of_mark(Tokens tokens) {
  const auto belongs = [&tokens](const PtxToken& token) {
    const bool word = token.is("function_name") || token.is("inlined_at") || token.is(",") || token.is("+");
    return token.line == tokens[0].line &&
           (word || std::isdigit(token.text[0]) != 0 || token.text[0] == '$' || token.text[0] == '"');
  };
  return static_cast<size_t>(std::find_if_not(tokens.begin() + 1, tokens.end(), belongs) - tokens.begin());
}

size_t length_of_front(Tokens statement) {
  const PtxToken& first = statement[0];
  if (first.is(".loc") || first.is(".file")) return length_of_mark(statement);
  if (first.is("{") || first.is("}")) return 1;
  if (first.is("@")) return statement.size() > 1 && statement[1].is("!") ? 3 : 2;
  return statement.size() > 1 && statement[1].is(":") ? 2 : 0;
}

// Without what may stand in front of an instruction: line marks, braces, labels, a guard.
Tokens instruction_of(Tokens statement) {
  while (!statement.empty()) {
    const size_t front = length_of_front(statement);
    if (front == 0) break;
    statement = statement.subspan(std::min(front, statement.size()));
  }
  return statement;
}

class Flow {
 public:
  explicit Flow(std::set<std::string_view> variables) : only_read_(std::move(variables)) {}

  void follow(Tokens body) {
    addresses_.clear();
    changed_ = true;
    for (int pass = 0; changed_ && pass < k_most_passes; ++pass) {
      changed_ = false;
      follow_once(body);
    }
    if (!changed_) return;
    for (const auto& [name, variable] : addresses_) only_read_.erase(variable);
  }

  std::set<std::string_view> take() { return std::move(only_read_); }

 private:
  void follow_once(Tokens body) {
    size_t begin = 0;
    for (size_t i = 0; i <= body.size(); ++i) {
      if (i < body.size() && !body[i].is(";")) continue;
      if (const Tokens one = instruction_of(body.subspan(begin, i - begin)); !one.empty()) take_instruction(one);
      begin = i + 1;
    }
  }

  void take_instruction(Tokens one) {
    const std::string_view operation = stem(one[0].text);
    if (is_one_of(k_reading, operation)) return;
    if (is_one_of(k_carrying, operation)) return carry(one.subspan(1));
    const bool declares =
        std::any_of(one.begin(), one.end(), [](const PtxToken& t) { return is_one_of(k_declaring, t.text); });
    const auto value = std::find_if(one.begin(), one.end(), [](const PtxToken& t) { return t.is("="); });
    write_all(declares && operation.starts_with(".") ? Tokens(value, one.end()) : one);
  }

  // {%r1, %r2}, %rd1 or %rd2, %rd1, 8: first what is written, then what it comes from.
  void carry(Tokens operands) {
    size_t end = 1;
    if (!operands.empty() && operands[0].is("{"))
      while (end < operands.size() && !operands[end].is("}")) ++end;
    end = std::min(end, operands.size());
    for (const PtxToken& source : operands.subspan(end)) {
      const std::string_view variable = variable_of(source);
      if (variable.empty()) continue;
      for (const PtxToken& target : operands.first(end))
        if (is_name(target.text)) point(stem(target.text), variable);
    }
  }

  void point(std::string_view name, std::string_view variable) {
    const auto [at, added] = addresses_.emplace(name, variable);
    changed_ = changed_ || added;
    // The address of either of two: followed no further.
    if (at->second == variable) return;
    only_read_.erase(at->second);
    only_read_.erase(variable);
  }

  void write_all(Tokens tokens) {
    for (const PtxToken& token : tokens) only_read_.erase(variable_of(token));
  }

  // Whose address a word is; empty of most words.
  std::string_view variable_of(const PtxToken& token) const {
    const std::string_view name = stem(token.text);
    if (const auto itself = only_read_.find(name); itself != only_read_.end()) return *itself;
    const auto found = addresses_.find(name);
    return found == addresses_.end() ? std::string_view() : found->second;
  }

  std::set<std::string_view> only_read_;
  std::map<std::string_view, std::string_view> addresses_;  // names in a body that hold one, and of what
  bool changed_ = false;
};

}  // namespace

std::set<std::string_view> only_read(Tokens tokens, std::set<std::string_view> variables) {
  if (variables.empty()) return variables;
  if (std::any_of(tokens.begin(), tokens.end(), hides_something)) return {};
  Flow flow(std::move(variables));
  for (const Tokens body : bodies_of(tokens)) flow.follow(body);
  return flow.take();
}

}  // namespace hone::task
