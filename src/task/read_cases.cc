// [work], [limits], [policy], [target], [hidden] and [[cases]].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "task/bind.h"
#include "task/hidden.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

constexpr double k_any = std::numeric_limits<double>::max();
constexpr double k_smallest_duration_s = 0.001;
constexpr double k_largest_duration_s = 7 * 24 * 3600.0;
constexpr int64_t k_largest_device_bytes = int64_t{1} << 50;
constexpr int64_t k_most_threads = 4096;

// The type whose arithmetic a plain `flops` counts: the first floating output's, else the first output's.
DType work_dtype(const Task& task) {
  DType first = DType::f32;
  bool found = false;
  for (const Argument& argument : task.arguments) {
    if (!is_written(argument.role)) continue;
    if (is_floating(argument.dtype)) return argument.dtype;
    if (!found) first = argument.dtype;
    found = true;
  }
  return first;
}

void read_flops_table(Reading& reading, const TomlNode& table, Section& work) {
  Section section(table, "flops of " + work.owner(), reading.report);
  for (const auto& row : EnumNames<DType>::table) {
    std::optional<Expression> expression;
    section.get(row.name, expression, reading.axes);
    if (expression) reading.task.work.flops.emplace(row.value, *expression);
  }
  section.finish();
}

void read_flops(Reading& reading, Section& section) {
  const TomlNode* node = section.find("flops");
  if (!node) return;
  if (node->kind == TomlKind::table) return read_flops_table(reading, *node, section);
  if (const auto expression = section.expression("flops", *node, reading.axes))
    reading.task.work.flops.emplace(work_dtype(reading.task), *expression);
}

// The sub-table `key` of the file as a Section for `read`.
template <class Read>
void with_table(Reading& reading, std::string_view key, Read read) {
  const TomlNode* table = reading.root.find(key);
  if (!table || !reading.root.expect(key, *table, TomlKind::table)) return;
  Section section(*table, fmt::format("[{}]", key), reading.report);
  read(section);
  section.finish();
}

void read_limit_table(Section& section, Limits& limits) {
  section.get("build_seconds", limits.build_seconds, k_smallest_duration_s, k_largest_duration_s);
  section.get("case_seconds", limits.case_seconds, k_smallest_duration_s, k_largest_duration_s);
  section.get("sanitizer_seconds", limits.sanitizer_seconds, 0.0, k_largest_duration_s);
  auto bytes = static_cast<int64_t>(limits.device_bytes);
  section.get("device_bytes", bytes, 1, k_largest_device_bytes);
  limits.device_bytes = static_cast<uint64_t>(bytes);
  int64_t threads = limits.threads;
  section.get("threads", threads, 1, k_most_threads);
  limits.threads = static_cast<int>(threads);
}

void read_policy_table(Section& section, Policy& policy) {
  section.get("cache", policy.cache);
  section.get("library_calls", policy.library_calls);
  if (section.get("accumulate", policy.accumulate) && !is_floating(*policy.accumulate))
    section.error("accumulate", "must be a floating type", "it says how precise sums must be kept",
                  "choose f32 or f64");
}

void read_target_table(Section& section, Target& target) {
  section.get("objective", target.objective);
  section.get("metric", target.metric);
  double value = 0.0;
  const double most = target.metric == Metric::pct_of_peak ? 100.0 : k_any;
  if (section.get("value", value, std::numeric_limits<double>::min(), most)) target.value = value;
}

void read_hidden_table(Section& section, std::optional<Digest>& out) {
  std::string hex;
  if (!section.get("sha256", hex, Presence::required)) return;
  out = Digest::from_hex(hex);
  if (!out)
    return section.error("sha256", "must be 64 lower-case hex digits", "the file of hidden cases is known by it",
                         "`hone check --hidden FILE` prints it, and so does sha256sum FILE");
}

bool is_case_id(std::string_view id) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
  };
  return !id.empty() && id.size() <= 64 && id[0] != '.' && std::all_of(id.begin(), id.end(), allowed);
}

void check_id(Section& section, const std::string& id, Names& seen) {
  if (!is_case_id(id))
    section.error("id", fmt::format("is '{}', which is no usable id", quote_untrusted(id, 64)),
                  "it names files and rows of reports",
                  "up to 64 letters, digits, '_', '-' and '.', not starting with '.'");
  else if (id.starts_with(k_hidden_id))
    section.error("id", fmt::format("is '{}', and '{}…' stands for hidden cases", id, k_hidden_id),
                  "reports call a hidden case by nothing else", "choose another id");
  else if (!seen.insert(id).second)
    section.error("id", fmt::format("is '{}', which another case has already", id), "results are filed under the id",
                  "give each case its own");
}

void read_axis_value(Section& bind, const Axis& axis, Case& out) {
  const AxisRange range = stated_range(axis);
  int64_t value = 0;
  if (!bind.find(axis.name, Presence::required)) return;
  if (!bind.get(axis.name, value, range.minimum, range.maximum.value_or(k_largest_axis))) return;
  if (value % range.multiple_of != 0)
    return bind.error(axis.name, fmt::format("is {}, which is no multiple of {}", value, range.multiple_of),
                      "the axis states multiple_of", "bind a multiple of it");
  out.bind[axis.name] = value;
}

