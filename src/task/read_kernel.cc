// [kernel], [[launch]], [oracle], [[baselines]]: what is made faster, and what says that it is right.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "task/compile_options.h"
#include "task/cpp_words.h"
#include "task/inside.h"
#include "task/read_launch.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

Call default_call(Language language) {
  if (language == Language::cpp) return Call::host_function;
  return language == Language::python ? Call::value_returning : Call::launch;
}

// Ids of compile options. Those of the C++ compilers are known; other languages' are only checked for their form.
void check_flags(Section& section, const Kernel& kernel) {
  if (kernel.language != Language::cpp) return;
  if (const auto sound = check_compile_options(kernel.flags); !sound)
    section.error("flags", sound.error().what, sound.error().why, sound.error().help);
}

void check_editable(Section& section, const std::vector<std::string>& editable) {
  for (const std::string_view taken : {"task.toml", "variant.toml"}) {
    if (std::find(editable.begin(), editable.end(), taken) != editable.end())
      section.error("editable", fmt::format("names {}", taken), "hone itself reads that file", "leave it out");
  }
}

// A name becomes part of an environment variable's.
bool is_root_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits);
}

void check_include(Section& section, const std::vector<std::string>& include) {
  std::set<std::string_view> seen;
  for (const std::string& name : include) {
    if (!is_root_name(name))
      section.error("include", fmt::format("names '{}'", quote_untrusted(name, 64)),
                    "a header root is named, and HONE_INCLUDE_<NAME> says which folder that is on a machine",
                    "lower-case letters, digits and '_', for example \"cutlass\"");
    if (!seen.insert(name).second)
      section.error("include", fmt::format("names '{}' twice", quote_untrusted(name, 64)), "a folder is searched once",
                    "name each root once");
  }
}

void read_golden(Reading& reading, Section& section) {
  Oracle& oracle = reading.task.oracle;
  if (!section.get("golden", oracle.golden, Presence::required)) return;
  if (const auto sound = check_relative(oracle.golden); !sound)
    section.error("golden", sound.error().what, sound.error().why, sound.error().help);
}

// What else an oracle of this kind needs, and what it has no use for.
void read_oracle_kind(Reading& reading, Section& section) {
  Oracle& oracle = reading.task.oracle;
  const bool code = oracle.kind != OracleKind::golden && oracle.kind != OracleKind::baseline;
  if (code) {
    read_files(reading, section, "sources", oracle.sources, Presence::required);
    if (section.get("entry", oracle.entry, Presence::required))
      check_entry(section, oracle.entry, oracle.kind == OracleKind::python ? Language::python : Language::cpp);
  } else {
    for (const std::string_view key : {"sources", "entry"})
      section.refuse(key, fmt::format("an oracle of kind {} runs no code of its own", name_of(oracle.kind)));
  }
  if (oracle.kind == OracleKind::golden) read_golden(reading, section);
  if (oracle.kind == OracleKind::python) section.get("needs", oracle.needs);
}

// What the function is prepared by. Whether it may take what it takes is asked with the launches.
void read_prepare(Reading& reading, Section& kernel_section) {
  const TomlNode* table = kernel_section.find("prepare");
  if (!table || !kernel_section.expect("prepare", *table, TomlKind::table)) return;
  Kernel& kernel = reading.task.kernel;
  if (kernel.language != Language::cpp || kernel.call != Call::host_function)
    return kernel_section.refuse(
        "prepare", kernel.call == Call::launch ? "what is launched is prepared by a [[launch]] of the phase \"prepare\""
                                               : "only functions of C++ are prepared by another");
  Section section(*table, "[kernel.prepare]", reading.report);
  Prepare prepare;
  if (section.get("entry", prepare.entry, Presence::required)) check_entry(section, prepare.entry, kernel.language);
  if (prepare.entry == kernel.entry && !prepare.entry.empty())
    section.error("entry", fmt::format("is '{}', the function that is prepared", quote_untrusted(prepare.entry, 64)),
                  "one function cannot be called with two lists of arguments", "give it a function of its own");
  read_handed(reading.task, prepare.arguments, section, Presence::required);
  Names seen;
  for (const std::string& name : prepare.arguments) {
    if (!seen.insert(name).second)
      section.error("args", fmt::format("names '{}' twice", quote_untrusted(name, 64)), "it would be handed over twice",
                    "name each argument once");
  }
  section.finish();
  kernel.prepare = std::move(prepare);
  reading.prepare_at = table->at;
}

// The rules of launches, for a function and what it is prepared by.
void check_calls(Reading& reading) {
  const Task& task = reading.task;
  const auto derived = std::ranges::find(task.arguments, Role::derived, &Argument::role);
  if (!task.kernel.prepare && derived != task.arguments.end() && task.kernel.call == Call::host_function)
    return reading.report.error(reading.argument_at[static_cast<size_t>(derived - task.arguments.begin())],
                                fmt::format("argument '{}' is derived and nothing prepares it", derived->name),
                                "its contents come from the function that prepares alone",
                                "add [kernel.prepare] with entry and args, or remove the argument");
  if (!task.kernel.prepare) return;
  std::vector<ReadLaunch> calls;
  for (Launch& one : calls_of(task)) calls.push_back({std::move(one), reading.prepare_at});
  check_launches(task, calls, reading.report);
  if (derived == task.arguments.end())
    reading.report.error(reading.prepare_at, "[kernel.prepare] takes no derived buffer",
                         "what it finds out would be lost", "add an argument with role \"derived\" and its bytes");
}

