#include "task/device_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/disk.h"
#include "base/text.h"

namespace hone::task {

namespace {

// Attributes with arguments: their bracket opens no parameter list.
constexpr auto k_attributes = std::to_array<std::string_view>(
    {"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__", "__align__"});

bool is_attribute(const CppToken& token) {
  return std::find(k_attributes.begin(), k_attributes.end(), token.text) != k_attributes.end();
}

struct Found {
  DeviceKernel kernel;
  bool is_template = false;
  bool has_plain_name = false;  // extern "C", or OpenCL
  std::string head;             // "__global__ void f(float* x)", one line
};

class Scan {
 public:
  Scan(const fs::path& file, std::string_view text, Dialect dialect)
      : file_(file), text_(text), dialect_(dialect), all_(cpp_tokens(text)), tokens_(all_) {}

  Status run() {
    for (size_t i = 0; i < tokens_.size();) {
      HONE_TRY(i, step(i));
    }
    return ok();
  }

  Result<std::vector<DeviceKernel>> kernels() {
    std::vector<DeviceKernel> out;
    for (Found& one : found_)
      if (one.has_plain_name && !one.is_template) out.push_back(std::move(one.kernel));
    if (!out.empty()) return out;
    return nothing_found();
  }

 private:
  bool starts_kernel(size_t i) const {
    if (dialect_ == Dialect::cuda) return tokens_[i].is("__global__");
    return tokens_[i].is("__kernel") || tokens_[i].is("kernel");
  }

  Result<size_t> step(size_t i) {
    if (starts_kernel(i)) return kernel(i);
    if (tokens_[i].is("}") && !scopes_.empty()) scopes_.pop_back();
    if (tokens_[i].is("{")) return brace(i);
    if (tokens_[i].is("}") || tokens_[i].is(";")) start_ = i + 1;
    return i + 1;
  }

  // Into linkage blocks and namespaces, past everything else.
  size_t brace(size_t i) {
    const bool linkage = i >= 2 && tokens_[i - 2].is("extern") && tokens_[i - 1].is("\"C\"");
    const bool space = i >= 1 && (tokens_[i - 1].is("namespace") || (i >= 2 && tokens_[i - 2].is("namespace")));
    const size_t next = linkage || space ? i + 1 : std::min(closing(tokens_, i) + 1, tokens_.size());
    if (linkage || space) scopes_.push_back(linkage);
    start_ = next;
    return next;
  }

