// [axes] and [tune]: the names that every later section may use.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"
#include "task/candidate.h"
#include "task/read_launch.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

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
    section.error("max", "is below 'min'", "no case could bind the axis", "exchange the two");
    axis.maximum.reset();
  }
  const int64_t step = axis.multiple_of.value_or(1), low = axis.minimum.value_or(1);
  if (axis.maximum && low <= *axis.maximum && (low + step - 1) / step * step > *axis.maximum) {
    section.error("multiple_of",
                  fmt::format("is {}, and no multiple of it lies from {} to {}", step, low, *axis.maximum),
                  "no case could bind the axis", "raise 'max' or choose a smaller step");
    axis.multiple_of.reset();
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

// Derived axes and what they use, as positions in the list of axes.
struct AxisUse {
  std::vector<std::vector<size_t>> users;  // of each axis
  std::vector<std::vector<size_t>> used;   // by each axis
};

AxisUse use_of(const std::vector<Axis>& axes) {
  std::map<std::string_view, size_t> index;
  for (size_t i = 0; i < axes.size(); ++i) index[axes[i].name] = i;
  AxisUse use{std::vector<std::vector<size_t>>(axes.size()), std::vector<std::vector<size_t>>(axes.size())};
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].expression) continue;
    for (const std::string& name : axes[i].expression->names()) {
      use.users[index.at(name)].push_back(i);
      use.used[i].push_back(index.at(name));
    }
  }
  return use;
}

