// How many things a contract may declare, and which of its names the kernel's own language has another use for.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/text.h"
#include "task/cpp_words.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

struct CountLimit {
  std::string_view section;  // of the file
  std::string_view key;      // inside of it; empty: the section itself
  size_t most;
  std::string_view noun;
};

// Far above any honest contract; they keep the reading of a file of 1 MiB well below a second.
constexpr CountLimit k_count_limits[] = {
    {"axes", "", 1000, "axes"},
    {"args", "", 256, "arguments"},
    {"cases", "", 1000, "cases"},
    {"launch", "", 256, "launches"},
    {"baselines", "", 64, "baselines"},
    {"tune", "parameters", 256, "parameters"},
    {"tune", "constraints", 1000, "constraints"},
};

void check_count(const TomlNode& node, size_t most, std::string_view noun, Report& report) {
  const size_t count = std::max(node.items.size(), node.entries.size());
  if (count <= most || node.kind == TomlKind::string) return;
  report.error(node.at, fmt::format("the contract has {} {}, the limit is {}", count, noun, most),
               "reading it and binding its cases would take long, and nobody writes so many by hand",
               fmt::format("leave at most {}", most));
}

void check_value_counts(const TomlNode& parameters, Report& report) {
  for (const TomlEntry& entry : parameters.entries) {
    if (const TomlNode* values = entry.value.find("values"))
      check_count(*values, k_most_values, fmt::format("values of parameter '{}'", quote_untrusted(entry.key, 64)),
                  report);
  }
}

bool is_c_family(Language language) { return language != Language::python; }

void check_parameter_name(Reading& reading, const Parameter& parameter, Position at) {
  const Kernel& kernel = reading.task.kernel;
  const bool used_in_kernel = parameter.name == kernel.entry ||
                              (kernel.prepare && parameter.name == kernel.prepare->entry) ||
                              reading.task.find_argument(parameter.name);
  if (!used_in_kernel && !breaks_as_macro(parameter.name)) return;
  reading.report.error(
      at,
      fmt::format("parameter '{}' is named like {}", parameter.name,
                  used_in_kernel ? "the kernel or one of its arguments" : "a word that C++ has another use for"),
      "its value is handed over as a macro of that name, which would replace the word wherever it stands",
      "rename it, for example in capitals: BLOCK_ROWS");
}

void check_argument_names(Reading& reading) {
  for (size_t i = 0; i < reading.task.arguments.size(); ++i) {
    const std::string& name = reading.task.arguments[i].name;
    if (is_cpp_keyword(name))
      reading.report.error(reading.argument_at[i], fmt::format("argument '{}' is named like a keyword of C++", name),
                           "no parameter of the kernel can have that name", "give the name that the kernel gives it");
  }
}

// One key of `bind` would stand for both.
void check_scalar_names(Reading& reading) {
  for (size_t i = 0; i < reading.task.arguments.size(); ++i) {
    const Argument& argument = reading.task.arguments[i];
    const Axis* axis = reading.task.find_axis(argument.name);
    if (argument.role != Role::scalar || argument.value || !axis || axis->kind != AxisKind::by_case) continue;
    reading.report.error(reading.argument_at[i],
                         fmt::format("the scalar '{}' has the name of an axis that the cases bind", argument.name),
                         "one binding would stand for both",
                         fmt::format("rename one of them, or give the scalar value = \"{}\"", argument.name));
  }
}

}  // namespace

bool check_counts(const TomlNode& document, Report& report) {
  for (const CountLimit& limit : k_count_limits) {
    const TomlNode* node = document.find(limit.section);
    if (node && !limit.key.empty()) node = node->find(limit.key);
    if (!node) continue;
    if (limit.section == "launch" && node->kind == TomlKind::table) continue;  // one launch with its keys
    check_count(*node, limit.most, limit.noun, report);
    if (limit.key == "parameters") check_value_counts(*node, report);
  }
  return report.clean();
}

void check_names(Reading& reading) {
  check_scalar_names(reading);
  if (!is_c_family(reading.task.kernel.language)) return;
  check_argument_names(reading);
  if (reading.task.delivery != Delivery::macro) return;
  for (size_t i = 0; i < reading.task.parameters.size(); ++i)
    check_parameter_name(reading, reading.task.parameters[i], reading.parameter_at[i]);
}

}  // namespace hone::task
