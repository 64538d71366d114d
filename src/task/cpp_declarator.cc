#include "task/cpp_declarator.h"

#include <algorithm>
#include <array>

#include "base/disk.h"
#include "base/text.h"
#include "task/cpp_words.h"

namespace hone::task {

namespace {

using Tokens = CppTokens;

struct TypeName {
  std::string_view words;
  DType dtype;
};

// As they are written, words in any order that people use; x86-64 and AArch64 Linux, where long has 64 bits.
constexpr auto k_types = std::to_array<TypeName>({
    {"float", DType::f32},
    {"double", DType::f64},
    {"_Float16", DType::f16},
    {"__fp16", DType::f16},
    {"__bf16", DType::bf16},
    {"bool", DType::boolean},
    {"char", DType::i8},
    {"signed char", DType::i8},
    {"unsigned char", DType::u8},
    {"short", DType::i16},
    {"short int", DType::i16},
    {"unsigned short", DType::u16},
    {"unsigned short int", DType::u16},
    {"int", DType::i32},
    {"signed", DType::i32},
    {"signed int", DType::i32},
    {"unsigned", DType::u32},
    {"unsigned int", DType::u32},
    {"long", DType::i64},
    {"long int", DType::i64},
    {"unsigned long", DType::u64},
    {"unsigned long int", DType::u64},
    {"long long", DType::i64},
    {"long long int", DType::i64},
    {"unsigned long long", DType::u64},
    {"unsigned long long int", DType::u64},
    {"int8_t", DType::i8},
    {"int16_t", DType::i16},
    {"int32_t", DType::i32},
    {"int64_t", DType::i64},
    {"uint8_t", DType::u8},
    {"uint16_t", DType::u16},
    {"uint32_t", DType::u32},
    {"uint64_t", DType::u64},
    {"size_t", DType::u64},
    {"ptrdiff_t", DType::i64},
    {"ssize_t", DType::i64},
    {"intptr_t", DType::i64},
    {"uintptr_t", DType::u64},
    {"uint", DType::u32},
    {"ulong", DType::u64},
    {"byte", DType::u8},
    {"uchar", DType::u8},
    {"ushort", DType::u16},
    {"half", DType::f16},
    {"__half", DType::f16},
    {"nv_bfloat16", DType::bf16},
    {"__nv_bfloat16", DType::bf16},
    {"hip_bfloat16", DType::bf16},
    {"__hip_bfloat16", DType::bf16},
});

std::optional<DType> dtype_of(const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  const auto found =
      std::find_if(k_types.begin(), k_types.end(), [&text](const TypeName& row) { return row.words == text; });
  return found == k_types.end() ? std::nullopt : std::optional(found->dtype);
}

constexpr auto k_skipped =
    std::to_array<std::string_view>({"volatile", "restrict", "__restrict", "__restrict__", "register", "std",
                                     "::", "struct", "inline", "static", "__grid_constant__"});
// OpenCL's words for where a buffer lies.
constexpr auto k_spaces = std::to_array<std::string_view>(
    {"__global", "global", "__constant", "constant", "__local", "local", "__private", "private"});

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_skipped(const CppToken& token, Dialect dialect) {
  return holds(k_skipped, token.text) || (dialect == Dialect::opencl && holds(k_spaces, token.text));
}

std::vector<Tokens> split_at_commas(Tokens tokens) {
  std::vector<Tokens> parts;
  size_t start = 0, depth = 0;
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i == tokens.size() || (depth == 0 && tokens[i].is(","))) {
      parts.push_back(tokens.subspan(start, i - start));
      start = i + 1;
    } else if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("<")) {
      ++depth;
    } else if (depth > 0 && (tokens[i].is(")") || tokens[i].is("]") || tokens[i].is(">"))) {
      --depth;
    }
  }
  return parts;
}

struct Declarator {
  std::vector<std::string> words;  // type words, then the name
  size_t stars = 0;
  bool to_const = false;
  bool local = false;
};

void read_space(const CppToken& token, Declarator& out) {
  if (token.is("__local") || token.is("local")) out.local = true;
  if (token.is("__constant") || token.is("constant")) out.to_const = true;
}

Result<Declarator> read_declarator(const fs::path& file, Tokens tokens, Dialect dialect) {
  Declarator out;
  for (const CppToken& token : tokens) {
    if (token.is("&") || token.is("&&"))
      return cpp_error(file, token.at, "a reference is no parameter of an extern \"C\" kernel", "pass a pointer");
    if (token.is("=")) return cpp_error(file, token.at, "a default argument has no meaning for a kernel", "remove it");
    if (token.is("const") && out.stars == 0) out.to_const = true;
    if (dialect == Dialect::opencl) read_space(token, out);
    if (token.is("*") || token.is("[")) ++out.stars;
    if (token.kind == CppKind::word && !token.is("const") && !is_skipped(token, dialect))
      out.words.emplace_back(token.text);
  }
  return out;
}

bool has_name(const std::vector<std::string>& words) {
  return words.size() > 1 && !dtype_of(words) && !is_cpp_keyword(words.back());
}

Result<CppParameter> read_parameter(const fs::path& file, Tokens tokens, Dialect dialect) {
  CppParameter out;
  out.at = tokens.front().at;
  HONE_TRY(Declarator declarator, read_declarator(file, tokens, dialect));
  if (!has_name(declarator.words))
    return cpp_error(file, out.at, "the parameter has no name", "name every parameter: the contract refers to it");
  if (declarator.stars > 1)
    return cpp_error(file, out.at, "a pointer to a pointer cannot be filled or compared", "pass one flat buffer");
  out.name = declarator.words.back();
  declarator.words.pop_back();
  out.dtype = dtype_of(declarator.words);
  out.type = join(declarator.words, " ");
  out.pointer = declarator.stars == 1;
  out.to_const = declarator.to_const;
  out.local = declarator.local;
  return out;
}

}  // namespace

Error cpp_error(const fs::path& file, Position at, std::string what, std::string help) {
  return {ErrorCode::contract, std::move(what), {file.string(), at.line, at.column}, {}, std::move(help)};
}

size_t closing(CppTokens tokens, size_t open) {
  const std::string_view opens = tokens[open].text;
  const std::string_view closes = opens == "(" ? ")" : opens == "[" ? "]" : opens == "<" ? ">" : "}";
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is(opens)) ++depth;
    if (tokens[i].is(closes) && --depth == 0) return i;
  }
  return tokens.size();
}

Result<CppFunction> read_head(const fs::path& file, CppTokens tokens, size_t open, Dialect dialect) {
  CppFunction out;
  out.name = tokens[open - 1].text;
  out.at = tokens[open - 1].at;
  for (const CppToken& token : tokens.first(open - 1)) {
    if (!is_skipped(token, dialect)) out.returns += (out.returns.empty() ? "" : " ") + std::string(token.text);
  }
  const Tokens inner = tokens.subspan(open + 1);
  const bool none = inner.empty() || (inner.size() == 1 && inner[0].is("void"));
  if (none) return out;
  for (const Tokens one : split_at_commas(inner)) {
    if (one.empty()) return cpp_error(file, out.at, "the parameter list cannot be read");
    HONE_TRY(CppParameter parameter, read_parameter(file, one, dialect));
    out.parameters.push_back(std::move(parameter));
  }
  return out;
}

}  // namespace hone::task
