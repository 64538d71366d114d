// Section: one table of a contract file, read key by key. Each get() leaves its target alone when the key is absent or
// wrong, and reports what is wrong; an answer "?" becomes an open question. finish() reports the keys that nobody asked
// for. Borrows the table and the report; both must outlive it. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/enums.h"
#include "task/expression.h"
#include "task/report.h"
#include "task/toml.h"

namespace hone::task {

enum class Presence { optional, required };

// The names an expression may use.
using Names = std::set<std::string>;

class Section {
 public:
  // `owner` is how messages call it: "[kernel]", "argument 'x'".
  Section(const TomlNode& table, std::string owner, Report& report);

  // The value of a key, or nothing when it is absent or the open question.
  // The question is asked once, however often the key is looked at.
  const TomlNode* find(std::string_view key, Presence presence = Presence::optional);
  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  Position at(std::string_view key) const;  // of the value, else of the table

  bool get(std::string_view key, std::string& out, Presence presence = Presence::optional);
  bool get(std::string_view key, bool& out);
  bool get(std::string_view key, int64_t& out, int64_t low, int64_t high);
  bool get(std::string_view key, double& out, double low, double high);  // integers widen; finite
  bool get(std::string_view key, std::vector<std::string>& out, Presence presence = Presence::optional);
  bool get(std::string_view key, std::optional<Expression>& out, const Names& names,
           Presence presence = Presence::optional);
  bool get(std::string_view key, std::vector<Expression>& out, const Names& names,
           Presence presence = Presence::optional);

  template <NamedEnum E>
  bool get(std::string_view key, E& out, Presence presence = Presence::optional) {
    const TomlNode* node = find(key, presence);
    return node && get_named(key, *node, out);
  }
  template <NamedEnum E>
  bool get(std::string_view key, std::optional<E>& out) {
    E value{};
    if (get(key, value)) out = value;
    return out.has_value();
  }
  // A list of names, or one alone.
  template <NamedEnum E>
  bool get(std::string_view key, std::vector<E>& out, Presence presence = Presence::optional) {
    const TomlNode* node = find(key, presence);
    if (!node || !expect(key, *node, TomlKind::array)) return false;
    for (const TomlNode& item : node->items) {
      E value{};
      if (!asks(key, item) && get_named(key, item, value)) out.push_back(value);
    }
    return true;
  }

  void error(std::string_view key, std::string what, std::string why = {}, std::string help = {});
  // Key `key` is in this table although it means nothing here.
  void refuse(std::string_view key, std::string why);
  void finish();

  bool asks(std::string_view key, const TomlNode& value);  // records the question when the value is "?"
  bool expect(std::string_view key, const TomlNode& value, TomlKind kind);
  std::optional<Expression> expression(std::string_view key, const TomlNode& value, const Names& names);

  const std::string& owner() const { return owner_; }
  Report& report() { return report_; }

 private:
  template <NamedEnum E>
  bool get_named(std::string_view key, const TomlNode& node, E& out) {
    if (!expect(key, node, TomlKind::string)) return false;
    if (const auto value = value_of<E>(node.text)) {
      out = *value;
      return true;
    }
    std::vector<std::string> known;
    for (const auto& row : EnumNames<E>::table) known.emplace_back(row.name);
    unknown_name(key, node, known);
    return false;
  }
  void unknown_name(std::string_view key, const TomlNode& node, const std::vector<std::string>& known);
  void wrong_kind(std::string_view key, const TomlNode& value, std::string_view expected, std::string help);
  void out_of_range(std::string_view key, std::string found, std::string expected);

  const TomlNode& table_;
  std::string owner_;
  Report& report_;
  std::set<std::string, std::less<>> known_;
};

bool is_identifier(std::string_view text);  // [A-Za-z_][A-Za-z0-9_]*, at most 128 bytes
// An identifier that no expression uses for something else ("min", "and", "true").
bool is_free_name(std::string_view text);

}  // namespace hone::task
