#include "task/device_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace hone::task {

namespace {

struct Primitive {
  std::string_view source;  // "blockIdx", "get_group_id"
  std::string_view word;    // "block"
};
constexpr Primitive k_members[] = {
    {"threadIdx", "thread"}, {"blockIdx", "block"}, {"blockDim", "width"}, {"gridDim", "blocks"}};
constexpr Primitive k_calls[] = {{"get_global_id", "global"},  {"get_local_id", "thread"},
                                 {"get_group_id", "block"},    {"get_local_size", "width"},
                                 {"get_num_groups", "blocks"}, {"get_global_size", "threads"}};
constexpr std::string_view k_dimensions = "xyz";

// "thread.x" of kind "thread"
bool is_index(const CppToken& token, std::string_view kind) {
  return token.text.size() == kind.size() + 2 && token.text.starts_with(kind) && token.text[kind.size()] == '.';
}
bool is_place(const CppToken& token) {
  return is_index(token, "thread") || is_index(token, "block") || is_index(token, "global");
}
char dimension(const CppToken& token) { return token.text.back(); }
bool is_factor(const CppToken& token) { return token.is("*") || token.is("/") || token.is("%"); }

bool is_type_word(const CppToken& token) {
  static constexpr auto words =
      std::to_array<std::string_view>({"int", "unsigned", "long", "short", "char", "size_t", "uint", "ulong", "int32_t",
                                       "int64_t", "uint32_t", "uint64_t", "ptrdiff_t", "signed", "const"});
  return std::find(words.begin(), words.end(), token.text) != words.end();
}

class Folder {
 public:
  Folder(const CppFunction& kernel, const Constants& constants, FoldedBody& out)
      : in_(kernel.body), constants_(constants), out_(out) {
    for (const CppParameter& parameter : kernel.parameters)
      (parameter.pointer ? buffers_ : parameters_).insert(parameter.name);
    for (size_t i = 0; i + 1 < in_.size(); ++i) note(in_[i], in_[i + 1]);
  }

  void run() {
    while (at_ < in_.size()) step();
    out_.function.body = std::move(tokens_);
  }

 private:
  // ---- input
  const CppToken* next(size_t ahead = 0) const { return at_ + ahead < in_.size() ? &in_[at_ + ahead] : nullptr; }
  bool next_is(std::string_view text, size_t ahead = 0) const { return next(ahead) && next(ahead)->is(text); }

  void step() {
    if (skip_cast() || take_member() || take_call()) return;
    const CppToken token = in_[at_++];
    if (token.kind == CppKind::word && !after_dot()) {
      if (take_pointer(token) || take_variable(token)) return;
    }
    push(token);
    const bool done = token.is(";") || (token.is(",") && declares_more());
    if (done) finish(tokens_.size() - 1);
    if (done || token.is("{") || token.is("}")) start_ = tokens_.size();
  }

  // A comma of `int x = a, y = b;`, not one between arguments.
  bool declares_more() const {
    if (tokens_.size() - start_ > k_longest_sum) return false;
    int depth = 0;
    for (size_t i = start_; i < tokens_.size(); ++i) {
      if (tokens_[i].is("(") || tokens_[i].is("[")) ++depth;
      if (tokens_[i].is(")") || tokens_[i].is("]")) --depth;
    }
    return depth == 0;
  }

  bool after_dot() const { return !tokens_.empty() && (tokens_.back().is(".") || tokens_.back().is("->")); }

  // (int)blockIdx.x, static_cast<size_t>(row)
  bool skip_cast() {
    if (next_is("static_cast") && next_is("<", 1)) {
      while (at_ < in_.size() && !in_[at_].is(">")) ++at_;
      ++at_;
      return true;
    }
    if (!next_is("(")) return false;
    size_t end = at_ + 1;
    while (end < in_.size() && is_type_word(in_[end])) ++end;
    const bool cast = end > at_ + 1 && end + 1 < in_.size() && in_[end].is(")") &&
                      (in_[end + 1].kind != CppKind::symbol || in_[end + 1].is("("));
    if (cast) at_ = end + 1;
    return cast;
  }

  bool take_member() {
    if (!next_is(".", 1) || !next(2) || next(2)->text.size() != 1) return false;
    if (k_dimensions.find(next(2)->text[0]) == std::string_view::npos) return false;
    for (const Primitive& one : k_members) {
      if (!next_is(one.source)) continue;
      const CppToken place = word(index_word(one.word, next(2)->text[0]), next()->at);
      at_ += 3;
      push(place);
      return true;
    }
    return false;
  }

  bool take_call() {
    if (!next_is("(", 1) || !next_is(")", 3) || next(2)->text.size() != 1) return false;
    const size_t d = static_cast<size_t>(next(2)->text[0] - '0');
    for (const Primitive& one : k_calls) {
      if (!next_is(one.source) || d >= k_dimensions.size()) continue;
      const CppToken place = word(index_word(one.word, k_dimensions[d]), next()->at);
      at_ += 4;
      push(place);
      return true;
    }
    return false;
  }

