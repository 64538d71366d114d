// variant.toml: reading, writing, and what its choices mean for a task.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "task/candidate.h"
#include "task/compile_options.h"
#include "task/launch.h"
#include "task/read_launch.h"
#include "task/section.h"

namespace hone::task {

namespace {

constexpr size_t k_value_limit_bytes = 128;

template <class T>
std::optional<T> parsed_as(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Value value_of_text(const std::string& text) {
  if (const auto whole = parsed_as<int64_t>(text)) return {*whole};
  if (const auto number = parsed_as<double>(text)) return {*number};
  return {text};
}

// An integer in the one way that TOML and std::to_string agree on stands bare, everything else in quotes.
std::string toml_value(const std::string& text) {
  const auto whole = parsed_as<int64_t>(text);
  return whole && std::to_string(*whole) == text ? text : quote_toml(text);
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(quote_toml(item));
  return join(quoted, ", ");
}

std::string text_of(const TomlNode& node) {
  if (node.kind == TomlKind::integer) return std::to_string(node.integer);
  if (node.kind == TomlKind::number) return fmt::format("{}", node.number);
  return node.text;
}

void read_choice(Section& section, const Parameter& parameter, Variant& out) {
  const TomlNode* node = section.find(parameter.name);
  if (!node) return;
  const std::string text = text_of(*node);
  if (std::find(parameter.values.begin(), parameter.values.end(), text) != parameter.values.end()) {
    out.values[parameter.name] = text;
  } else {
    section.error(parameter.name, "is none of the values that the task allows", "a candidate chooses from them alone",
                  "values: " + join(parameter.values, ", "));
  }
}

void read_choices(const Task& task, Section& root, Report& report, Variant& out) {
  const TomlNode* table = root.find("values");
  if (!table || !root.expect("values", *table, TomlKind::table)) return;
  Section section(*table, "[values]", report);
  for (const Parameter& parameter : task.parameters) read_choice(section, parameter, out);
  section.finish();
}

void read_options(Section& root, Variant& out) {
  if (!root.get("options", out.options)) return;
  if (const auto sound = check_compile_options(out.options); !sound)
    root.error("options", sound.error().what, sound.error().why, sound.error().help);
}

void check_constraints(const Task& task, Section& root, const Variant& variant) {
  const Scope scope = scope_of(tunable_values(task, variant));
  for (const Expression& constraint : task.constraints) {
    const auto holds = constraint.truth(scope);
    if (!holds || !*holds)
      root.error("values", fmt::format("break the constraint '{}'", constraint.canonical()),
                 "a configuration is legal when every constraint holds", "choose other values");
  }
}

// Launches of the candidate's own stand in the place of the contract's.
void read_launches(const Task& task, Section& root, Report& report, Variant& out) {
  if (task.kernel.call != Call::launch) return root.refuse("launch", "the kernel is called as a function");
  const auto read = read_launch_tables(task, launch_names(task), root, Presence::optional);
  if (report.clean()) check_launches(task, read, report);
  std::vector<Launch> launches;
  for (const ReadLaunch& one : read) launches.push_back(one.launch);
  out.launches = canonical_text(launches);
}

void check_bound(const Task& task, Section& root, const Variant& variant) {
  if (auto sound = check_public_launches(task, variant); !sound)
    root.report().error(root.at("launch"), "the kernel cannot be launched",
                        "every launch is worked out before anything is built or run", std::move(sound.error()));
}

void check_schema(Section& root) {
  std::string schema;
  if (root.get("schema", schema, Presence::required) && schema != "variant/1")
    root.error("schema", fmt::format("is '{}'", quote_untrusted(schema, 64)),
               "another schema may mean something else by the same keys", "schema = \"variant/1\"");
}

}  // namespace

bool is_tunable_value(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '+' || c == '-';
  };
  return !text.empty() && text.size() <= k_value_limit_bytes && std::all_of(text.begin(), text.end(), allowed);
}

std::string canonical_text(const Variant& variant) {
  std::string out = fmt::format("schema = \"variant/1\"\noptions = [{}]\n", quoted_list(variant.options));
  if (!variant.values.empty()) out += "\n[values]\n";
  for (const auto& [name, value] : variant.values) out += fmt::format("{} = {}\n", name, toml_value(value));
  return out + variant.launches;
}

Result<Variant> read_variant(const Task& task, std::string_view text, const std::string& file_name) {
  HONE_TRY(const TomlNode document, parse_toml(text, file_name));
  Report report(file_name, text);
  Section root(document, "variant.toml", report);
  Variant variant;
  check_schema(root);
  read_options(root, variant);
  read_choices(task, root, report, variant);
  read_launches(task, root, report, variant);
  root.finish();
  if (report.clean()) check_constraints(task, root, variant);
  if (report.clean() && !variant.launches.empty()) check_bound(task, root, variant);
  Diagnostics found = report.take();
  found.errors.insert(found.errors.end(), found.open_questions.begin(), found.open_questions.end());
  if (!found.errors.empty()) return found.errors.front();
  return normal(task, std::move(variant));
}

Variant normal(const Task& task, Variant variant) {
  for (const Parameter& parameter : task.parameters) {
    const auto chosen = variant.values.find(parameter.name);
    if (chosen != variant.values.end() && chosen->second == parameter.default_value) variant.values.erase(chosen);
  }
  if (variant.launches == canonical_text(task.launches)) variant.launches.clear();
  std::sort(variant.options.begin(), variant.options.end());
  return variant;
}

std::map<std::string, std::string> tunable_values(const Task& task, const Variant& variant) {
  std::map<std::string, std::string> values;
  for (const Parameter& parameter : task.parameters) {
    const auto chosen = variant.values.find(parameter.name);
    values[parameter.name] = chosen == variant.values.end() ? parameter.default_value : chosen->second;
  }
  return values;
}

std::optional<std::string> own_launches(const Variant& variant) {
  return variant.launches.empty() ? std::nullopt : std::optional(variant.launches);
}

Scope scope_of(const std::map<std::string, std::string>& values) {
  Scope scope;
  for (const auto& [name, text] : values) scope[name] = value_of_text(text);
  return scope;
}

bool satisfies_constraints(const Task& task, const std::map<std::string, std::string>& values) {
  const Scope scope = scope_of(values);
  return std::all_of(task.constraints.begin(), task.constraints.end(), [&scope](const Expression& constraint) {
    const auto holds = constraint.truth(scope);
    return holds && *holds;
  });
}

std::vector<std::string> option_ids(const Task& task, const Variant& variant) {
  const auto replaced = [&variant](const std::string& id) {
    const CompileOption* kept = find_compile_option(id);
    return std::any_of(variant.options.begin(), variant.options.end(), [kept](const std::string& other) {
      const CompileOption* chosen = find_compile_option(other);
      return kept && chosen && kept->group == chosen->group;
    });
  };
  std::vector<std::string> ids;
  std::copy_if(task.kernel.flags.begin(), task.kernel.flags.end(), std::back_inserter(ids),
               [&replaced](const std::string& id) { return !replaced(id); });
  ids.insert(ids.end(), variant.options.begin(), variant.options.end());
  return ids;
}

}  // namespace hone::task
