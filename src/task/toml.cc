#include "task/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
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

bool is_bare_key(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

// The key of the parser's "cannot redefine existing string 'name'"; nothing for other complaints. It garbles keys in
// quotes and leaves out dotted ones: then the text of the line up to its '=' stands for the key.
std::optional<std::string> key_twice(std::string_view complaint, std::string_view line) {
  const size_t at = complaint.find("cannot redefine existing");
  if (at == std::string_view::npos) return std::nullopt;
  const auto words = split(complaint.substr(at), '\'');
  if (words.size() > 1 && is_bare_key(words[1])) return words[1];
  return std::string(trim(line.substr(0, line.find('='))));
}

// Lines of every entry that is reached by `key`, which may be a path of names joined by points.
void collect_lines(const TomlNode& table, const std::string& path, const std::string& key, std::set<uint32_t>& lines) {
  for (const TomlEntry& entry : table.entries) {
    const std::string here = path.empty() ? entry.key : path + "." + entry.key;
    if (here == key || entry.key == key) lines.insert(entry.at.line);
    collect_lines(entry.value, here, key, lines);
  }
  for (const TomlNode& item : table.items) collect_lines(item, path, key, lines);
}

// " (first at line 2)", when the text before `line` leaves no doubt which one that was.
std::string first_one(std::string_view text, uint32_t line, const std::string& key) {
  const std::string_view here = line_of(text, line);
  if (here.data() == nullptr) return "";
  const toml::parse_result before = toml::parse(text.substr(0, static_cast<size_t>(here.data() - text.data())));
  std::set<uint32_t> lines;
  if (before) collect_lines(convert(before.table()), "", key, lines);
  return lines.size() == 1 ? fmt::format(" (first at line {})", *lines.begin()) : "";
}

Error twice(std::string_view text, const std::string& file_name, Position at, const std::string& key) {
  return {ErrorCode::contract,
          fmt::format("the key '{}' stands twice{}", quote_untrusted(key, 64), first_one(text, at.line, key)),
          {file_name, at.line, at.column},
          "nobody could tell which of the two counts",
          "keep one of them; a list of tables is written [[NAME]]"};
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
  if (const auto key = key_twice(parsed.error().description(), line_of(text, at.line)))
    return twice(text, file_name, at, *key);
  return Error{ErrorCode::contract,
               quote_untrusted(parsed.error().description(), 400),
               {file_name, at.line, at.column},
               "the file is not TOML",
               "correct the syntax at that place"};
}

std::string_view line_of(std::string_view text, uint32_t line) {
  for (uint32_t i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
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
