// [axes] and [tune]: the names that every later section may use.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/candidate.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

constexpr int64_t k_largest_axis = int64_t{1} << 48;  // far above any memory; keeps later products in range

bool check_name(Reading& reading, const TomlEntry& entry, std::string_view kind) {
  if (is_free_name(entry.key)) return true;
  reading.report.error(entry.at, fmt::format("'{}' is no usable name for {}", quote_untrusted(entry.key, 64), kind),
                       "expressions refer to it by this name",
                       "letters, digits and '_', not starting with a digit, and no word of the expression language");
  return false;
}

void read_range(Section& section, Axis& axis) {
  int64_t value = 0;
  if (section.get("min", value, 0, k_largest_axis)) axis.minimum = value;
  if (section.get("max", value, 0, k_largest_axis)) axis.maximum = value;
  if (section.get("multiple_of", value, 1, k_largest_axis)) axis.multiple_of = value;
  if (axis.minimum && axis.maximum && *axis.minimum > *axis.maximum) {
    section.error("max", "is below 'min'");
    axis.maximum.reset();
  }
}

void read_axis_table(Reading& reading, const TomlNode& table, Axis& axis) {
  Section section(table, fmt::format("axis '{}'", axis.name), reading.report);
  section.get("kind", axis.kind, Presence::required);
  switch (axis.kind) {
    case AxisKind::fixed:
      section.find("value", Presence::required);
      section.get("value", axis.value, 0, k_largest_axis);
      break;
    case AxisKind::by_case:
      read_range(section, axis);
      break;
    case AxisKind::derived:
      section.get("value", axis.expression, reading.axes, Presence::required);
      break;
  }
  section.finish();
}

Axis read_axis(Reading& reading, Section& section, const TomlEntry& entry) {
  Axis axis;
  axis.name = entry.key;
  if (entry.value.kind == TomlKind::integer) {
    axis.kind = AxisKind::fixed;
    section.get(entry.key, axis.value, 0, k_largest_axis);
  } else if (section.find(entry.key) && section.expect(entry.key, entry.value, TomlKind::table)) {
    read_axis_table(reading, entry.value, axis);
  }
  return axis;
}

bool is_ready(const Axis& axis, const Names& ready) {
  if (!axis.expression) return true;
  const auto names = axis.expression->names();
  return std::all_of(names.begin(), names.end(), [&ready](const std::string& name) { return ready.contains(name); });
}

// Moves derived axes behind those they use; what cannot be ordered depends on itself.
void order_axes(Reading& reading, const Section& section) {
  std::vector<Axis> waiting = std::move(reading.task.axes);
  std::vector<Axis> ordered;
  Names ready;
  while (!waiting.empty()) {
    const auto next =
        std::find_if(waiting.begin(), waiting.end(), [&ready](const Axis& axis) { return is_ready(axis, ready); });
    if (next == waiting.end()) {
      reading.report.error(section.at(waiting.front().name),
                           fmt::format("axis '{}' depends on itself", waiting.front().name));
      break;
    }
    ready.insert(next->name);
    ordered.push_back(*next);
    waiting.erase(next);
  }
  reading.task.axes = std::move(ordered);
}

