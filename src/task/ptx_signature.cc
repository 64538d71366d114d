#include "task/ptx_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>

#include "base/text.h"
#include "task/ptx_flow.h"
#include "task/ptx_tokens.h"

namespace hone::task {

namespace {

using Tokens = std::span<const PtxToken>;

constexpr size_t k_longest_name_bytes = 4096;  // of a variable or a function; C++ makes long ones

struct TypeSize {
  std::string_view type;
  uint64_t bytes;
};
constexpr TypeSize k_types[] = {{".b8", 1},     {".u8", 1},         {".s8", 1},     {".b16", 2},    {".u16", 2},
                                {".s16", 2},    {".f16", 2},        {".bf16", 2},   {".b32", 4},    {".u32", 4},
                                {".s32", 4},    {".f32", 4},        {".f16x2", 4},  {".bf16x2", 4}, {".tf32", 4},
                                {".b64", 8},    {".u64", 8},        {".s64", 8},    {".f64", 8},    {".b128", 16},
                                {".texref", 8}, {".samplerref", 8}, {".surfref", 8}};
constexpr TypeSize k_vectors[] = {{".v2", 2}, {".v4", 4}, {".v8", 8}};

Error broken(const PtxToken& at, std::string what) {
  return {ErrorCode::contract,
          fmt::format("line {} of the PTX: {}", at.line, std::move(what)),
          {},
          "it is not what a compiler writes",
          "build the kernel anew"};
}

std::optional<uint64_t> number(const PtxToken& token) {
  uint64_t value = 0;
  const auto [end, fault] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (fault != std::errc() || end != token.text.data() + token.text.size()) return std::nullopt;
  return value;
}

template <class Rows>
std::optional<uint64_t> bytes_of(const Rows& rows, std::string_view text) {
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [text](const TypeSize& one) { return one.type == text; });
  return row == std::end(rows) ? std::nullopt : std::optional(row->bytes);
}

// One declared thing: `.align 64 .b8 NAME[128]`, `.u64 .ptr .global .align 1 NAME`.
struct Declared {
  std::string name;
  PtxParameter of;
  bool unsized = false;  // NAME[]
};

class Declaration {
 public:
  // `at` is the directive in front, which says where it stands.
  Declaration(const PtxToken& at, Tokens tokens) : front_(at), tokens_(tokens) {}

  Result<Declared> read() {
    while (at_ < tokens_.size() && tokens_[at_].text.starts_with(".")) {
      HONE_CHECK(word());
    }
    if (out_.of.type.empty() || at_ >= tokens_.size()) return broken(front_, "a declaration has no type or no name");
    out_.name = tokens_[at_++].text;
    while (at_ < tokens_.size() && tokens_[at_].is("[")) {
      HONE_CHECK(dimension());
    }
    if (__builtin_mul_overflow(element_bytes_, elements_, &out_.of.size_bytes))
      return broken(front_, fmt::format("'{}' is larger than 64 bits can say", quote_untrusted(out_.name, 64)));
    if (out_.of.align_bytes == 0) out_.of.align_bytes = element_bytes_;
    return std::move(out_);
  }

 private:
  Status word() {
    const PtxToken& token = tokens_[at_++];
    if (token.is(".ptr")) out_.of.pointer = true;
    if (token.is(".align")) return align();
    if (token.is(".attribute")) return attribute();
    if (const auto vector = bytes_of(k_vectors, token.text)) elements_ = *vector;
    if (const auto bytes = bytes_of(k_types, token.text)) {
      out_.of.type = token.text.substr(1);
      element_bytes_ = *bytes;
    }
    return ok();
  }

  // Of the pointer's target behind .ptr, else of the thing itself.
  Status align() {
    const auto bytes = at_ < tokens_.size() ? number(tokens_[at_]) : std::nullopt;
    if (!bytes || *bytes == 0) return broken(front_, "an alignment is no number");
    ++at_;
    if (!out_.of.pointer) out_.of.align_bytes = *bytes;
    return ok();
  }

  // `.attribute(.managed)`: what it says is in the binary too.
  Status attribute() {
    while (at_ < tokens_.size() && !tokens_[at_].is(")")) ++at_;
    if (at_ >= tokens_.size()) return broken(front_, "an attribute does not end");
    ++at_;
    return ok();
  }

  Status dimension() {
    ++at_;
    if (at_ < tokens_.size() && tokens_[at_].is("]")) {
      out_.unsized = true;
      elements_ = 0;
    } else {
      const auto count = at_ < tokens_.size() ? number(tokens_[at_++]) : std::nullopt;
      if (!count || at_ >= tokens_.size() || !tokens_[at_].is("]") ||
          __builtin_mul_overflow(elements_, *count, &elements_))
        return broken(front_, "an array has no usable size");
    }
    ++at_;
    return ok();
  }

