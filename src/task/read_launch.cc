#include "task/read_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

constexpr size_t k_most_launches = 256;
constexpr size_t k_dimensions = 3;

void check_dimensions(std::string_view key, const std::vector<Expression>& list, Section& section) {
  if (list.size() > k_dimensions)
    section.error(key, fmt::format("has {} dimensions, a device has at most 3", list.size()),
                  "the launch would be refused", "join dimensions");
  if (list.empty() && section.has(key) && section.report().clean())
    section.error(key, "is empty", "a launch has at least one dimension", "give one to three numbers or expressions");
}

void read_dimensions(std::string_view key, std::vector<Expression>& out, const Names& names, Section& section,
                     Presence presence) {
  section.get(key, out, names, presence);
  check_dimensions(key, out, section);
}

void check_handed_name(const Task& task, const std::string& name, Section& section) {
  const Argument* argument = task.find_argument(name);
  std::vector<std::string> known;
  for (const Argument& one : task.arguments) known.push_back(one.name);
  if (!argument)
    return section.error(
        "args", fmt::format("names the unknown argument '{}'{}", quote_untrusted(name, 64), did_you_mean(name, known)),
        "a launch hands over arguments of the contract", "name arguments as [[args]] calls them");
  if (argument->role == Role::symbol)
    section.error("args", fmt::format("names the symbol '{}'", name),
                  "the kernel finds a symbol by its name in the module; it is no parameter", "leave it out");
}

Launch read_launch(const Task& task, const Names& names, Section& section) {
  Launch launch;
  if (section.get("entry", launch.entry)) check_entry(section, launch.entry, task.kernel.language);
  section.get("phase", launch.phase);
  read_dimensions("grid", launch.grid, names, section, Presence::required);
  read_dimensions("block", launch.block, names, section, Presence::required);
  read_dimensions("cluster", launch.cluster, names, section, Presence::optional);
  section.get("dynamic_shared_bytes", launch.dynamic_shared_bytes, names);
  section.get("cooperative", launch.cooperative);
  read_handed(task, launch.arguments, section, Presence::optional);
  section.finish();
  return launch;
}

void refuse_elsewhere(const Launch& launch, Language language, Section& section) {
  if (language == Language::cuda) return;
  if (!launch.cluster.empty()) section.refuse("cluster", "only CUDA has clusters of blocks");
  if (launch.cooperative && language == Language::opencl)
    section.refuse("cooperative", "OpenCL has no launch whose work-groups wait for each other");
  if (launch.dynamic_shared_bytes && language == Language::opencl)
    section.refuse("dynamic_shared_bytes", "OpenCL hands over local memory as an argument of role \"local\"");
}

// What stays the same from call to call, so that work on it may be done once.
bool stays(const Task& task, const Argument& argument) {
  switch (argument.role) {
    case Role::in:
    case Role::symbol:
      return argument.constant_across_calls;
    case Role::tensor_map: {
      const Argument* base = task.find_argument(argument.tensor_map.base);
      return base && base->role != Role::tensor_map && stays(task, *base);
    }
    case Role::scalar:
      return argument.value || !is_floating(argument.dtype) || task.is_delivered(argument);
    case Role::size:
    case Role::local:
    case Role::scratch:
    case Role::derived:
      return true;
    case Role::out:
    case Role::inout:
      return false;
  }
  return false;
}

std::string name_of_launch(std::span<const ReadLaunch> launches, const ReadLaunch& one) {
  return fmt::format("launch {}", static_cast<size_t>(&one - launches.data()) + 1);
}

bool is_function(const Task& task) { return task.kernel.call != Call::launch; }

// As what takes an argument.
std::string name_of_preparing(const Task& task, std::span<const ReadLaunch> launches, const ReadLaunch& one) {
  if (is_function(task)) return "[kernel.prepare]";
  return name_of_launch(launches, one) + " has the phase \"prepare\" and";
}

void check_prepared(const Task& task, std::span<const ReadLaunch> launches, const ReadLaunch& one, Report& report) {
  for (const size_t i : handed_over(task, one.launch)) {
    const Argument& argument = task.arguments[i];
    if (stays(task, argument)) continue;
    report.error(one.at,
                 fmt::format("{} takes '{}', which is not the same at every call",
                             name_of_preparing(task, launches, one), argument.name),
                 "it runs once and not for every call: it would work on what is gone by then",
                 is_written(argument.role)
                     ? "name in args what it reads and the `derived` buffers that it fills"
                     : fmt::format("leave '{}' out of its args, or mark it constant_across_calls", argument.name));
  }
}

