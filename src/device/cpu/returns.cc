#include "device/cpu/returns.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "task/cpp_tokens.h"

namespace hone::device::cpu {

namespace {

using task::CppKind;
using task::CppToken;
using Tokens = std::span<const CppToken>;

template <size_t N>
bool is_one_of(const CppToken& token, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return token.is(word); });
}

bool opens(const CppToken& token) { return token.is("(") || token.is("["); }
bool closes(const CppToken& token) { return token.is(")") || token.is("]"); }

// Brackets and what they belong to are looked up, not searched for: a hostile text has a million of them.
struct Text {
  std::vector<CppToken> tokens;
  std::vector<size_t> partner;  // of the bracket at the same place; itself where there is none

  explicit Text(std::vector<CppToken> all) : tokens(std::move(all)), partner(tokens.size()) {
    std::vector<size_t> open;
    for (size_t at = 0; at < tokens.size(); ++at) {
      partner[at] = at;
      if (opens(tokens[at])) open.push_back(at);
      if (!closes(tokens[at]) || open.empty()) continue;
      partner[at] = open.back();
      partner[open.back()] = at;
      open.pop_back();
    }
  }
};

// ---- definitions ----

// `k (…)`, `(k) (…)`, `k [[…]] (…)`: where the name with its own parentheses begins, and where its parameters do.
struct Named {
  size_t first;
  size_t parameters;
};

std::optional<Named> named_at(const Text& text, size_t at, std::string_view entry) {
  const Tokens tokens = text.tokens;
  if (!tokens[at].is(entry)) return std::nullopt;
  size_t first = at, next = at + 1;
  for (; next < tokens.size() && !tokens[next].is("("); ++next) {
    if (tokens[next].is(")")) {
      first = text.partner[next];
    } else if (tokens[next].is("[")) {
      next = text.partner[next];
    } else {
      return std::nullopt;
    }
  }
  if (next >= tokens.size()) return std::nullopt;
  return Named{first, next};
}

// What may stand between parameters and body; of an expression, more would.
bool may_precede_a_body(const CppToken& token) {
  static constexpr std::array<std::string_view, 7> symbols{"->", "::", "<", ">", "*", "&", "&&"};
  return token.kind == CppKind::word || is_one_of(token, symbols);
}

// `int k(x, n) const float* x; int n; {`, as C allows: parameters are declared behind the list.
bool declares_a_parameter(Tokens tokens, size_t after, size_t semicolon) {
  const CppToken& last = tokens[semicolon - 1];
  return semicolon >= after + 2 && (last.kind == CppKind::word || last.is("]"));
}

struct Range {
  size_t begin, end;
};

// Nobody writes more between parameters and body; a chain of a hundred thousand calls is not followed a hundred
// thousand times.
constexpr size_t k_longest_suffix = 1000;

