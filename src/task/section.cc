#include "task/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace hone::task {

namespace {

struct Hint {
  std::string_view key;
  std::string_view answer;
};

// What would answer an open question, by key.
constexpr std::array<Hint, 12> k_hints{{
    {"summary", "one line that says what the kernel computes"},
    {"role", "\"out\" when the kernel only writes it, \"inout\" when it reads it first"},
    {"dtype", "the element type: f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool"},
    {"shape", "a list of expressions over the axes, row-major, for example [\"rows\", \"cols\"]"},
    {"value", "an expression over the axes"},
    {"bytes", "an expression over the axes and tunables"},
    {"grid", "one to three expressions over axes and tunables, counted in blocks"},
    {"block", "one to three expressions over axes and tunables, counted in threads"},
    {"terms", "an expression over the axes: how many products or terms one output element sums up"},
    {"atol", "the largest absolute error that is still right"},
    {"rtol", "the largest error relative to the reference that is still right"},
    {"entry", "the name of the function"},
}};

std::string hint_for(std::string_view key, std::string_view fallback) {
  for (const Hint& hint : k_hints) {
    if (hint.key == key) return std::string(hint.answer);
  }
  return std::string(fallback);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

constexpr size_t k_name_limit_bytes = 128;
constexpr std::string_view k_why_expression = "hone works sizes, bounds and conditions out from expressions";

// What a value of each kind looks like, in the order of TomlKind.
constexpr std::string_view k_forms[] = {"{ key = value }", "[a, b]", "\"text\"", "16", "1.5", "true", "2026-01-02"};

std::string form_of(TomlKind kind) { return std::string(k_forms[static_cast<size_t>(kind)]); }

constexpr double k_any = std::numeric_limits<double>::max();

// "a number from 0 to 1" for people: the ends of what a double can hold are no ends.
std::string range_text(double low, double high) {
  if (high == k_any) {
    if (low == -k_any) return "a finite number";
    if (low == std::numeric_limits<double>::min()) return "a positive number";
    return fmt::format("a number of at least {:g}", low);
  }
  if (low == std::numeric_limits<double>::min()) return fmt::format("a positive number up to {:g}", high);
  return fmt::format("a number from {:g} to {:g}", low, high);
}

std::string range_text(int64_t low, int64_t high) {
  const bool open = high == std::numeric_limits<int64_t>::max();
  return open ? fmt::format("an integer of at least {}", low) : fmt::format("an integer from {} to {}", low, high);
}

// 1-based column of the first whole word `word`; 1 when it is nowhere.
uint32_t column_of_word(std::string_view text, std::string_view word) {
  const auto inside_word = [text](size_t at) {
    return at < text.size() && (is_letter(text[at]) || is_digit(text[at]));
  };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !inside_word(at - 1)) && !inside_word(at + word.size())) return static_cast<uint32_t>(at + 1);
  }
  return 1;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= k_name_limit_bytes && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_free_name(std::string_view text) {
  static constexpr std::array<std::string_view, 12> taken{"and", "or",  "not",     "true",  "false", "min",
                                                          "max", "abs", "ceildiv", "range", "len",   "log2"};
  return is_identifier(text) && std::find(taken.begin(), taken.end(), text) == taken.end();
}

Section::Section(const TomlNode& table, std::string owner, Report& report)
    : table_(table), owner_(std::move(owner)), report_(report) {}

Position Section::at(std::string_view key) const {
  const TomlNode* node = table_.find(key);
  return node ? node->at : table_.at;
}

const TomlNode* Section::find(std::string_view key, Presence presence) {
  known_.emplace(key);
  const TomlNode* node = table_.find(key);
  if (!node && presence == Presence::required)
    report_.error(table_.at, fmt::format("{} has no '{}'", owner_, key), "it has no default: nobody else can know it",
                  "add it: " + hint_for(key, "docs/task.md says what it may be"));
  return node && asks(key, *node) ? nullptr : node;
}

bool Section::asks(std::string_view key, const TomlNode& value) {
  if (value.kind != TomlKind::string || value.text != "?") return false;
  report_.question(value.at, fmt::format("'{}' of {} is not answered", key, owner_),
                   hint_for(key, "replace \"?\" with a value"));
  return true;
}

void Section::error(std::string_view key, std::string what, std::string why, std::string help) {
  report_.error(at(key), fmt::format("'{}' of {} {}", key, owner_, what), std::move(why), std::move(help));
}

void Section::out_of_range(std::string_view key, std::string found, std::string expected) {
  error(key, fmt::format("is {}, expected {}", found, expected), "hone has no use for a value outside of that range",
        "give " + expected);
}

void Section::refuse(std::string_view key, std::string why) {
  known_.emplace(key);
  if (has(key)) error(key, "has no meaning here", std::move(why), "remove it");
}

void Section::wrong_kind(std::string_view key, const TomlNode& value, std::string_view expected, std::string help) {
  report_.error(value.at, fmt::format("'{}' of {} must be {}, found {}", key, owner_, expected, describe(value.kind)),
                "hone converts nothing silently: a number in quotes is text", std::move(help));
}

