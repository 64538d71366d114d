#include "task/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

// The parser asserts on some malformed texts (a '[[' before a control character) that it then reports as errors all the
// same, and with NDEBUG it lets the compiler assume the opposite. Neither may happen on text from outside.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include "base/text.h"

namespace hone::task {

namespace {

Position position_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

TomlNode convert(const toml::node& node);

void convert_table(const toml::table& table, TomlNode& out) {
  for (const auto& [key, value] : table)
    out.entries.push_back({std::string(key.str()), position_of(key.source()), convert(value)});
  // The parser sorts by name; people think in the order of the file.
  std::stable_sort(out.entries.begin(), out.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
}

// Depth is bounded by the parser's own limit of 256 nested values.
TomlNode convert(const toml::node& node) {
  TomlNode out;
  out.kind = TomlKind::time;
  out.at = position_of(node.source());
  if (const auto* table = node.as_table()) {
    out.kind = TomlKind::table;
    convert_table(*table, out);
  } else if (const auto* array = node.as_array()) {
    out.kind = TomlKind::array;
    for (const toml::node& item : *array) out.items.push_back(convert(item));
  } else if (const auto* text = node.as_string()) {
    out.kind = TomlKind::string;
    out.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.kind = TomlKind::integer;
    out.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    out.kind = TomlKind::number;
    out.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = TomlKind::boolean;
    out.boolean = boolean->get();
  }
  return out;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view key) const {
  for (const TomlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Result<TomlNode> parse_toml(std::string_view text, const std::string& file_name) {
  const toml::parse_result parsed = toml::parse(text);
  if (parsed) return convert(parsed.table());
  const Position at = position_of(parsed.error().source());
  return Error{ErrorCode::contract,
               quote_untrusted(parsed.error().description(), 400),
               {file_name, at.line, at.column},
               "the file is not TOML",
               "correct the syntax at that place"};
}

std::string quote_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string_view describe(TomlKind kind) {
  static constexpr std::string_view names[] = {"a table",  "an array",      "a string",      "an integer",
                                               "a number", "true or false", "a date or time"};
  return names[static_cast<size_t>(kind)];
}

}  // namespace hone::task