  // row_of_x[c] with `row_of_x = x + row * cols` is x[row * cols + c].
  bool take_pointer(const CppToken& token) {
    const auto pointer = pointers_.find(token.text);
    if (pointer == pointers_.end() || !next_is("[")) return false;
    ++at_;
    push(word(pointer->second.buffer, token.at));
    push(word("[", token.at));
    for (const CppToken& one : pointer->second.offset) push(one);
    push(word("+", token.at));
    return true;
  }

  bool take_variable(const CppToken& token) {
    if (next_is("=")) {
      variables_.erase(std::string(token.text));
      return false;
    }
    if (const auto constant = constants_.find(token.text); constant != constants_.end()) {
      push(number(constant->second, token.at));
      return true;
    }
    const auto variable = variables_.find(token.text);
    if (variable == variables_.end()) return false;
    const std::vector<CppToken>& value = variable->second;
    const bool alone = value.size() == 1 || (!tokens_.empty() && tokens_.back().is("[") && next_is("]"));
    if (!alone) push(word("(", token.at));
    for (const CppToken& one : value) push(one);
    if (!alone) push(word(")", token.at));
    return true;
  }

  // ---- output
  CppToken word(std::string text, Position at) {
    const bool symbol = text == "(" || text == ")" || text == "[" || text == "+";
    return made(std::move(text), symbol ? CppKind::symbol : CppKind::word, at);
  }
  CppToken number(std::string text, Position at) { return made(std::move(text), CppKind::number, at); }
  CppToken made(std::string text, CppKind kind, Position at) {
    out_.words->push_back(std::move(text));
    return {kind, out_.words->back(), at};
  }

  void push(CppToken token) {
    tokens_.push_back(token);
    while (fold_brackets() || fold_global()) {
    }
  }

  const CppToken& last(size_t back) const { return tokens_[tokens_.size() - 1 - back]; }
  bool factor_follows() const { return next() && is_factor(*next()); }
  bool factor_precedes(size_t size) const { return tokens_.size() > size && is_factor(last(size)); }
  void replace(size_t size, std::string_view kind, char d) {
    const Position at = last(size - 1).at;
    tokens_.resize(tokens_.size() - size);
    tokens_.push_back(word(index_word(kind, d), at));
  }

  // (block.x) is block.x, unless it is what a function is called with.
  bool fold_brackets() {
    if (tokens_.size() < 3 || !last(0).is(")") || !last(2).is("(") || !is_place(last(1))) return false;
    const bool call = tokens_.size() > 3 && (last(3).kind == CppKind::word || last(3).is(")") || last(3).is("]"));
    if (call) return false;
    const CppToken inner = last(1);
    tokens_.resize(tokens_.size() - 3);
    tokens_.push_back(inner);
    return true;
  }

  // block.x * width.x + thread.x, in any order and with brackets around the product.
  bool fold_global() {
    if (factor_follows() || tokens_.size() < 5) return false;
    const bool thread_last = is_index(last(0), "thread") && last(1).is("+");
    const size_t product = thread_last ? 2 : 0;
    const bool bracket = tokens_.size() > product + 4 && last(product).is(")") && last(product + 4).is("(");
    const size_t middle = product + (bracket ? 2 : 1);
    const size_t size = bracket ? 7 : 5;
    if (tokens_.size() < size || factor_precedes(size) || !last(middle).is("*")) return false;
    if (!thread_last && (!is_index(last(size - 1), "thread") || !last(size - 2).is("+"))) return false;
    return fold_threads(thread_last ? last(0) : last(size - 1), last(middle + 1), last(middle - 1), size);
  }

  bool fold_threads(const CppToken& thread, const CppToken& a, const CppToken& b, size_t size) {
    const CppToken& block = is_index(a, "block") ? a : b;
    const CppToken& factor = is_index(a, "block") ? b : a;
    const char d = dimension(thread);
    if (!is_index(block, "block") || dimension(block) != d || !is_width(factor, d)) return false;
    if (!is_index(factor, "width")) out_.widths.emplace(std::string(1, d), factor.text);
    replace(size, "global", d);
    return true;
  }

  bool is_width(const CppToken& factor, char d) const {
    if (is_index(factor, "width")) return dimension(factor) == d;
    const bool plain = factor.kind != CppKind::symbol && factor.text.find('.') == std::string_view::npos;
    return plain && !parameters_.contains(factor.text);
  }

  // ---- definitions, at the end of the statement that is tokens_[start_, end)
  void finish(size_t end) {
    const CppTokens statement(tokens_.data() + start_, end - start_);
    const auto assignment = std::find_if(statement.begin(), statement.end(),
                                         [](const CppToken& one) { return one.is("=") || one.is("+="); });
    const auto place = static_cast<size_t>(assignment - statement.begin());
    if (place == 0 || place + 1 >= statement.size() || statement[place - 1].kind != CppKind::word) return;
    const CppToken name = statement[place - 1];
    const std::vector<CppToken> value(assignment + 1, statement.end());
    if (define_pointer(statement, place, name, value)) {
      tokens_.resize(start_);
    } else if (assignment->is("=")) {
      define_variable(statement.first(place - 1), name, value);
    }
  }

