// A command: one file, one row in commands.cc. Its help text is the manual: `hone COMMAND --help`, docs/commands.md and
// the man page are made from these tables. Options are rows, parsed by parser.h; a command sees names and texts and
// turns them into requests.
//
// A command prints its answer on standard output (one JSON document with --json and nothing else), diagnostics and
// progress on standard error, and returns its exit status; an Error becomes text or hone.error/1 and the exit status of
// its code.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/disk.h"
#include "base/process.h"
#include "base/result.h"

namespace hone::cli {

// "40s", "1.5ms"; nothing for anything else.
std::optional<double> seconds_of(std::string_view text);

struct OptionRow {
  std::string_view name;      // "--time"
  std::string_view value;     // "DURATION"; empty for a flag
  std::string_view fallback;  // shown as the default; empty when there is none
  std::string_view help;
  std::string_view origin = {};  // why this default; every default has one (docs/commands.md, Defaults)
};

struct ArgumentRow {
  std::string_view name;  // "TASK", "CANDIDATE"
  bool required = false;
  bool repeated = false;  // the last argument may take all that is left
  std::string_view help;
};

// What was typed: options by name without dashes, positional arguments by name.
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  std::optional<std::string> text(std::string_view name) const;
  std::string text_or(std::string_view name, std::string_view fallback) const;
  std::vector<std::string> all(std::string_view name) const;
  Result<std::optional<uint64_t>> count(std::string_view name) const;
  Result<std::optional<Nanoseconds>> duration(std::string_view name) const;  // "40s", "5m", "1h", "300ms"
  void add(const std::string& name, std::string value) { values_[name].push_back(std::move(value)); }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

enum class Output { text, json };

// What every command gets: its arguments and the world.
struct Context {
  Arguments arguments;
  Output output = Output::text;
  std::string command_line;  // for the log: "hone run softmax --time 40s"
  Disk* disk = nullptr;
  Clock* clock = nullptr;
  Processes* processes = nullptr;
  std::function<bool()> cancelled = [] { return false; };

  bool json() const { return output == Output::json; }
};

using Run = Result<int> (*)(Context& context);

struct Command {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view details;  // paragraphs below the options in the help
  std::span<const ArgumentRow> arguments;
  std::span<const OptionRow> options;
  Run run = nullptr;
};

// Standard output and standard error; a broken pipe ends quietly.
void print(std::string_view text);
void print_error(std::string_view text);
// One JSON document, pretty, with a newline at the end.
void print_json(std::string_view compact);

}  // namespace hone::cli