  const PtxToken& front_;
  Tokens tokens_;
  size_t at_ = 0;
  uint64_t element_bytes_ = 0;
  uint64_t elements_ = 1;
  Declared out_;
};

// A function or an entry with what its body declares, names and calls.
struct Routine {
  PtxEntry entry;
  bool is_entry = false;
  bool has_body = false;
  std::vector<Declared> shared;
  std::set<std::string_view> names;  // words of the body
  std::set<std::string_view> calls;
};

size_t end_of(Tokens tokens, size_t open, std::string_view opens, std::string_view closes) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is(opens)) ++depth;
    if (tokens[i].is(closes) && --depth == 0) return i;
  }
  return tokens.size();
}

// "softmax", "_Z4normPf", "$local"
bool is_name(std::string_view word) {
  return word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$") ==
         std::string_view::npos;
}
bool is_register(std::string_view word) { return word.starts_with("%"); }

class Reader {
 public:
  explicit Reader(std::string_view text) : all_(ptx_tokens(text)), tokens_(all_) {}

  Result<PtxModule> read() {
    for (size_t i = 0; i < tokens_.size();) {
      HONE_TRY(i, step(i));
    }
    resolve();
    add_globals();
    for (size_t i = 0; i < routines_.size(); ++i) {
      if (!routines_[i].is_entry || !routines_[i].has_body) continue;
      HONE_CHECK(add_shared(i));
      module_.entries.push_back(std::move(routines_[i].entry));
    }
    return std::move(module_);
  }

 private:
  Result<size_t> step(size_t i) {
    const PtxToken& token = tokens_[i];
    if (token.is(".target") && i + 1 < tokens_.size()) module_.target = quote_untrusted(tokens_[i + 1].text, 32);
    if (token.is(".entry") || token.is(".func")) return routine(i);
    if (token.is(".global") || token.is(".shared") || token.is(".const")) return variable(i);
    return i + 1;
  }

  Result<size_t> variable(size_t i) {
    const size_t end = statement_end(i);
    // Several names of one type stand in one statement; compilers write one.
    HONE_TRY(Declared declared, Declaration(tokens_[i], tokens_.subspan(i + 1, value_start(i, end) - i - 1)).read());
    if (tokens_[i].is(".shared"))
      shared_.push_back(std::move(declared));
    else if (tokens_[i].is(".global"))
      globals_.push_back(std::move(declared));
    return end + 1;
  }

  size_t statement_end(size_t i) const {
    while (i < tokens_.size() && !tokens_[i].is(";")) ++i;
    return i;
  }
  size_t value_start(size_t i, size_t end) const {
    while (i < end && !tokens_[i].is("=") && !tokens_[i].is(",")) ++i;
    return i;
  }

  Result<size_t> routine(size_t i) {
    Routine one;
    one.is_entry = tokens_[i].is(".entry");
    size_t at = i + 1;
    if (!one.is_entry && at < tokens_.size() && tokens_[at].is("("))
      at = end_of(tokens_, at, "(", ")") + 1;                               // what it returns
    while (at < tokens_.size() && tokens_[at].text.starts_with(".")) ++at;  // attributes
    if (at >= tokens_.size() || !is_name(tokens_[at].text)) return broken(tokens_[i], "a function has no name");
    one.entry.name = tokens_[at].text;
    ++at;
    if (at < tokens_.size() && tokens_[at].is("(")) {
      const size_t close = end_of(tokens_, at, "(", ")");
      if (close >= tokens_.size()) return broken(tokens_[at], "a parameter list has no end");
      if (one.is_entry) HONE_CHECK(parameters(tokens_.subspan(at + 1, close - at - 1), one.entry));
      at = close + 1;
    }
    return body(at, std::move(one));
  }

  Status parameters(Tokens list, PtxEntry& entry) {
    while (!list.empty()) {
      size_t end = 0;
      while (end < list.size() && !list[end].is(",")) ++end;
      if (end == 0 || !list[0].is(".param")) return broken(list[0], "a parameter list holds something else");
      HONE_TRY(Declared declared, Declaration(list[0], list.first(end).subspan(1)).read());
      entry.parameters.push_back(std::move(declared.of));
      list = list.subspan(std::min(end + 1, list.size()));
    }
    return ok();
  }

  // Directives between the parameters and the body, then the body.
  Result<size_t> body(size_t at, Routine one) {
    for (; at < tokens_.size() && !tokens_[at].is("{") && !tokens_[at].is(";"); ++at) {
      if (tokens_[at].is(".maxntid")) one.entry.most_threads = dimensions(at + 1);
      if (tokens_[at].is(".reqntid")) one.entry.required_threads = dimensions(at + 1);
    }
    size_t end = at;
    if (at < tokens_.size() && tokens_[at].is("{")) {
      end = end_of(tokens_, at, "{", "}");
      if (end >= tokens_.size())
        return broken(tokens_[at], fmt::format("the body of '{}' has no end", quote_untrusted(one.entry.name, 64)));
      one.has_body = true;
      HONE_CHECK(read_body(tokens_.subspan(at, end - at), one));
    }
    routines_.push_back(std::move(one));
    return std::min(end, tokens_.size() - 1) + 1;
  }