void read_integer_scalar(Section& bind, const Argument& argument, Case& out) {
  const auto range = integer_range(argument.dtype);
  const auto highest =
      static_cast<int64_t>(std::min(range.high, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
  int64_t value = 0;
  if (bind.get(argument.name, value, range.low, highest)) out.bind[argument.name] = value;
}

void read_scalar_value(Section& bind, const Argument& argument, Case& out) {
  if (!bind.find(argument.name, Presence::required)) return;
  if (!is_floating(argument.dtype)) return read_integer_scalar(bind, argument, out);
  const double most = argument.dtype == DType::f64 ? k_any : largest_finite(argument.dtype);
  double value = 0.0;
  if (bind.get(argument.name, value, -most, most)) out.bind[argument.name] = value;
}

bool binds(const Task& task, const Argument& argument) {
  return argument.role == Role::scalar && !argument.value && !task.is_delivered(argument);
}

// A case binds every case axis and every free scalar, and nothing else.
void read_bind(Reading& reading, const TomlNode& table, Case& out) {
  Section bind(table, fmt::format("bind of case '{}'", quote_untrusted(out.id, 64)), reading.report);
  for (const Axis& axis : reading.task.axes) {
    if (axis.kind == AxisKind::by_case) read_axis_value(bind, axis, out);
  }
  for (const Argument& argument : reading.task.arguments) {
    if (binds(reading.task, argument)) read_scalar_value(bind, argument, out);
  }
  if (reading.names_are_complete) bind.finish();
}

bool needs_bind(const Task& task) {
  return std::any_of(task.axes.begin(), task.axes.end(),
                     [](const Axis& axis) { return axis.kind == AxisKind::by_case; }) ||
         std::any_of(task.arguments.begin(), task.arguments.end(),
                     [&task](const Argument& argument) { return binds(task, argument); });
}

void read_use(Section& section, Case& out) {
  if (!section.get("use", out.use, Presence::required)) return;
  if (out.use.empty()) section.error("use", "is empty", "a case without a use is never run", "verify, time or edge");
}

void read_weight(Section& section, Case& out) {
  section.get("weight", out.weight, std::numeric_limits<double>::min(), 1e9);
}

void read_binding(Reading& reading, Section& section, Case& out) {
  const TomlNode* bind = section.find("bind", needs_bind(reading.task) ? Presence::required : Presence::optional);
  if (bind && section.expect("bind", *bind, TomlKind::table)) read_bind(reading, *bind, out);
}

void read_visibility(Section& section) {
  std::string visibility = "public";
  if (!section.get("visibility", visibility) || visibility == "public") return;
  section.error("visibility", fmt::format("is '{}'", quote_untrusted(visibility, 64)),
                "whoever is judged can read this file",
                "keep hidden cases out of this folder; [hidden] sha256 commits to a file of them");
}

}  // namespace

void read_case_body(Reading& reading, Section& section, Case& out) {
  read_binding(reading, section, out);
  read_use(section, out);
  read_weight(section, out);
}

namespace {

void read_case(Reading& reading, const TomlNode& table, size_t index, Names& seen) {
  const TomlNode* id = table.find("id");
  const bool named = id && id->kind == TomlKind::string;
  Section section(table,
                  named ? fmt::format("case '{}'", quote_untrusted(id->text, 64)) : fmt::format("case {}", index + 1),
                  reading.report);
  Case out;
  if (section.get("id", out.id, Presence::required)) check_id(section, out.id, seen);
  read_case_body(reading, section, out);
  read_visibility(section);
  section.finish();
  reading.task.cases.push_back(std::move(out));
  reading.case_at.push_back(table.at);
}

}  // namespace

void read_work(Reading& reading) {
  with_table(reading, "work", [&reading](Section& section) {
    Work& work = reading.task.work;
    section.get("kind", work.kind);
    section.get("bound", work.bound);
    read_flops(reading, section);
    section.get("bytes_read", work.bytes_read, reading.axes);
    section.get("bytes_written", work.bytes_written, reading.axes);
  });
}

void read_limits(Reading& reading) {
  Task& task = reading.task;
  with_table(reading, "limits", [&task](Section& section) { read_limit_table(section, task.limits); });
  with_table(reading, "policy", [&task](Section& section) { read_policy_table(section, task.policy); });
  with_table(reading, "target", [&task](Section& section) { read_target_table(section, task.target); });
  with_table(reading, "hidden", [&task](Section& section) { read_hidden_table(section, task.hidden_commitment); });
}

void read_cases(Reading& reading) {
  Names seen;
  // A faulty axis or argument would make each of its bindings look like an unknown key.
  reading.names_are_complete = reading.report.clean();
  const auto tables = tables_of(reading.root, "cases", Presence::required);
  for (size_t i = 0; i < tables.size(); ++i) read_case(reading, *tables[i], i, seen);
}

}  // namespace hone::task