// The axes in an order in which each stands behind those it uses, else as the file has them; those that use
// themselves are left out. Every axis and every use is looked at once.
std::vector<size_t> order_of(const AxisUse& use) {
  std::vector<size_t> open(use.used.size());  // used axes that are not placed yet
  std::set<size_t> ready;
  for (size_t i = 0; i < open.size(); ++i) {
    open[i] = use.used[i].size();
    if (open[i] == 0) ready.insert(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (const size_t user : use.users[next]) {
      if (--open[user] == 0) ready.insert(user);
    }
  }
  return order;
}

// "p -> q -> p". Each axis that has no place uses another one that has none: following those ends in a circle.
std::vector<size_t> circle_in(const AxisUse& use, const std::vector<size_t>& order) {
  const std::set<size_t> placed(order.begin(), order.end());
  size_t at = 0;
  while (placed.contains(at)) ++at;
  std::vector<size_t> path;
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    at = *std::find_if(use.used[at].begin(), use.used[at].end(), [&](size_t one) { return !placed.contains(one); });
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  path.push_back(at);
  return path;
}

std::string shown_circle(const std::vector<Axis>& axes, const std::vector<size_t>& circle) {
  constexpr size_t k_most_shown = 12;
  std::vector<std::string> names;
  for (const size_t i : circle) names.push_back(axes[i].name);
  if (names.size() > k_most_shown) names.erase(names.begin() + k_most_shown - 2, names.end() - 1);
  if (names.size() < circle.size()) names.insert(names.end() - 1, "…");
  return join(names, " -> ");
}

// Moves derived axes behind those they use; what cannot be ordered depends on itself.
void order_axes(Reading& reading, const Section& section) {
  std::vector<Axis>& axes = reading.task.axes;
  const AxisUse use = use_of(axes);
  const std::vector<size_t> order = order_of(use);
  if (order.size() < axes.size()) {
    const auto circle = circle_in(use, order);
    const std::string& first = axes[circle.front()].name;
    reading.report.error(section.at(first),
                         fmt::format("axis '{}' depends on itself: {}", first, shown_circle(axes, circle)),
                         "no order exists in which the axes could be worked out",
                         "let one of them be bound by the cases, or worked out from other axes");
  }
  std::vector<Axis> ordered;
  for (const size_t i : order) ordered.push_back(std::move(axes[i]));
  axes = std::move(ordered);
}

// The text of one value of a tunable, as it is handed to a compiler.
std::optional<std::string> value_text(const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::string:
      return node.text;
    case TomlKind::integer:
      return std::to_string(node.integer);
    case TomlKind::number:
      return std::isfinite(node.number) ? std::optional(fmt::format("{}", node.number)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// One number or word for a preprocessor: "-1", "1.5e-3", "16x16", "float"; not "a-b", "+" or ".".
bool is_one_token(std::string_view text) {
  if (is_identifier(text)) return true;
  const bool sign = text.starts_with('-') || text.starts_with('+');
  const std::string_view rest = text.substr(sign ? 1 : 0);
  const size_t first_digit = rest.starts_with('.') ? 1 : 0;
  if (rest.size() <= first_digit || rest[first_digit] < '0' || rest[first_digit] > '9') return false;
  for (size_t i = 1; i < rest.size(); ++i) {
    const bool inner_sign = rest[i] == '+' || rest[i] == '-';
    if (inner_sign && (rest[i - 1] | 0x20) != 'e' && (rest[i - 1] | 0x20) != 'p') return false;
  }
  return true;
}

std::optional<std::string> checked_value(Section& section, std::string_view key, const TomlNode& node) {
  const auto text = value_text(node);
  if (text && is_tunable_value(*text) && is_one_token(*text)) return text;
  section.report().error(node.at, fmt::format("'{}' of {} is no usable value", key, section.owner()),
                         "values reach a compiler's command line, where a macro holds one number or one word",
                         "integers, finite numbers, or words of A-Z a-z 0-9 _ such as float");
  return std::nullopt;
}

// values = "range(1, 9)": a list worked out by an expression.
void read_value_expression(Section& section, const TomlNode& node, std::vector<std::string>& out) {
  const auto expression = section.expression("values", node, {});
  if (!expression) return;
  const auto value = expression->evaluate({});
  const auto* list = value ? std::get_if<List>(&value->data) : nullptr;
  if (!value) {
    Error fault = value.error();
    fault.what += ", the values of " + section.owner();
    fault.why = "without its values there is nothing to choose from";
    return section.report().add(std::move(fault));
  }
  if (!list || list->empty() || list->size() > k_most_values)
    return section.error("values", fmt::format("is no list of 1 to {} values", k_most_values),
                         "a parameter is chosen from a list", "give a list, or an expression such as \"range(1, 9)\"");
  for (const Value& one : *list) {
    const auto* whole = std::get_if<int64_t>(&one.data);
    if (!whole)
      return section.error("values", "must give integers", "an expression in this place works out counts and sizes",
                           "list other values one by one");
    out.push_back(std::to_string(*whole));
  }
}

void read_values(Section& section, std::vector<std::string>& out) {
  const TomlNode* node = section.find("values", Presence::required);
  if (!node) return;
  if (node->kind == TomlKind::string) return read_value_expression(section, *node, out);
  if (!section.expect("values", *node, TomlKind::array)) return;
  std::set<std::string> seen;
  for (const TomlNode& item : node->items) {
    const auto text = section.asks("values", item) ? std::nullopt : checked_value(section, "values", item);
    if (!text) continue;
    if (!seen.insert(*text).second)
      section.report().error(item.at, fmt::format("{} has the value '{}' twice", section.owner(), *text),
                             "it would be tried and counted as two choices", "remove one of them");
    out.push_back(*text);
  }
  if (node->items.empty())
    section.error("values", "is empty", "there is nothing to choose from", "list at least one value");
}

void read_default(Section& section, Parameter& parameter) {
  const TomlNode* node = section.find("default", Presence::required);
  const auto text = node ? checked_value(section, "default", *node) : std::nullopt;
  if (!text) return;
  parameter.default_value = *text;
  const bool listed = std::find(parameter.values.begin(), parameter.values.end(), *text) != parameter.values.end();
  if (!listed && !parameter.values.empty())
    section.error("default", fmt::format("is '{}', which is none of its values", *text),
                  "the kernel as it stands is built with the default", "values: " + join(parameter.values, ", "));
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
  reading.parameter_at.push_back(entry.at);
}

void read_parameters(Reading& reading, Section& tune) {
  const TomlNode* table = tune.find("parameters");
  if (!table || !tune.expect("parameters", *table, TomlKind::table)) return;
  for (const TomlEntry& entry : table->entries) {
    if (!check_name(reading, entry, "a parameter")) continue;
    if (reading.axes.contains(entry.key)) {
      reading.report.error(entry.at, fmt::format("parameter '{}' has the name of an axis", entry.key),
                           "an expression could not tell which of the two is meant", "give the parameter another name");
      continue;
    }
    reading.parameters.insert(entry.key);
    if (entry.value.kind == TomlKind::table) {
      read_parameter(reading, entry);
    } else {
      reading.report.error(entry.value.at, fmt::format("parameter '{}' must be a table", entry.key),
                           "a parameter is a list of values with a default",
                           fmt::format("{} = {{ values = [1, 2, 4], default = 1 }}", entry.key));
    }
  }
}

void check_condition(Reading& reading, const Expression& constraint) {
  if (constraint.is_condition() && !constraint.names().empty()) return;
  const std::string_view fault = constraint.is_condition() ? "names no parameter" : "is no condition";
  reading.report.add({ErrorCode::contract, fmt::format("the constraint '{}' {}", constraint.canonical(), fault),
                      constraint.where(1), "a configuration is legal when every constraint holds",
                      "compare parameters, for example \"BLOCK * ITEMS <= 1024\""});
}

}  // namespace

Names Reading::axes_and_parameters() const {
  Names names = axes;
  names.insert(parameters.begin(), parameters.end());
  return names;
}

Names Reading::launch_names() const {
  Names names = task::launch_names(task);
  names.merge(axes_and_parameters());  // those that were not read to the end are known as well
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
  for (const Expression& constraint : reading.task.constraints) check_condition(reading, constraint);
  section.finish();
}

}  // namespace hone::task