  Dimensions dimensions(size_t at) const {
    Dimensions out{1, 1, 1};
    for (size_t i = 0; i < out.size() && at < tokens_.size(); ++i, at += 2) {
      const auto value = number(tokens_[at]);
      if (value && *value <= UINT32_MAX) out[i] = static_cast<uint32_t>(*value);
      if (at + 1 >= tokens_.size() || !tokens_[at + 1].is(",")) break;
    }
    return out;
  }

  Status read_body(Tokens body, Routine& one) {
    for (size_t i = 0; i < body.size(); ++i) {
      one.names.insert(body[i].text);
      if (body[i].is("call") || body[i].text.starts_with("call.")) one.calls.insert(callee(body, i + 1));
      if (!body[i].is(".shared")) continue;
      size_t end = i;
      while (end < body.size() && !body[end].is(";")) ++end;
      HONE_TRY(Declared declared, Declaration(body[i], body.subspan(i + 1, end - i - 1)).read());
      one.shared.push_back(std::move(declared));
    }
    one.calls.erase("");
    return ok();
  }

  // call.uni (retval0), vprintf, (param0); nothing for a call through a register, whose function stands in this module.
  static std::string_view callee(Tokens body, size_t i) {
    if (i < body.size() && body[i].is("(")) i = end_of(body, i, "(", ")") + 2;
    return i < body.size() && !is_register(body[i].text) ? body[i].text : std::string_view();
  }

  void resolve() {
    for (size_t i = 0; i < routines_.size(); ++i)
      if (routines_[i].has_body) defined_.emplace(routines_[i].entry.name, i);
    std::set<std::string> missing;
    for (const Routine& one : routines_) {
      for (const std::string_view call : one.calls)
        if (!defined_.contains(call)) missing.insert(quote_untrusted(call, k_longest_name_bytes));
    }
    module_.unresolved.assign(missing.begin(), missing.end());
  }

  void add_globals() {
    std::set<std::string_view> names;
    for (const Declared& one : globals_) names.insert(one.name);
    const std::set<std::string_view> unwritten = only_read(tokens_, std::move(names));
    for (const Declared& one : globals_)
      module_.globals.push_back(
          {quote_untrusted(one.name, k_longest_name_bytes), one.of.size_bytes, unwritten.contains(one.name)});
  }

  std::vector<size_t> reachable(size_t from) const {
    std::vector<size_t> out{from};
    std::vector<bool> seen(routines_.size(), false);
    seen[from] = true;
    for (size_t i = 0; i < out.size(); ++i) {
      for (const std::string_view call : routines_[out[i]].calls) {
        const auto known = defined_.find(call);
        if (known == defined_.end() || seen[known->second]) continue;
        seen[known->second] = true;
        out.push_back(known->second);
      }
    }
    return out;
  }

  // Each variable once, at its alignment, in the order of the text.
  Status add_shared(size_t index) {
    PtxEntry& entry = routines_[index].entry;
    std::set<std::string_view> names;
    const std::vector<size_t> all = reachable(index);
    for (const size_t i : all) names.insert(routines_[i].names.begin(), routines_[i].names.end());
    for (const Declared& one : shared_)
      if (names.contains(one.name)) HONE_CHECK(add_variable(one, entry));
    for (const size_t i : all) {
      for (const Declared& one : routines_[i].shared) HONE_CHECK(add_variable(one, entry));
    }
    return ok();
  }

  static Status add_variable(const Declared& one, PtxEntry& entry) {
    entry.dynamic_shared = entry.dynamic_shared || one.unsized;
    uint64_t start = 0;
    const uint64_t align = one.of.align_bytes;
    const bool fits = !__builtin_add_overflow(entry.shared_bytes, align - 1, &start) &&
                      !__builtin_add_overflow(start / align * align, one.of.size_bytes, &entry.shared_bytes);
    if (fits) return ok();
    return Error{ErrorCode::contract,
                 fmt::format("'{}' declares more shared memory than 64 bits can say", quote_untrusted(entry.name, 64))};
  }

  std::vector<PtxToken> all_;
  Tokens tokens_;
  PtxModule module_;
  std::vector<Routine> routines_;
  std::vector<Declared> shared_;  // of the module
  std::vector<Declared> globals_;
  std::map<std::string, size_t, std::less<>> defined_;
};

}  // namespace

const PtxEntry* PtxModule::find(std::string_view name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [name](const PtxEntry& one) { return one.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

Result<PtxModule> read_ptx(std::string_view text) { return Reader(text).read(); }

}  // namespace hone::task