void warn_of_baseline(Reading& reading) {
  if (reading.task.oracle.kind != OracleKind::baseline) return;
  reading.report.warning(reading.oracle_at, "the kernel as it stands is its own oracle",
                         "its bugs become the specification", "write a reference and use kind = \"c_function\"");
}

}  // namespace

void check_entry(Section& section, const std::string& entry, Language language) {
  if (language != Language::python && is_cpp_keyword(entry))
    return section.error("entry", fmt::format("is '{}', a keyword of C++", entry), "no function can have that name",
                         "give the unmangled name of an extern \"C\" function");
  if (is_identifier(entry)) return;
  section.error("entry", fmt::format("is '{}', which is no function name", quote_untrusted(entry, 64)),
                "hone looks the function up by this name", "give the unmangled name of an extern \"C\" function");
}

std::vector<const TomlNode*> tables_of(Section& section, std::string_view key, Presence presence) {
  const TomlNode* node = section.find(key, presence);
  if (!node || !section.expect(key, *node, TomlKind::array)) return {};
  std::vector<const TomlNode*> tables;
  for (const TomlNode& item : node->items) {
    if (section.expect(key, item, TomlKind::table)) tables.push_back(&item);
  }
  if (node->items.empty())
    section.error(key, "is empty", "an empty list says nothing", fmt::format("add a [[{}]]", key));
  return tables;
}

void read_files(Reading& reading, Section& section, std::string_view key, std::vector<std::string>& out,
                Presence presence) {
  std::vector<std::string> files;
  if (!section.get(key, files, presence)) return;
  if (files.empty()) section.error(key, "is empty", "there would be nothing to read", "name at least one file");
  Names seen;
  for (const std::string& file : files) {
    if (const auto opened = open_inside(reading.task.folder, file); !opened)
      section.error(key, "names a file that cannot be used: " + opened.error().what, opened.error().why,
                    opened.error().help);
    else if (!seen.insert(file).second)
      section.error(key, fmt::format("names '{}' twice", quote_untrusted(file, 200)),
                    "its functions would be defined twice", "name each file once");
  }
  out = std::move(files);
}

bool is_new(Names& seen, const std::string& name, Section& section, std::string_view key) {
  if (!is_identifier(name)) {
    section.error(key, fmt::format("is '{}', which is no identifier", quote_untrusted(name, 64)),
                  "code and reports refer to it by this name", "letters, digits and '_', not starting with a digit");
    return false;
  }
  if (seen.insert(name).second) return true;
  section.error(key, fmt::format("is '{}', which another one has already", name), "nobody could tell the two apart",
                "give each its own");
  return false;
}

void read_kernel(Reading& reading) {
  const TomlNode* table = reading.root.find("kernel", Presence::required);
  if (!table || !reading.root.expect("kernel", *table, TomlKind::table)) return;
  Section section(*table, "[kernel]", reading.report);
  Kernel& kernel = reading.task.kernel;
  section.get("language", kernel.language, Presence::required);
  kernel.call = default_call(kernel.language);
  section.get("call", kernel.call);
  read_files(reading, section, "sources", kernel.sources, Presence::required);
  if (section.get("entry", kernel.entry, Presence::required)) check_entry(section, kernel.entry, kernel.language);
  kernel.editable = kernel.sources;
  if (section.has("editable")) read_files(reading, section, "editable", kernel.editable, Presence::optional);
  check_editable(section, kernel.editable);
  section.get("flags", kernel.flags);
  check_flags(section, kernel);
  section.get("include", kernel.include);
  check_include(section, kernel.include);
  section.get("alternatives", kernel.alternatives);
  read_prepare(reading, section);
  section.finish();
}

void read_launches(Reading& reading) {
  const bool launched = reading.task.kernel.call == Call::launch;
  if (!launched) {
    reading.root.refuse("launch", "the kernel is called as a function, nothing is launched");
    if (reading.report.clean()) check_calls(reading);
    return;
  }
  const auto launches = read_launch_tables(reading.task, reading.launch_names(), reading.root, Presence::required);
  for (const ReadLaunch& one : launches) reading.task.launches.push_back(one.launch);
  if (reading.report.clean()) check_launches(reading.task, launches, reading.report);
}

void read_oracle(Reading& reading) {
  const TomlNode* table = reading.root.find("oracle", Presence::required);
  if (!table || !reading.root.expect("oracle", *table, TomlKind::table)) return;
  reading.oracle_at = table->at;
  Section section(*table, "[oracle]", reading.report);
  if (!section.get("kind", reading.task.oracle.kind, Presence::required)) return;
  read_oracle_kind(reading, section);
  section.finish();
  warn_of_baseline(reading);
}

void read_baselines(Reading& reading) {
  Names seen;
  for (const TomlNode* table : tables_of(reading.root, "baselines")) {
    Section section(*table, "a baseline", reading.report);
    Baseline baseline;
    if (section.get("name", baseline.name, Presence::required)) is_new(seen, baseline.name, section, "name");
    section.get("kind", baseline.kind, Presence::required);
    section.get("entry", baseline.entry);
    section.finish();
    reading.task.baselines.push_back(std::move(baseline));
  }
}

}  // namespace hone::task
