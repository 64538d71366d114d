#include "surface/cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace hone::cli {

namespace {

constexpr OptionRow k_common[] = {
    {"--json", "", "", "print one JSON document on standard output and nothing else there"},
    {"-C", "DIR", "NAME.hone beside the task", "the campaign's folder"},
    {"--help", "", "", "show this text"},
};

std::string plain(std::string_view option) { return std::string(option.substr(option.find_first_not_of('-'))); }

// What a command line may begin with.
std::vector<std::string> first_words(std::span<const Command> commands) {
  std::vector<std::string> names{"--help", "--version"};
  for (const Command& command : commands) names.emplace_back(command.name);
  return names;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const OptionRow& row : command.options) names.emplace_back(row.name);
  for (const OptionRow& row : k_common) names.emplace_back(row.name);
  return names;
}

const OptionRow* find_option(const Command& command, std::string_view name) {
  for (const std::span<const OptionRow> rows : {command.options, std::span<const OptionRow>(k_common)}) {
    for (const OptionRow& row : rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

// What is wrong with the option at words[at]; "" when nothing is. Moves `at` to its value when that is the next word.
std::string option_fault(const Command& command, const std::vector<std::string>& words, size_t& at) {
  const std::string name = words[at].substr(0, words[at].find('='));
  const bool has_value = name.size() < words[at].size();
  const OptionRow* row = find_option(command, name);
  if (row == nullptr) return fmt::format("unknown option '{}'{}", name, did_you_mean(name, option_names(command)));
  if (row->value.empty()) return has_value ? fmt::format("{} takes no value", name) : "";
  if (!has_value && ++at == words.size()) return fmt::format("{} takes a value: {} {}", name, name, row->value);
  if (words[at].empty() || words[at].ends_with('=')) return fmt::format("the value of {} is empty", name);
  return "";
}

// Options are looked at before the library sees them: a mistyped one would otherwise leave its value to be blamed.
Status check_options(const Command& command, const std::vector<std::string>& words) {
  for (size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
    if (!words[at].starts_with("-") || words[at] == "-") continue;
    const std::string fault = option_fault(command, words, at);
    if (!fault.empty())
      return Error{ErrorCode::usage, fault, {}, "", fmt::format("hone {} --help shows what it takes", command.name)};
  }
  return ok();
}

const Command* find(std::span<const Command> commands, std::string_view name) {
  for (const Command& command : commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

// The option library, fed from our rows: values are collected as text.
class Grammar {
 public:
  explicit Grammar(const Command& command) {
    app_.set_help_flag();
    app_.allow_extras(false);
    for (const OptionRow& row : command.options) add(row);
    for (const OptionRow& row : k_common) add(row);
    for (const ArgumentRow& row : command.arguments) add(row);
  }

  Result<Arguments> parse(const Command& command, std::vector<std::string> words) {
    HONE_CHECK(check_options(command, words));
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      return usage_error(command, error);
    }
    Arguments arguments;
    for (const auto& [name, flag] : flags_) {
      if (flag->count() > 0) arguments.add(name, "");
    }
    for (const auto& [name, values] : values_) {
      for (const std::string& value : *values) arguments.add(name, value);
    }
    return arguments;
  }

 private:
  void add(const OptionRow& row) {
    if (row.value.empty()) {
      flags_[plain(row.name)] = app_.add_flag(std::string(row.name))->disable_flag_override();
      return;
    }
    auto& values = values_[plain(row.name)];
    values = std::make_unique<std::vector<std::string>>();
    app_.add_option(std::string(row.name), *values)->expected(1)->take_all()->allow_extra_args(false);
  }
  void add(const ArgumentRow& row) {
    auto& values = values_[std::string(row.name)];
    values = std::make_unique<std::vector<std::string>>();
    if (row.repeated) {
      app_.add_option(std::string(row.name), *values)->required(row.required)->expected(row.required ? 1 : 0, 1 << 16);
      return;
    }
    // One word each: the library would let the first list swallow the words of the next.
    const auto take = [list = values.get()](const std::string& word) { list->push_back(word); };
    app_.add_option_function<std::string>(std::string(row.name), take)->required(row.required)->expected(1);
  }
  static Error usage_error(const Command& command, const CLI::ParseError& error) {
    std::string what = error.what();
    if (const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&error); extras != nullptr)
      what = unknown_word(what);
    return {ErrorCode::usage, what, {}, "", fmt::format("hone {} --help shows what it takes", command.name)};
  }
  // The library names the words that nobody wanted after a colon.
  static std::string unknown_word(const std::string& message) {
    const size_t colon = message.rfind(": ");
    const std::string word = split(colon == std::string::npos ? message : message.substr(colon + 2), ' ').front();
    return fmt::format("'{}' is one argument too many", word);
  }

  CLI::App app_;
  std::map<std::string, CLI::Option*> flags_;
  std::map<std::string, std::unique_ptr<std::vector<std::string>>> values_;
};

std::string usage_line(const Command& command) {
  std::string line = fmt::format("hone {}", command.name);
  for (const ArgumentRow& row : command.arguments) {
    const std::string name = fmt::format("{}{}", row.name, row.repeated ? "..." : "");
    line += row.required ? " " + name : " [" + name + "]";
  }
  return line + (command.options.empty() ? "" : " [options]");
}

std::vector<std::string> option_line(const OptionRow& row) {
  const std::string left = row.value.empty() ? std::string(row.name) : fmt::format("{} {}", row.name, row.value);
  const std::string fallback = row.fallback.empty() ? "" : fmt::format(" (default: {})", row.fallback);
  return {"  " + left, std::string(row.help) + fallback};
}

}  // namespace

std::span<const OptionRow> common_options() { return k_common; }

namespace {

constexpr size_t k_columns = 80;

std::vector<std::string> wrap(const std::string& text, size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

// Two columns, the second one wrapped.
std::string two_columns(const std::vector<std::vector<std::string>>& rows) {
  size_t left = 0;
  for (const auto& row : rows) left = std::max(left, row[0].size());
  std::vector<std::vector<std::string>> lines;
  for (const auto& row : rows) {
    std::string first = row[0];
    for (const std::string& line : wrap(row[1], k_columns - left - 2))
      lines.push_back({std::exchange(first, ""), line});
  }
  return align_table(lines);
}

std::string paragraphs(std::string_view text) {
  std::string out;
  for (const std::string& line : split_lines(text)) out += join(wrap(line, k_columns), "\n") + "\n";
  return out;
}

}  // namespace

std::string overview(std::span<const Command> commands) {
  std::vector<std::vector<std::string>> rows;
  for (const Command& command : commands)
    rows.push_back({"  hone " + std::string(command.name), std::string(command.summary)});
  return "hone makes compute kernels faster and proves it.\n\n" + two_columns(rows) +
         paragraphs(
             "\nhone COMMAND --help tells more; hone --version the version.\n"
             "Exit status: 0 yes or done, 1 the answer is no, 2 wrong usage or contract, 3 the environment lacks "
             "something, 4 inconclusive, 5 internal or I/O fault, 130 interrupted (state saved, resumable).");
}

std::string help_text(const Command& command) {
  const std::string_view stop = command.summary.ends_with('?') ? "" : ".";
  std::string text = fmt::format("usage: {}\n\n", usage_line(command));
  text += paragraphs(fmt::format("{}{}", command.summary, stop));
  std::vector<std::vector<std::string>> rows;
  for (const ArgumentRow& row : command.arguments)
    rows.push_back({"  " + std::string(row.name), std::string(row.help)});
  for (const OptionRow& row : command.options) rows.push_back(option_line(row));
  for (const OptionRow& row : k_common) rows.push_back(option_line(row));
  text += "\n" + two_columns(rows);
  if (!command.details.empty()) text += "\n" + paragraphs(command.details);
  return text;
}

namespace {

constexpr std::string_view k_defaults_begin =
    "\n## Defaults\n\nEvery default of an option and where it comes from. Fields of a contract have theirs in "
    "[task](task.md), the judge's constants\nand their reasons stand in `src/judge/constants.h` and "
    "`src/stats/rule.h`.\n\n"
    "| command | option | default | because |\n|---|---|---|---|\n";

std::string defaults_table(std::span<const Command> commands) {
  std::string text(k_defaults_begin);
  for (const Command& command : commands) {
    for (const OptionRow& row : command.options) {
      if (!row.fallback.empty())
        text += fmt::format("| `{}` | `{}` | {} | {} |\n", command.name, row.name, row.fallback, row.origin);
    }
  }
  return text;
}

}  // namespace

std::string manual(std::span<const Command> commands) {
  std::string text =
      "# Commands\n\nMade from the tables in src/surface/cli by `hone --manual`; a test keeps it so.\n\n```\n" +
      overview(commands) + "```\n";
  for (const Command& command : commands)
    text += fmt::format("\n## hone {}\n\n```\n{}```\n", command.name, help_text(command));
  return text + defaults_table(commands);
}

Result<Parsed> parse(std::span<const Command> commands, const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() > 1) {
      if (const Command* command = find(commands, words[1])) return Parsed{nullptr, {}, help_text(*command)};
    }
    return Parsed{nullptr, {}, overview(commands)};
  }
  if (words[0] == "--version" || words[0] == "-V") return Parsed{nullptr, {}, fmt::format("hone {}\n", HONE_VERSION)};
  if (words[0] == "--manual") return Parsed{nullptr, {}, manual(commands)};
  const Command* command = find(commands, words[0]);
  if (command == nullptr)
    return Error{ErrorCode::usage,
                 fmt::format("unknown command '{}'{}", words[0], did_you_mean(words[0], first_words(commands))),
                 {},
                 "",
                 "hone --help lists the commands"};
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const auto asks = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(rest.begin(), rest.end(), asks)) return Parsed{nullptr, {}, help_text(*command)};
  HONE_TRY(Arguments arguments, Grammar(*command).parse(*command, rest));
  return Parsed{command, std::move(arguments), ""};
}

}  // namespace hone::cli