// The tokens between parameters and body, or nothing where a function is called or only declared.
std::optional<Range> suffix_of_definition(const Text& text, size_t parameters) {
  const Tokens tokens = text.tokens;
  const size_t after = text.partner[parameters] + 1;
  const size_t end = std::min(tokens.size(), after + k_longest_suffix);
  for (size_t at = after; at < end; ++at) {
    const bool body = tokens[at].is("{") || (tokens[at].is(";") && declares_a_parameter(tokens, after, at));
    if (body) return Range{after, at};
    // `int (*k(int))(float) {` returns a function.
    const bool declarator_goes_on = tokens[at].is(")") && at + 1 < end && tokens[at + 1].is("(");
    if (opens(tokens[at])) {
      at = text.partner[at];
    } else if (!declarator_goes_on && !may_precede_a_body(tokens[at])) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// Whether the words in front of a name say void. Attributes stand in brackets and say nothing of what is returned, nor
// do the arguments of a template.
bool void_before(const Text& text, size_t name) {
  static constexpr std::array<std::string_view, 7> ends{";", "{", "}", "*", "&", "=", ">"};
  for (size_t at = name; at-- > 0;) {
    if (closes(text.tokens[at])) at = text.partner[at];
    if (is_one_of(text.tokens[at], ends)) return false;
    if (text.tokens[at].is("void")) return true;
  }
  return false;
}

// Absent where no type trails. `-> void (*)(int)` is a pointer.
std::optional<bool> void_behind(const Text& text, Range suffix) {
  for (size_t at = suffix.begin; at < suffix.end; ++at) {
    if (opens(text.tokens[at])) at = text.partner[at];
    if (!text.tokens[at].is("->")) continue;
    const CppToken& next = text.tokens[std::min(at + 2, suffix.end)];
    const bool ends = next.is("{") || next.is("[") || next.kind == CppKind::word;
    return text.tokens[at + 1].is("void") && ends;
  }
  return std::nullopt;
}

struct Definitions {
  size_t all = 0;
  size_t of_void = 0;
};

void count_definitions(const Text& text, std::string_view entry, Definitions& definitions) {
  for (size_t at = 0; at < text.tokens.size(); ++at) {
    const auto named = named_at(text, at, entry);
    const auto suffix = named ? suffix_of_definition(text, named->parameters) : std::nullopt;
    if (!suffix) continue;
    ++definitions.all;
    if (void_behind(text, *suffix).value_or(void_before(text, named->first))) ++definitions.of_void;
  }
}

// ---- names given by other means ----

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// \n, \t and their like.
bool is_plain_escape(char c) { return std::string_view("abefnrtv").find(c) != std::string_view::npos; }

bool mentions(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// Adjacent literals as the one text that they are; an escaped character parts words, and one that is spelled by its
// number stays an escape: nobody writes a name so who does not hide it.
std::string joined_literals(Tokens tokens, size_t at) {
  std::string text;
  for (; at < tokens.size() && tokens[at].kind == CppKind::quoted; ++at) {
    const std::string_view literal = tokens[at].text;
    for (size_t i = 1; i + 1 < literal.size(); ++i) {
      const bool escapes = literal[i] == '\\';
      const bool by_number = escapes && (is_letter(literal[i + 1]) && !is_plain_escape(literal[i + 1]));
      text += by_number ? '\\' : escapes ? (++i, ' ') : literal[i];
    }
  }
  return text;
}

// What an assembler makes names with, besides writing them.
bool makes_names(std::string_view text) {
  static constexpr std::array<std::string_view, 14> directives{".macro",   ".irp",     ".irpc",  ".rept",  ".altmacro",
                                                               ".include", ".set",     ".equ",   ".equiv", ".eqv",
                                                               ".symver",  ".weakref", ".globl", ".global"};
  const auto stands_in = [text](std::string_view directive) { return text.find(directive) != text.npos; };
  return text.find('\\') != text.npos || std::any_of(directives.begin(), directives.end(), stands_in);
}

bool assembler_names(Tokens tokens, size_t at, std::string_view entry) {
  static constexpr std::array<std::string_view, 3> words{"asm", "__asm", "__asm__"};
  if (!is_one_of(tokens[at], words)) return false;
  while (++at < tokens.size() && tokens[at].kind == CppKind::word) {
  }
  if (at >= tokens.size() || !tokens[at].is("(")) return false;
  const std::string text = joined_literals(tokens, at + 1);
  return mentions(text, entry) || makes_names(text);
}

bool is_alias(Tokens tokens, size_t at) {
  static constexpr std::array<std::string_view, 4> words{"alias", "__alias__", "ifunc", "__ifunc__"};
  return is_one_of(tokens[at], words) && at + 2 < tokens.size() && tokens[at + 1].is("(") &&
         tokens[at + 2].kind == CppKind::quoted;
}

bool is_bound_otherwise(Tokens tokens, std::string_view entry) {
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == CppKind::directive && mentions(tokens[at].text, entry)) return true;
    if (assembler_names(tokens, at, entry) || is_alias(tokens, at)) return true;
  }
  return false;
}

}  // namespace

Returns returns_of(std::span<const std::string> preprocessed, std::string_view entry) {
  Definitions definitions;
  for (const std::string& text : preprocessed) {
    std::vector<CppToken> tokens = task::cpp_tokens(text, task::CppText::preprocessed);
    if (is_bound_otherwise(tokens, entry)) return Returns::status;
    std::erase_if(tokens, [](const CppToken& token) { return token.kind == CppKind::directive; });
    count_definitions(Text(std::move(tokens)), entry, definitions);
  }
  return definitions.all > 0 && definitions.of_void == definitions.all ? Returns::nothing : Returns::status;
}

}  // namespace hone::device::cpu
