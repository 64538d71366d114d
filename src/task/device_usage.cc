#include "task/device_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/text.h"

namespace hone::task {

namespace {

constexpr std::string_view k_dimensions = "xyz";
constexpr std::string_view k_open = "?";
// Blocks that suit most devices: 256 threads, spread over as many dimensions as the kernel uses.
constexpr std::array<std::array<int, 3>, 4> k_usual_blocks{{{1, 1, 1}, {256, 1, 1}, {16, 16, 1}, {8, 8, 4}}};

bool is_extent_token(const CppToken& token) {
  return (token.kind == CppKind::word && token.text.find('.') == std::string_view::npos) ||
         token.kind == CppKind::number;
}

bool ends_condition(const CppToken& token) {
  return token.is(")") || token.is("&&") || token.is("||") || token.is(";") || token.is("?");
}

// "n" or "m * n" from token i, up to what ends a condition.
std::optional<std::string> extent_at(CppTokens body, size_t i) {
  std::string text;
  for (; i + 1 < body.size() && is_extent_token(body[i]); i += 2) {
    text += body[i].text;
    if (ends_condition(body[i + 1])) return text;
    if (!body[i + 1].is("*")) return std::nullopt;
    text += " * ";
  }
  return std::nullopt;
}

bool is_index_word(const CppToken& token) {
  return token.text.find('.') != std::string_view::npos && token.kind == CppKind::word;
}

// global.x < n - 1: the index is held to something that is no size, but n threads are enough.
void read_inner_guard(CppTokens body, size_t i, Bounds& bounds, Bounds& covers) {
  if (body[i].text.find("global.") != 0) return;
  bounds[std::string(body[i].text)].clear();
  const bool less = i + 5 < body.size() && is_extent_token(body[i + 2]) && body[i + 3].is("-") &&
                    body[i + 4].kind == CppKind::number && ends_condition(body[i + 5]);
  if (less) add_bound(body[i].text, body[i + 2].text, covers);
}

// if (global.x < n), if (global.y >= m) return, n > global.x
void read_guards(CppTokens body, Bounds& bounds, Bounds& covers) {
  for (size_t i = 1; i + 2 < body.size(); ++i) {
    const bool below = body[i + 1].is("<") || body[i + 1].is(">=");
    if (is_index_word(body[i]) && below && !body[i - 1].is("+") && !body[i - 1].is("*")) {
      if (const auto extent = extent_at(body, i + 2)) {
        add_bound(body[i].text, *extent, bounds);
      } else {
        read_inner_guard(body, i, bounds, covers);
      }
    }
    const bool above = body[i + 1].is(">") || body[i + 1].is("<=");
    if (is_extent_token(body[i]) && above && is_index_word(body[i + 2]) && i + 3 < body.size() &&
        ends_condition(body[i + 3]))
      add_bound(body[i + 2].text, body[i].text, bounds);
  }
}

// for (int c = thread.x; c < cols; …): a loop that the threads share.
void read_shared_loops(CppTokens body, Bounds& bounds) {
  for (size_t i = 1; i + 5 < body.size(); ++i) {
    const bool loop = body[i].is("=") && is_index_word(body[i + 1]) && body[i + 2].is(";") &&
                      body[i + 3].is(body[i - 1].text) && body[i + 4].is("<");
    if (!loop) continue;
    if (const auto extent = extent_at(body, i + 5)) add_bound(body[i - 1].text, *extent, bounds);
  }
}

bool uses(CppTokens body, std::string_view word) {
  return std::any_of(body.begin(), body.end(), [word](const CppToken& token) { return token.is(word); });
}

// BLOCK, TILE_M; not what headers define in capitals.
bool is_in_capitals(std::string_view word) {
  const bool capitals = word.size() > 1 && word[0] >= 'A' && word[0] <= 'Z' &&
                        word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  static constexpr auto known = std::to_array<std::string_view>({"INFINITY", "NAN", "NULL", "HUGE_VAL", "HUGE_VALF"});
  static constexpr auto starts =
      std::to_array<std::string_view>({"M_", "CLK_", "CUDART_", "FLT_", "DBL_", "HALF_", "CL_"});
  const bool of_a_header =
      word.ends_with("_MAX") || word.ends_with("_MIN") || std::find(known.begin(), known.end(), word) != known.end() ||
      std::any_of(starts.begin(), starts.end(), [word](std::string_view start) { return word.starts_with(start); });
  return capitals && !of_a_header;
}

bool is_whole(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// The arguments of an attribute such as __launch_bounds__(256, 2) or reqd_work_group_size(16, 16, 1), as numbers.
std::vector<std::string> attribute(const DeviceKernel& kernel, std::string_view name, const Constants& constants) {
  const CppTokens tokens(kernel.attributes);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || !tokens[i + 1].is("(")) continue;
    std::vector<std::string> out;
    const size_t end = closing(tokens, i + 1);
    for (size_t at = i + 2; at < end; ++at) {
      if (tokens[at].is(",")) continue;
      const auto known = constants.find(tokens[at].text);
      out.push_back(known == constants.end() ? std::string(tokens[at].text) : known->second);
    }
    const bool plain = std::all_of(out.begin(), out.end(), is_whole);
    return plain ? out : std::vector<std::string>{};
  }
  return {};
}

class Guess {
 public:
  Guess(const DeviceKernel& kernel, const FoldedBody& folded, const NamedWords& names)
      : kernel_(kernel), folded_(folded), names_(names), body_(folded.function.body) {}

