// A TOML document as a plain tree with positions, in the order of the file.
// The parser behind it is a large header and compiles slowly: toml.cc alone includes it, everybody else sees this.
// Failure: contract, with the line and column of the parser's complaint. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::task {

struct Position {
  uint32_t line = 0;  // 1-based, 0 = unknown
  uint32_t column = 0;
};

enum class TomlKind { table, array, string, integer, number, boolean, time };

struct TomlEntry;
struct TomlNode {
  TomlKind kind = TomlKind::table;
  Position at = {};
  std::string text = {};
  int64_t integer = 0;
  double number = 0.0;
  bool boolean = false;
  std::vector<TomlNode> items = {};  // array
  std::vector<TomlEntry> entries;    // table; no initialiser here, the type is still incomplete

  const TomlNode* find(std::string_view key) const;
};

struct TomlEntry {
  std::string key;
  Position at;
  TomlNode value;
};

Result<TomlNode> parse_toml(std::string_view text, const std::string& file_name);
std::string_view line_of(std::string_view text, uint32_t line);  // 1-based, without its newline
std::string quote_toml(std::string_view text);                   // a basic string, escaped
std::string_view describe(TomlKind kind);                        // "an integer"

}  // namespace hone::task