  // const float* row = x + r * cols;   row = &x[r * cols];   x += r * cols;
  bool define_pointer(CppTokens statement, size_t place, const CppToken& name, const std::vector<CppToken>& value) {
    if (statement[place].is("+=")) {
      if (place != 1 || !buffers_.contains(name.text)) return false;
      return point(name, std::string(name.text), value);
    }
    const size_t skip = value[0].is("&") ? 1 : 0;
    if (value.size() < skip + 3 || place < 2) return false;
    const auto base = pointers_.find(value[skip].text);
    const bool buffer = buffers_.contains(value[skip].text);
    if (!buffer && base == pointers_.end()) return false;
    const bool element = skip == 1 && value[2].is("[") && value.back().is("]");
    if (!element && (skip == 1 || !value[1].is("+"))) return false;
    std::vector<CppToken> offset(value.begin() + static_cast<std::ptrdiff_t>(skip) + 2,
                                 value.end() - (element ? 1 : 0));
    return point(name, std::string(buffer ? value[skip].text : base->second.buffer), std::move(offset));
  }

  bool point(const CppToken& name, std::string buffer, std::vector<CppToken> offset) {
    if (const auto known = pointers_.find(buffer); known != pointers_.end()) {
      offset.insert(offset.begin(), word("+", name.at));
      offset.insert(offset.begin(), known->second.offset.begin(), known->second.offset.end());
    }
    if (offset.size() > k_longest_sum) return false;
    pointers_[std::string(name.text)] = {std::move(buffer), std::move(offset)};
    return true;
  }

  bool in_loop_head(CppTokens before) const {
    return std::any_of(before.begin(), before.end(), [](const CppToken& one) { return one.is("for"); });
  }

  void define_variable(CppTokens before, const CppToken& name, const std::vector<CppToken>& value) {
    const bool plain = std::all_of(before.begin(), before.end(), [](const CppToken& one) {
      return one.kind == CppKind::word || one.is("(") || one.is("::");
    });
    if (!plain) return;
    const bool loop = in_loop_head(before);
    if (value.size() == 1 && is_place(value[0])) {
      // What starts at a thread and goes on from there runs by its own bound, and two of them by two.
      if (is_index(value[0], "thread") && (loop || changed_.contains(name.text))) return;
      return remember(name, value);
    }
    if (loop || !is_sum(value) || changed_.contains(name.text)) return;
    if (compared_.contains(name.text)) return remember(name, {word(fmt::format("tile.{}", ++tiles_), name.at)});
    remember(name, value);
  }

  void remember(const CppToken& name, const std::vector<CppToken>& value) {
    if (value.size() == 1) out_.names.emplace(value[0].text, name.text);
    variables_[std::string(name.text)] = value;
  }

  static bool is_sum(const std::vector<CppToken>& value) {
    const bool words = std::all_of(value.begin(), value.end(), [](const CppToken& one) {
      return one.kind == CppKind::word || one.kind == CppKind::number || one.is("+") || one.is("*") || one.is("(") ||
             one.is(")");
    });
    bool call = false;
    for (size_t i = 1; i < value.size(); ++i) call = call || (value[i].is("(") && value[i - 1].kind == CppKind::word);
    return words && !call && value.size() > 1 && value.size() <= k_longest_sum;
  }

  // Which names change after their definition, and which are held to a bound, so that the bound is their extent.
  void note(const CppToken& one, const CppToken& after) {
    const auto steps = [](const CppToken& token) { return token.is("++") || token.is("--"); };
    if (steps(after) || after.is("+=") || after.is("-=")) changed_.insert(one.text);
    if (steps(one)) changed_.insert(after.text);
    if (after.is("<") || after.is(">=")) compared_.insert(one.text);
  }

  struct Pointer {
    std::string buffer;
    std::vector<CppToken> offset;
  };
  static constexpr size_t k_longest_sum = 32;  // tokens; keeps what variables expand to small

  CppTokens in_;
  const Constants& constants_;
  FoldedBody& out_;
  size_t at_ = 0;
  std::vector<CppToken> tokens_;
  size_t start_ = 0;
  int tiles_ = 0;
  std::set<std::string, std::less<>> buffers_;     // pointers of the kernel
  std::set<std::string, std::less<>> parameters_;  // and the others
  std::set<std::string_view> changed_;
  std::set<std::string_view> compared_;
  std::map<std::string, std::vector<CppToken>, std::less<>> variables_;
  std::map<std::string, Pointer, std::less<>> pointers_;
};

}  // namespace

FoldedBody fold_body(const CppFunction& kernel, const Constants& constants) {
  FoldedBody out;
  out.function = kernel;
  out.words = std::make_shared<std::deque<std::string>>();
  Folder(kernel, constants, out).run();
  return out;
}

}  // namespace hone::task