  LaunchGuess make() {
    out_.bounds = loop_bounds(body_);
    read_shared_loops(body_, out_.bounds);
    read_guards(body_, out_.bounds, covers_);
    guess_tunables();
    guess_block();
    for (const char d : k_dimensions) guess_extent(d);
    guess_grid();
    guess_shared();
    return std::move(out_);
  }

 private:
  bool has(std::string_view kind, char d) const { return uses(body_, index_word(kind, d)); }
  bool spreads_threads(char d) const { return has("thread", d) || has("global", d); }
  bool spreads_blocks(char d) const { return has("block", d) || has("global", d); }
  // A block index that is multiplied by anything but a size is part of a sum that nobody folded.
  bool is_part(char d) const {
    const std::string block = index_word("block", d);
    for (size_t i = 1; i + 2 < body_.size(); ++i) {
      if (!body_[i].is(block)) continue;
      if (body_[i + 1].is("*") && !is_parameter(body_[i + 2].text)) return true;
      if (body_[i - 1].is("*") && i > 1 && !is_parameter(body_[i - 2].text)) return true;
    }
    return false;
  }
  std::string bound_of(const std::string& word) const {
    const auto found = out_.bounds.find(word);
    return found == out_.bounds.end() ? std::string() : found->second;
  }

  // What the threads have to cover: more than the bound where it is a size less a number.
  std::string cover_of(const std::string& word) const {
    const auto found = covers_.find(word);
    return found == covers_.end() ? bound_of(word) : found->second;
  }

  // ---- block

  void guess_block() {
    out_.block = attribute(kernel_, "reqd_work_group_size", names_.constants);
    if (out_.block.size() == 3) {
      out_.block_why = "as the kernel requires";
      return;
    }
    size_t dimensions = 0;
    for (size_t i = 0; i < k_dimensions.size(); ++i)
      if (spreads_threads(k_dimensions[i])) dimensions = i + 1;
    out_.block.clear();
    for (size_t i = 0; i < 3; ++i) out_.block.push_back(std::to_string(k_usual_blocks[dimensions][i]));
    out_.block_why = dimensions == 0 ? "guessed: the kernel tells its threads not apart" : "guessed: 256 threads";
    if (dimensions == 1) bound_block();
    for (const auto& [d, width] : folded_.widths) set_width(k_dimensions.find(d[0]), width);
    if (folded_.widths.empty() && dimensions == 1) shared_block();
    if (folded_.widths.empty() && dimensions > 0 && !out_.tunables.empty()) open_block(dimensions);
  }

  void bound_block() {
    const auto bounds = attribute(kernel_, "__launch_bounds__", names_.constants);
    if (bounds.empty()) return;
    out_.block[0] = bounds[0];
    out_.block_why = "guessed: as many threads as __launch_bounds__ allows";
  }

  // One of the words may be its width, and nothing says which.
  void open_block(size_t dimensions) {
    for (size_t i = 0; i < dimensions; ++i) out_.block[i] = k_open;
    out_.block_why = "does the kernel expect one of its tunables here? " + join(out_.tunables, ", ");
  }