void check_order(std::span<const ReadLaunch> launches, Report& report) {
  bool run = false;
  for (const ReadLaunch& one : launches) {
    if (one.launch.phase == Phase::prepare && run)
      report.error(
          one.at,
          fmt::format("{} has the phase \"prepare\" and stands behind one that runs", name_of_launch(launches, one)),
          "everything is prepared before the first call", "move it to the front");
    run = run || one.launch.phase == Phase::run;
  }
  if (!run && !launches.empty())
    report.error(launches.front().at, "no launch has the phase \"run\"", "nothing would be called and timed",
                 "add the launch that computes the outputs");
}

// The arguments that launches of a phase take.
std::vector<bool> taken(const Task& task, std::span<const ReadLaunch> launches, Phase phase) {
  std::vector<bool> out(task.arguments.size(), false);
  for (const ReadLaunch& one : launches) {
    if (one.launch.phase != phase) continue;
    for (const size_t i : handed_over(task, one.launch)) out[i] = true;
  }
  // Whoever takes a descriptor reaches what it describes.
  for (size_t i = 0; i < out.size(); ++i) {
    const Argument& argument = task.arguments[i];
    if (!out[i] || argument.role != Role::tensor_map) continue;
    for (size_t base = 0; base < out.size(); ++base)
      if (task.arguments[base].name == argument.tensor_map.base) out[base] = true;
  }
  return out;
}

void tell_unprepared(const Task& task, const Argument& argument, Position at, Report& report) {
  if (is_function(task))
    return report.error(at, fmt::format("[kernel.prepare] does not take the derived buffer '{}'", argument.name),
                        "its contents come from the function that prepares alone",
                        "name it in its args, or remove the argument");
  report.error(at, fmt::format("a launch takes the derived buffer '{}' and none prepares it", argument.name),
               "its contents come from a launch of the phase \"prepare\" alone",
               "add that launch with the buffer in its args, or leave the buffer out of the args of the others");
}

void check_reach(const Task& task, std::span<const ReadLaunch> launches, Report& report) {
  const std::vector<bool> run = taken(task, launches, Phase::run);
  const std::vector<bool> prepared = taken(task, launches, Phase::prepare);
  for (size_t i = 0; i < run.size(); ++i) {
    const Argument& argument = task.arguments[i];
    if (is_written(argument.role) && !run[i])
      report.error(launches.front().at, fmt::format("no launch takes the output '{}'", argument.name),
                   "nothing would write it", "name it in the args of the launch that does");
    if (argument.role == Role::derived && run[i] && !prepared[i])
      tell_unprepared(task, argument, launches.front().at, report);
  }
}

// A module's symbols are in reach of each of its kernels.
void check_symbols(const Task& task, std::span<const ReadLaunch> launches, Report& report) {
  const auto varies = std::find_if(task.arguments.begin(), task.arguments.end(), [](const Argument& argument) {
    return argument.role == Role::symbol && !argument.constant_across_calls;
  });
  const auto prepare = std::find_if(launches.begin(), launches.end(),
                                    [](const ReadLaunch& one) { return one.launch.phase == Phase::prepare; });
  if (varies == task.arguments.end() || prepare == launches.end()) return;
  report.error(prepare->at,
               fmt::format("{} has the phase \"prepare\" beside the symbol '{}', which is not the same at every call",
                           name_of_launch(launches, *prepare), varies->name),
               "every kernel of the module can read a symbol", "mark the symbol constant_across_calls");
}

std::string expression_text(const Expression& expression) {
  const std::string& text = expression.canonical();
  const bool whole = expression.names().empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return whole ? text : quote_toml(text);
}

void write_dimensions(std::string_view key, const std::vector<Expression>& list, std::string& out) {
  if (list.empty()) return;
  std::vector<std::string> items;
  for (const Expression& one : list) items.push_back(expression_text(one));
  out += fmt::format("{} = [{}]\n", key, join(items, ", "));
}

void write_launch(const Launch& launch, std::string& out) {
  out += "\n[[launch]]\n";
  if (!launch.entry.empty()) out += fmt::format("entry = {}\n", quote_toml(launch.entry));
  if (launch.phase != Phase::run) out += fmt::format("phase = \"{}\"\n", name_of(launch.phase));
  write_dimensions("grid", launch.grid, out);
  write_dimensions("block", launch.block, out);
  write_dimensions("cluster", launch.cluster, out);
  if (launch.dynamic_shared_bytes)
    out += fmt::format("dynamic_shared_bytes = {}\n", expression_text(*launch.dynamic_shared_bytes));
  if (launch.cooperative) out += "cooperative = true\n";
  if (launch.arguments.empty()) return;
  std::vector<std::string> names;
  for (const std::string& name : launch.arguments) names.push_back(quote_toml(name));
  out += fmt::format("args = [{}]\n", join(names, ", "));
}

}  // namespace