// The text of one value of a tunable, as it is handed to a compiler.
std::optional<std::string> value_text(const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::string:
      return node.text;
    case TomlKind::integer:
      return std::to_string(node.integer);
    case TomlKind::number:
      return fmt::format("{}", node.number);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> checked_value(Section& section, std::string_view key, const TomlNode& node) {
  const auto text = value_text(node);
  if (text && is_tunable_value(*text)) return text;
  section.report().error(node.at, fmt::format("'{}' of {} is no usable value", key, section.owner()),
                         "values reach a compiler's command line", "integers, numbers or text of A-Z a-z 0-9 _ . + -");
  return std::nullopt;
}

// values = "range(1, 9)": a list worked out by an expression.
void read_value_expression(Section& section, const TomlNode& node, std::vector<std::string>& out) {
  const auto expression = section.expression("values", node, {});
  if (!expression) return;
  const auto value = expression->evaluate({});
  const auto* list = value ? std::get_if<List>(&value->data) : nullptr;
  if (!list || list->size() > 4096) return section.error("values", "is no list of at most 4096 values");
  for (const Value& one : *list) {
    const auto* whole = std::get_if<int64_t>(&one.data);
    if (!whole) return section.error("values", "must give integers");
    out.push_back(std::to_string(*whole));
  }
}

void read_values(Section& section, std::vector<std::string>& out) {
  const TomlNode* node = section.find("values", Presence::required);
  if (!node) return;
  if (node->kind == TomlKind::string) return read_value_expression(section, *node, out);
  if (!section.expect("values", *node, TomlKind::array)) return;
  for (const TomlNode& item : node->items) {
    const auto text = section.asks("values", item) ? std::nullopt : checked_value(section, "values", item);
    if (!text) continue;
    if (std::find(out.begin(), out.end(), *text) != out.end())
      section.report().error(item.at, fmt::format("{} has the value '{}' twice", section.owner(), *text));
    out.push_back(*text);
  }
  if (node->items.empty()) section.error("values", "is empty");
}

void read_default(Section& section, Parameter& parameter) {
  const TomlNode* node = section.find("default", Presence::required);
  const auto text = node ? checked_value(section, "default", *node) : std::nullopt;
  if (!text) return;
  parameter.default_value = *text;
  const bool listed = std::find(parameter.values.begin(), parameter.values.end(), *text) != parameter.values.end();
  if (!listed && !parameter.values.empty())
    section.error("default", fmt::format("is '{}', which is none of its values", *text), {},
                  "values: " + join(parameter.values, ", "));
}

void read_parameter(Reading& reading, const TomlEntry& entry) {
  Section section(entry.value, fmt::format("parameter '{}'", entry.key), reading.report);
  Parameter parameter;
  parameter.name = entry.key;
  read_values(section, parameter.values);
  read_default(section, parameter);
  int64_t tier = parameter.tier;
  section.get("tier", tier, 1, 5);
  parameter.tier = static_cast<int>(tier);
  section.finish();
  reading.task.parameters.push_back(std::move(parameter));
}

void read_parameters(Reading& reading, Section& tune) {
  const TomlNode* table = tune.find("parameters");
  if (!table || !tune.expect("parameters", *table, TomlKind::table)) return;
  for (const TomlEntry& entry : table->entries) {
    if (!check_name(reading, entry, "a parameter")) continue;
    if (reading.axes.contains(entry.key)) {
      reading.report.error(entry.at, fmt::format("parameter '{}' has the name of an axis", entry.key));
      continue;
    }
    reading.parameters.insert(entry.key);
    if (entry.value.kind == TomlKind::table) {
      read_parameter(reading, entry);
    } else {
      reading.report.error(entry.value.at, fmt::format("parameter '{}' must be a table", entry.key), {},
                           fmt::format("{} = {{ values = [1, 2, 4], default = 1 }}", entry.key));
    }
  }
}

}  // namespace

Names Reading::axes_and_parameters() const {
  Names names = axes;
  names.insert(parameters.begin(), parameters.end());
  return names;
}

void read_axes(Reading& reading) {
  const TomlNode* table = reading.root.find("axes");
  if (!table || !reading.root.expect("axes", *table, TomlKind::table)) return;
  Section section(*table, "[axes]", reading.report);
  for (const TomlEntry& entry : table->entries) {
    if (check_name(reading, entry, "an axis")) reading.axes.insert(entry.key);
  }
  for (const TomlEntry& entry : table->entries) {
    if (reading.axes.contains(entry.key)) reading.task.axes.push_back(read_axis(reading, section, entry));
  }
  order_axes(reading, section);
}

void read_tune(Reading& reading) {
  const TomlNode* table = reading.root.find("tune");
  if (!table || !reading.root.expect("tune", *table, TomlKind::table)) return;
  Section section(*table, "[tune]", reading.report);
  section.get("delivery", reading.task.delivery);
  read_parameters(reading, section);
  section.get("constraints", reading.task.constraints, reading.parameters);
  section.finish();
}

}  // namespace hone::task