  bool is_tunable(const std::string& word) const {
    return std::find(out_.tunables.begin(), out_.tunables.end(), word) != out_.tunables.end();
  }

  void guess_tunables() {
    std::set<std::string> found;
    const auto& body = kernel_.function.body;
    for (size_t i = 0; i + 1 < body.size(); ++i) {
      const std::string word(body[i].text);
      if (body[i].kind == CppKind::word && is_in_capitals(word) && !body[i + 1].is("(") &&
          !names_.defined.contains(word) && !is_parameter(word))
        found.insert(word);
    }
    out_.tunables.assign(found.begin(), found.end());
  }

  void set_width(size_t i, const std::string& width) {
    const bool known = is_whole(width) || is_tunable(width);
    out_.block[i] = known ? width : std::string(k_open);
    out_.block_why = known ? "guessed: what its indices multiply blocks by"
                           : fmt::format("its indices multiply blocks by {}", width);
  }

  // __shared__ float part[128]; part[thread.x]: one element for each thread.
  void shared_block() {
    for (size_t i = 0; i + 4 < body_.size(); ++i) {
      if (!body_[i].is("__shared__") && !body_[i].is("__local") && !body_[i].is("local")) continue;
      if (!body_[i + 3].is("[") || !body_[i + 5 < body_.size() ? i + 5 : i].is("]")) continue;
      if (!is_whole(std::string(body_[i + 4].text)) || !indexed_by_thread(body_[i + 2].text, true)) continue;
      out_.block[0] = std::string(body_[i + 4].text);
      out_.block_why = fmt::format("guessed: {} has an element for each thread", body_[i + 2].text);
    }
  }

 public:
  // Whether each index of an array begins with thread.x (or is a number); `alone`: one of them is nothing else.
  bool indexed_by_thread(std::string_view array, bool alone) const {
    bool found = false, others = false;
    for (size_t i = 1; i + 3 < body_.size(); ++i) {
      if (!body_[i].is(array) || !body_[i + 1].is("[") || body_[i + 2].is("]")) continue;
      if (body_[i - 1].kind == CppKind::word) continue;  // its declaration
      const bool thread = body_[i + 2].is("thread.x");
      found = found || (thread && body_[i + 3].is("]"));
      others = others || (!thread && body_[i + 2].kind != CppKind::number);
    }
    return found && (alone || !others);
  }

 private:
  // ---- extents

  void guess_extent(char d) {
    const std::string block = index_word("block", d), global = index_word("global", d);
    if (has("block", d) && !out_.bounds.contains(block) && !is_part(d)) out_.bounds[block] = blocks(block);
    if (has("global", d) && !out_.bounds.contains(global)) out_.bounds[global] = threads(d);
  }

  bool is_parameter(std::string_view name) const {
    return std::any_of(kernel_.function.parameters.begin(), kernel_.function.parameters.end(),
                       [name](const CppParameter& one) { return one.name == name; });
  }

  std::vector<std::string> unused_sizes() const {
    std::vector<std::string> out;
    for (const CppParameter& one : kernel_.function.parameters) {
      const bool size = !one.pointer && one.dtype && !is_floating(*one.dtype);
      if (size && !uses(kernel_.function.body, one.name)) out.push_back(one.name);
    }
    return out;
  }

  // A block for each of something: a size that has no other use, or one that the kernel is not told.
  std::string blocks(const std::string& word) {
    const auto name = folded_.names.find(word);
    const std::string plural = name == folded_.names.end() ? "blocks" : name->second + "s";
    if (is_parameter(plural)) return plural;
    if (const auto unused = unused_sizes(); unused.size() == 1) return unused.front();
    return add_axis(plural, 1);
  }

  // Nothing holds the index to a bound: every thread has work, so there are whole blocks of them.
  std::string threads(char d) {
    static constexpr std::array<std::string_view, 3> names{"n", "rows", "layers"};
    const bool flat = !has("global", 'y') && !has("global", 'z');
    const std::string name = flat ? "n" : d == 'x' ? "cols" : std::string(names[k_dimensions.find(d)]);
    if (is_parameter(name)) return name;  // a size that the kernel uses for something else, such as rows apart
    if (const auto unused = unused_sizes(); unused.size() == 1 && flat) return unused.front();
    return add_axis(name, threads_of(k_dimensions.find(d)));
  }