Names launch_names(const Task& task) {
  Names names;
  for (const Axis& axis : task.axes) names.insert(axis.name);
  for (const Parameter& parameter : task.parameters) names.insert(parameter.name);
  for (const Argument& argument : task.arguments) {
    if (is_number(argument.role) && !is_floating(argument.dtype) && is_free_name(argument.name))
      names.insert(argument.name);
  }
  return names;
}

std::vector<ReadLaunch> read_launch_tables(const Task& task, const Names& names, Section& root, Presence presence) {
  const TomlNode* node = root.find("launch", presence);
  if (!node || (node->kind != TomlKind::table && !root.expect("launch", *node, TomlKind::array))) return {};
  std::vector<const TomlNode*> tables;
  if (node->kind == TomlKind::table) tables.push_back(node);  // a plain [launch] is one
  for (const TomlNode& item : node->items)
    if (root.expect("launch", item, TomlKind::table)) tables.push_back(&item);
  if (tables.empty() && root.report().clean())
    root.error("launch", "is empty", "a kernel without launches does nothing", "add a [[launch]]");
  if (tables.size() > k_most_launches) {
    root.error("launch", fmt::format("has {} entries, the limit is {}", tables.size(), k_most_launches),
               "nobody launches so many for one result", "leave out those beyond");
    return {};
  }
  std::vector<ReadLaunch> out;
  for (const TomlNode* table : tables) {
    Section section(*table, fmt::format("launch {}", out.size() + 1), root.report());
    out.push_back({read_launch(task, names, section), table->at});
    refuse_elsewhere(out.back().launch, task.kernel.language, section);
  }
  return out;
}

void read_handed(const Task& task, std::vector<std::string>& out, Section& section, Presence presence) {
  if (!section.get("args", out, presence)) return;
  for (const std::string& name : out) check_handed_name(task, name, section);
  if (out.empty() && section.report().clean())
    section.error("args", "is empty", "a kernel without arguments writes nothing",
                  presence == Presence::required
                      ? "name what it takes"
                      : "name what it takes, or leave the key out to hand over everything in order");
}

void check_launches(const Task& task, std::span<const ReadLaunch> launches, Report& report) {
  if (launches.empty()) return;
  check_order(launches, report);
  for (const ReadLaunch& one : launches) {
    if (one.launch.phase == Phase::prepare) check_prepared(task, launches, one, report);
  }
  check_symbols(task, launches, report);
  if (report.clean()) check_reach(task, launches, report);
}

std::vector<Launch> calls_of(const Task& task) {
  const std::optional<Prepare>& prepare = task.kernel.prepare;
  if (!prepare) return {};
  Launch first;
  first.entry = prepare->entry;
  first.phase = Phase::prepare;
  first.arguments = prepare->arguments;
  Launch run;
  run.entry = task.kernel.entry;
  return {first, run};
}

std::vector<size_t> handed_over(const Task& task, const Launch& launch) {
  std::vector<size_t> out;
  if (launch.arguments.empty()) {
    for (size_t i = 0; i < task.arguments.size(); ++i)
      if (task.arguments[i].role != Role::symbol) out.push_back(i);
  }
  for (const std::string& name : launch.arguments) {
    for (size_t i = 0; i < task.arguments.size(); ++i)
      if (task.arguments[i].name == name) out.push_back(i);
  }
  return out;
}

std::string canonical_text(std::span<const Launch> launches) {
  std::string out;
  for (const Launch& launch : launches) write_launch(launch, out);
  return out;
}

Result<std::vector<Launch>> parse_launches(const Task& task, const std::string& text) {
  const std::string file = "variant.toml";
  HONE_TRY(const TomlNode document, parse_toml(text, file));
  Report report(file, text);
  Section root(document, file, report);
  std::vector<Launch> out;
  for (ReadLaunch& one : read_launch_tables(task, launch_names(task), root, Presence::required))
    out.push_back(std::move(one.launch));
  root.finish();
  Diagnostics found = report.take();
  if (!found.errors.empty()) return found.errors.front();
  return out;
}

}  // namespace hone::task
