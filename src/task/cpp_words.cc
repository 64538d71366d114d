#include "task/cpp_words.h"

#include <algorithm>
#include <array>

namespace hone::task {

namespace {

constexpr auto k_keywords = std::to_array<std::string_view>(
    {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
     "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
     "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
     "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
     "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
     "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
     "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
     "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
     "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
     "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
     "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
     "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
     "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
     "xor_eq"});

// What standard headers are written with, and what compilers define by themselves.
constexpr auto k_taken = std::to_array<std::string_view>(
    {"NULL",     "EOF",      "assert",    "defined",   "errno",  "final",   "import", "int16_t",
     "int32_t",  "int64_t",  "int8_t",    "intptr_t",  "linux",  "main",    "memcpy", "memset",
     "module",   "override", "ptrdiff_t", "restrict",  "size_t", "ssize_t", "std",    "uint16_t",
     "uint32_t", "uint64_t", "uint8_t",   "uintptr_t", "unix",   "va_list"});

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Names that the language keeps for its implementation: __x and _X.
bool is_reserved(std::string_view word) {
  return word.size() > 1 && word[0] == '_' && (word[1] == '_' || (word[1] >= 'A' && word[1] <= 'Z'));
}

}  // namespace

bool is_cpp_keyword(std::string_view word) { return holds(k_keywords, word); }

bool breaks_as_macro(std::string_view word) {
  return is_cpp_keyword(word) || holds(k_taken, word) || is_reserved(word);
}

}  // namespace hone::task