  int64_t threads_of(size_t i) const {
    const std::string& text = out_.block[i];
    int64_t threads = 1;
    std::from_chars(text.data(), text.data() + text.size(), threads);
    return std::max<int64_t>(1, threads);
  }

  std::string add_axis(std::string name, int64_t multiple_of) {
    const auto taken = [this](const std::string& one) {
      return is_parameter(one) || std::any_of(out_.axes.begin(), out_.axes.end(),
                                              [&one](const LaunchAxis& axis) { return axis.name == one; });
    };
    while (taken(name)) name += "_";
    out_.axes.push_back({name, multiple_of});
    return name;
  }

  // ---- grid

  std::string grid_of(size_t i) {
    const char d = k_dimensions[i];
    if (!spreads_blocks(d)) return "1";
    if (has("global", d)) {
      const std::string extent = cover_of(index_word("global", d));
      if (extent.empty() || out_.block[i] == k_open) return std::string(k_open);
      why_.insert("covers every thread that has work");
      return out_.block[i] == "1" ? extent : fmt::format("ceildiv({}, {})", extent, out_.block[i]);
    }
    const std::string extent = bound_of(index_word("block", d));
    if (extent.empty()) return std::string(k_open);
    why_.insert("a block for each");
    return extent;
  }

  void guess_grid() {
    for (size_t i = 0; i < 3; ++i) out_.grid.push_back(grid_of(i));
    const bool open = std::find(out_.grid.begin(), out_.grid.end(), k_open) != out_.grid.end();
    if (why_.empty()) why_.insert("one block");
    out_.grid_why = open ? "how many it takes is not to be seen from the indices"
                         : "guessed: " + join(std::vector<std::string>(why_.begin(), why_.end()), ", ");
  }

  // ---- extern __shared__ float part[];

  void guess_shared() {
    for (size_t i = 0; i + 5 < body_.size(); ++i) {
      if (!body_[i].is("extern") || !body_[i + 1].is("__shared__")) continue;
      size_t open = i + 2;
      while (open < body_.size() && !body_[open].is("[") && !body_[open].is(";")) ++open;
      out_.dynamic_shared_bytes = std::string(k_open);
      if (open < body_.size() && body_[open].is("[") && open == i + 4)
        out_.dynamic_shared_bytes = bytes_of(body_[open - 1].text, std::string(body_[open - 2].text));
      return;
    }
  }

 public:
  std::string bytes_of(std::string_view array, const std::string& type) const {
    static constexpr std::pair<std::string_view, int> sizes[] = {
        {"float", 4}, {"double", 8}, {"int", 4}, {"unsigned", 4}, {"half", 2}, {"__half", 2}, {"uint", 4}};
    const auto size =
        std::find_if(std::begin(sizes), std::end(sizes), [&type](const auto& one) { return one.first == type; });
    if (size == std::end(sizes)) return std::string(k_open);
    return bytes_for_threads(array, static_cast<size_t>(size->second));
  }
  std::string bytes_for_threads(std::string_view array, size_t element_bytes) const {
    const bool flat = out_.block.size() == 3 && is_whole(out_.block[0]) && out_.block[1] == "1" && out_.block[2] == "1";
    if (!flat || !indexed_by_thread(array, false)) return std::string(k_open);
    return fmt::format("{} * {}", element_bytes, out_.block[0]);
  }
  void take(const LaunchGuess& launch) { out_.block = launch.block; }

 private:
  const DeviceKernel& kernel_;
  const FoldedBody& folded_;
  const NamedWords& names_;
  CppTokens body_;
  LaunchGuess out_;
  Bounds covers_;
  std::set<std::string> why_;
};

}  // namespace

LaunchGuess guess_launch(const DeviceKernel& kernel, const FoldedBody& folded, const NamedWords& names) {
  return Guess(kernel, folded, names).make();
}

std::string guess_local_bytes(const FoldedBody& folded, const LaunchGuess& launch, const CppParameter& parameter) {
  if (!parameter.dtype) return std::string(k_open);
  const DeviceKernel none;
  const NamedWords names;
  Guess guess(none, folded, names);
  guess.take(launch);
  return guess.bytes_for_threads(parameter.name, size_bytes(*parameter.dtype));
}

}  // namespace hone::task