  // The bracket that opens the parameters of the kernel whose first word is `i`; the end when it is no function.
  size_t parameters_open(size_t i) const {
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].is(";") || tokens_[i].is("{") || tokens_[i].is("}")) return tokens_.size();
      if (!tokens_[i].is("(")) continue;
      if (!is_attribute(tokens_[i - 1])) return i;
      i = closing(tokens_, i);
    }
    return tokens_.size();
  }

  Result<size_t> kernel(size_t i) {
    const size_t open = parameters_open(i);
    if (open >= tokens_.size() || tokens_[open - 1].kind != CppKind::word || open - 1 <= i) return i + 1;
    const size_t close = closing(tokens_, open);
    if (close >= tokens_.size()) return cpp_error(file_, tokens_[open].at, "the parameter list has no end");
    Found found;
    found.is_template = start_ < i && tokens_[start_].is("template");
    found.has_plain_name = dialect_ == Dialect::opencl || is_extern_c(i);
    found.head = source(i, close);
    found.kernel.attributes.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(start_),
                                   tokens_.begin() + static_cast<std::ptrdiff_t>(open - 1));
    found.kernel.function.name = tokens_[open - 1].text;
    found.kernel.function.at = tokens_[open - 1].at;
    if (found.has_plain_name && !found.is_template) {
      HONE_TRY(found.kernel.function, read_head(file_, tokens_.subspan(open - 1, close - open + 1), 1, dialect_));
    }
    return keep(std::move(found), close);
  }

  bool is_extern_c(size_t i) const {
    for (size_t at = start_; at + 1 < i; ++at)
      if (tokens_[at].is("extern") && tokens_[at + 1].is("\"C\"")) return true;
    return std::find(scopes_.begin(), scopes_.end(), true) != scopes_.end();
  }

  // With its body; a definition stands for its declarations.
  size_t keep(Found found, size_t close) {
    size_t next = close + 1;
    while (next < tokens_.size() && !tokens_[next].is("{") && !tokens_[next].is(";")) ++next;
    size_t end = std::min(next + 1, tokens_.size());
    if (next < tokens_.size() && tokens_[next].is("{")) {
      end = std::min(closing(tokens_, next) + 1, tokens_.size());
      found.kernel.function.body.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(next),
                                        tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    }
    start_ = end;
    const auto known = std::find_if(found_.begin(), found_.end(), [&found](const Found& one) {
      return one.kernel.function.name == found.kernel.function.name && one.has_plain_name == found.has_plain_name;
    });
    if (known == found_.end()) {
      found_.push_back(std::move(found));
    } else if (known->kernel.function.body.empty()) {
      *known = std::move(found);
    }
    return end;
  }

  // The text of tokens `first` to `last`, white space folded.
  std::string source(size_t first, size_t last) const {
    const char* begin = tokens_[first].text.data();
    const char* end = tokens_[last].text.data() + tokens_[last].text.size();
    std::string out;
    for (const char* c = begin; c < end; ++c) {
      const bool space = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
      if (!space) out += *c;
      if (space && !out.empty() && out.back() != ' ') out += ' ';
    }
    return quote_untrusted(out, 400);
  }

  Error nothing_found() const {
    if (found_.empty())
      return cpp_error(file_, {}, "no kernel was found",
                       dialect_ == Dialect::opencl
                           ? "a kernel is: __kernel void NAME(__global const float* in, __global float* out, int n)"
                           : "a kernel is: extern \"C\" __global__ void NAME(const float* in, float* out, int n)");
    const Found& last = found_.back();
    const std::string& name = last.kernel.function.name;
    if (last.is_template)
      return cpp_error(file_, last.kernel.function.at, fmt::format("'{}' is a template, which is no one kernel", name),
                       fmt::format("make it a __device__ function, and add extern \"C\" __global__ void NAME(…) that "
                                   "calls one instance of it: {}<float>(…)",
                                   name));
    return cpp_error(file_, last.kernel.function.at,
                     fmt::format("'{}' is not declared extern \"C\", so it cannot be found by its name", name),
                     fmt::format("write: extern \"C\" {}", last.head));
  }

  const fs::path& file_;
  std::string_view text_;
  Dialect dialect_;
  std::vector<CppToken> all_;
  CppTokens tokens_;
  size_t start_ = 0;          // of the declaration that is being read
  std::vector<bool> scopes_;  // open braces that were entered: whether each is extern "C"
  std::vector<Found> found_;
};

bool is_whole(std::string_view text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void add_constant(std::string_view name, std::string_view value, Constants& out) {
  if (!is_whole(value)) value = "";
  const auto [known, fresh] = out.emplace(name, value);
  if (!fresh && known->second != value) known->second.clear();
}

// "#define NAME 16"
void read_define(std::string_view line, NamedWords& out) {
  const auto tokens = cpp_tokens(line.substr(std::min(line.find('#') + 1, line.size())));
  if (tokens.size() < 2 || !tokens[0].is("define") || tokens[1].kind != CppKind::word) return;
  out.defined.emplace(tokens[1].text);
  add_constant(tokens[1].text, tokens.size() == 3 ? tokens[2].text : "", out.constants);
}

}  // namespace

Result<std::vector<DeviceKernel>> device_kernels(const fs::path& file, std::string_view text, Dialect dialect) {
  Scan scan(file, text, dialect);
  HONE_CHECK(scan.run());
  return scan.kernels();
}

NamedWords named_words(std::string_view text) {
  NamedWords out;
  for (const std::string& line : split_lines(text))
    if (trim(line).starts_with("#")) read_define(line, out);
  const auto tokens = cpp_tokens(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i + 1].is("=") || tokens[i].kind != CppKind::word) continue;
    out.defined.emplace(tokens[i].text);
    const bool constant = i >= 2 && (tokens[i - 2].is("const") || tokens[i - 2].is("constexpr"));
    if (constant && i + 3 < tokens.size() && tokens[i + 3].is(";") && is_whole(tokens[i + 2].text))
      add_constant(tokens[i].text, tokens[i + 2].text, out.constants);
  }
  std::erase_if(out.constants, [](const auto& one) { return one.second.empty(); });
  return out;
}

}  // namespace hone::task
