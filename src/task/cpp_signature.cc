#include "task/cpp_signature.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"

namespace hone::task {

namespace {

using Tokens = CppTokens;

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
    HONE_TRY(CppFunction read, read_head(file_, tokens_.subspan(first, close - first), open - first, Dialect::cpp));
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

Result<std::vector<CppFunction>> extern_c_functions(const fs::path& file, std::string_view text) {
  const auto tokens = cpp_tokens(text);
  return FileScan(file, tokens).functions();
}

Result<CppFunction> choose_function(const fs::path& file, const std::vector<CppFunction>& functions,
                                    const std::string& entry, std::string_view noun) {
  std::vector<std::string> names;
  for (const CppFunction& function : functions) {
    if (function.name == entry || (entry.empty() && functions.size() == 1)) return function;
    names.push_back(function.name);
  }
  if (entry.empty())
    return cpp_error(file, functions[1].at, fmt::format("several {}s could be meant: {}", noun, join(names, ", ")),
                     "name one with --entry");
  return cpp_error(file, {}, fmt::format("no {} is called '{}'{}", noun, entry, did_you_mean(entry, names)),
                   "it has " + join(names, ", "));
}

}  // namespace hone::task