bool Section::expect(std::string_view key, const TomlNode& value, TomlKind kind) {
  if (value.kind == kind) return true;
  wrong_kind(key, value, describe(kind), fmt::format("write it like {} = {}", key, form_of(kind)));
  return false;
}

void Section::unknown_name(std::string_view key, const TomlNode& node, const std::vector<std::string>& known) {
  report_.error(node.at,
                fmt::format("'{}' of {} is '{}', which is unknown{}", key, owner_, quote_untrusted(node.text, 64),
                            did_you_mean(node.text, known)),
                "a name that hone does not know would silently do nothing", "one of: " + join(known, ", "));
}

bool Section::get(std::string_view key, std::string& out, Presence presence) {
  const TomlNode* node = find(key, presence);
  if (!node || !expect(key, *node, TomlKind::string)) return false;
  out = node->text;
  return true;
}

bool Section::get(std::string_view key, bool& out) {
  const TomlNode* node = find(key);
  if (!node || !expect(key, *node, TomlKind::boolean)) return false;
  out = node->boolean;
  return true;
}

bool Section::get(std::string_view key, int64_t& out, int64_t low, int64_t high) {
  const TomlNode* node = find(key);
  if (!node || !expect(key, *node, TomlKind::integer)) return false;
  if (node->integer < low || node->integer > high) {
    out_of_range(key, fmt::format("{}", node->integer), range_text(low, high));
    return false;
  }
  out = node->integer;
  return true;
}

bool Section::get(std::string_view key, double& out, double low, double high) {
  const TomlNode* node = find(key);
  if (!node) return false;
  if (node->kind != TomlKind::integer && node->kind != TomlKind::number) {
    wrong_kind(key, *node, "a number", fmt::format("write it like {} = 1.5", key));
    return false;
  }
  const double value = node->kind == TomlKind::integer ? static_cast<double>(node->integer) : node->number;
  if (!std::isfinite(value) || value < low || value > high) {
    out_of_range(key, fmt::format("{}", value), range_text(low, high));
    return false;
  }
  out = value;
  return true;
}

bool Section::get(std::string_view key, std::vector<std::string>& out, Presence presence) {
  const TomlNode* node = find(key, presence);
  if (!node || !expect(key, *node, TomlKind::array)) return false;
  for (const TomlNode& item : node->items) {
    if (!asks(key, item) && expect(key, item, TomlKind::string)) out.push_back(item.text);
  }
  return true;
}

std::optional<Expression> Section::expression(std::string_view key, const TomlNode& value, const Names& names) {
  const Standing bare{report_.standing(value.at, 0)};
  if (value.kind == TomlKind::integer) return Expression::constant(value.integer).standing(bare);
  if (value.kind == TomlKind::number && std::isfinite(value.number))
    return Expression::constant(value.number).standing(bare);
  if (value.kind != TomlKind::string) {
    wrong_kind(key, value, "an expression: a number or a string",
               value.kind == TomlKind::number ? "give a finite number" : "write a number, or a text such as \"2 * n\"");
    return std::nullopt;
  }
  auto parsed = Expression::parse(value.text);
  if (!parsed) {
    const Error& fault = parsed.error();
    report_.error(report_.inside(value.at, fault.where.column), fmt::format("'{}' of {}: {}", key, owner_, fault.what),
                  std::string(k_why_expression), fault.help);
    return std::nullopt;
  }
  const std::vector<std::string> known(names.begin(), names.end());
  for (const std::string& name : parsed->names()) {
    if (names.contains(name)) continue;
    report_.error(report_.inside(value.at, column_of_word(value.text, name)),
                  fmt::format("'{}' of {} uses the unknown name '{}'{}", key, owner_, name, did_you_mean(name, known)),
                  "an expression is worked out from the names that the contract declares",
                  known.empty() ? "no name is known here: write numbers alone" : "known here: " + join(known, ", "));
    return std::nullopt;
  }
  return parsed->standing(report_.standing(value.at, value.text.size()));
}

bool Section::get(std::string_view key, std::optional<Expression>& out, const Names& names, Presence presence) {
  const TomlNode* node = find(key, presence);
  if (!node) return false;
  out = expression(key, *node, names);
  return out.has_value();
}

bool Section::get(std::string_view key, std::vector<Expression>& out, const Names& names, Presence presence) {
  const TomlNode* node = find(key, presence);
  if (!node || !expect(key, *node, TomlKind::array)) return false;
  bool complete = true;
  for (const TomlNode& item : node->items) {
    const auto one = asks(key, item) ? std::nullopt : expression(key, item, names);
    if (one) out.push_back(*one);
    complete = complete && one.has_value();
  }
  return complete;
}

void Section::finish() {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const TomlEntry& entry : table_.entries) {
    if (known_.contains(entry.key)) continue;
    report_.error(
        entry.at,
        fmt::format("{} has no key '{}'{}", owner_, quote_untrusted(entry.key, 64), did_you_mean(entry.key, known)),
        "a key that hone does not know would silently do nothing", "known keys: " + join(known, ", "));
  }
}

}  // namespace hone::task
