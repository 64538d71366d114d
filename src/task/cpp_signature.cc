#include "task/cpp_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/disk.h"
#include "base/text.h"

namespace hone::task {

namespace {

using Tokens = std::span<const CppToken>;

struct TypeName {
  std::string_view words;
  DType dtype;
};

// As they are written, words in any order that people use; x86-64 and AArch64 Linux, where long has 64 bits.
constexpr std::array<TypeName, 42> k_types{{
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
}};

std::optional<DType> dtype_of(const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  const auto found =
      std::find_if(k_types.begin(), k_types.end(), [&text](const TypeName& row) { return row.words == text; });
  return found == k_types.end() ? std::nullopt : std::optional(found->dtype);
}

bool is_type_word(std::string_view word) {
  return std::any_of(k_types.begin(), k_types.end(), [word](const TypeName& row) {
    const auto words = split(row.words, ' ');
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

bool is_skipped(const CppToken& token) {
  static constexpr std::array<std::string_view, 10> skipped{
      "volatile", "restrict", "__restrict", "__restrict__", "register", "std", "::", "struct", "inline", "static"};
  return std::find(skipped.begin(), skipped.end(), token.text) != skipped.end();
}

// Index of the token that closes the bracket at `open`; the end when nothing does.
size_t closing(Tokens tokens, size_t open) {
  const std::string_view opens = tokens[open].text;
  const std::string_view closes = opens == "(" ? ")" : opens == "[" ? "]" : opens == "<" ? ">" : "}";
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is(opens)) ++depth;
    if (tokens[i].is(closes) && --depth == 0) return i;
  }
  return tokens.size();
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
};

Result<Declarator> read_declarator(const fs::path& file, Tokens tokens) {
  Declarator out;
  for (const CppToken& token : tokens) {
    if (token.is("&") || token.is("&&"))
      return cpp_error(file, token.at, "a reference is no parameter of an extern \"C\" kernel", "pass a pointer");
    if (token.is("=")) return cpp_error(file, token.at, "a default argument has no meaning for a kernel", "remove it");
    if (token.is("const") && out.stars == 0) out.to_const = true;
    if (token.is("*") || token.is("[")) ++out.stars;
    if (token.kind == CppKind::word && !token.is("const") && !is_skipped(token)) out.words.emplace_back(token.text);
  }
  return out;
}

Result<CppParameter> read_parameter(const fs::path& file, Tokens tokens) {
  CppParameter out;
  out.at = tokens.front().at;
  HONE_TRY(Declarator declarator, read_declarator(file, tokens));
  if (declarator.words.empty() || is_type_word(declarator.words.back()) || declarator.words.size() < 2)
    return cpp_error(file, out.at, "the parameter has no name", "name every parameter: the contract refers to it");
  if (declarator.stars > 1)
    return cpp_error(file, out.at, "a pointer to a pointer cannot be filled or compared", "pass one flat buffer");
  out.name = declarator.words.back();
  declarator.words.pop_back();
  out.dtype = dtype_of(declarator.words);
  out.pointer = declarator.stars == 1;
  out.to_const = declarator.to_const;
  return out;
}

// Tokens from the return type to the parameter list's end.
Result<CppFunction> read_head(const fs::path& file, Tokens tokens, size_t open, size_t close) {
  CppFunction out;
  out.name = tokens[open - 1].text;
  out.at = tokens[open - 1].at;
  for (const CppToken& token : tokens.first(open - 1)) {
    if (!is_skipped(token)) out.returns += (out.returns.empty() ? "" : " ") + std::string(token.text);
  }
  const Tokens inner = tokens.subspan(open + 1, close - open - 1);
  const bool none = inner.empty() || (inner.size() == 1 && inner[0].is("void"));
  if (none) return out;
  for (const Tokens one : split_at_commas(inner)) {
    if (one.empty()) return cpp_error(file, out.at, "the parameter list cannot be read");
    HONE_TRY(CppParameter parameter, read_parameter(file, one));
    out.parameters.push_back(std::move(parameter));
  }
  return out;
}

// Reads declarations at one brace level.
class FileScan {
 public:
  FileScan(const fs::path& file, Tokens tokens) : file_(file), tokens_(tokens) {}

  Result<std::vector<CppFunction>> functions() {
    size_t i = 0;
    while (i < tokens_.size()) {
      HONE_TRY(i, item(i));
    }
    if (!found_.empty()) return std::move(found_);
    return nothing_found();
  }

 private:
  bool is_extern_c(size_t i) const {
    return i + 1 < tokens_.size() && tokens_[i].is("extern") && tokens_[i + 1].is("\"C\"");
  }

  // One declaration from token i; the answer is the token after it.
  Result<size_t> item(size_t i) {
    if (is_extern_c(i)) return linkage(i + 2);
    if (tokens_[i].is("template")) is_template_ = true;
    if (tokens_[i].is("(") && i > 0 && tokens_[i - 1].kind == CppKind::word) return plain_function(i);
    if (tokens_[i].is(";")) is_template_ = false;
    return tokens_[i].is("{") ? closing(tokens_, i) + 1 : i + 1;
  }

  Result<size_t> linkage(size_t i) {
    if (i < tokens_.size() && tokens_[i].is("{")) {
      const size_t end = closing(tokens_, i);
      for (size_t at = i + 1; at < end;) {
        HONE_TRY(at, function(at, end));
      }
      return end + 1;
    }
    return function(i, tokens_.size());
  }

  Result<size_t> function(size_t first, size_t limit) {
    size_t open = first;
    while (open < limit && !tokens_[open].is("(") && !tokens_[open].is(";") && !tokens_[open].is("{")) ++open;
    if (open >= limit) return limit;
    if (!tokens_[open].is("(") || open <= first + 1) return after(open, limit);
    const size_t close = closing(tokens_, open);
    if (close >= limit) return cpp_error(file_, tokens_[open].at, "the parameter list has no end");
    HONE_TRY(CppFunction read, read_head(file_, tokens_.subspan(first, close - first), open - first, close - first));
    size_t next = close + 1;
    while (next < limit && !tokens_[next].is("{") && !tokens_[next].is(";")) ++next;
    const size_t end = after(next, limit);
    if (next < limit && tokens_[next].is("{"))
      read.body.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(next),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(std::min(end, limit)));
    keep(std::move(read));
    return end;
  }

  size_t after(size_t i, size_t limit) const {
    if (i >= limit) return limit;
    return tokens_[i].is("{") ? std::min(closing(tokens_, i) + 1, limit) : i + 1;
  }

  // A definition stands for its declarations.
  void keep(CppFunction function) {
    for (CppFunction& known : found_) {
      if (known.name != function.name) continue;
      if (known.body.empty()) known = std::move(function);
      return;
    }
    found_.push_back(std::move(function));
  }

  // A function with C++ linkage: remembered for the error alone.
  Result<size_t> plain_function(size_t open) {
    const size_t close = closing(tokens_, open);
    if (close + 1 < tokens_.size() && tokens_[close + 1].is("{")) {
      others_.push_back({std::string(tokens_[open - 1].text), tokens_[open - 1].at, is_template_});
      is_template_ = false;
      return closing(tokens_, close + 1) + 1;
    }
    return close + 1;
  }

  struct Other {
    std::string name;
    Position at;
    bool is_template;
  };

  Error nothing_found() const {
    if (others_.empty())
      return cpp_error(file_, {}, "no function was found",
                       "a kernel is a function: extern \"C\" int NAME(const float* in, float* out, int n)");
    const Other& last = others_.back();
    if (last.is_template)
      return cpp_error(file_, last.at, fmt::format("'{}' is a template, which has no one address", last.name),
                       "add an extern \"C\" function that calls one instance of it");
    const auto same =
        std::count_if(others_.begin(), others_.end(), [&last](const Other& other) { return other.name == last.name; });
    if (same > 1)
      return cpp_error(file_, last.at,
                       fmt::format("'{}' is overloaded, so its name does not tell which one is meant", last.name),
                       "declare the one to be made faster extern \"C\" under a name of its own");
    return cpp_error(file_, last.at,
                     fmt::format("'{}' is not declared extern \"C\", so it cannot be found by its name", last.name),
                     fmt::format("write extern \"C\" in front of it"));
  }

  const fs::path& file_;
  Tokens tokens_;
  bool is_template_ = false;
  std::vector<CppFunction> found_;
  std::vector<Other> others_;
};

}  // namespace

Error cpp_error(const fs::path& file, Position at, std::string what, std::string help) {
  return {ErrorCode::contract, std::move(what), {file.string(), at.line, at.column}, {}, std::move(help)};
}

Result<std::vector<CppFunction>> extern_c_functions(const fs::path& file, std::string_view text) {
  const auto tokens = cpp_tokens(text);
  return FileScan(file, tokens).functions();
}

Result<CppFunction> choose_function(const fs::path& file, const std::vector<CppFunction>& functions,
                                    const std::string& entry) {
  std::vector<std::string> names;
  for (const CppFunction& function : functions) {
    if (function.name == entry || (entry.empty() && functions.size() == 1)) return function;
    names.push_back(function.name);
  }
  if (entry.empty())
    return cpp_error(file, functions[1].at, "several extern \"C\" functions could be meant: " + join(names, ", "),
                     "name one with --entry");
  return cpp_error(file, {},
                   fmt::format("no extern \"C\" function is called '{}'{}", entry, did_you_mean(entry, names)),
                   "it has " + join(names, ", "));
}

}  // namespace hone::task
