#include "task/read_digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/json.h"
#include "task/bind.h"
#include "task/expression.h"
#include "task/inside.h"

namespace hone::task {

namespace {

constexpr uint64_t k_truth_file_limit_bytes =
    1ull << 40;  // golden files may be large; the sizes were checked against the cases

void write_node(json::Writer& writer, const TomlNode& node);

void write_table(json::Writer& writer, const TomlNode& table) {
  std::vector<const TomlEntry*> sorted;
  for (const TomlEntry& entry : table.entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const TomlEntry* a, const TomlEntry* b) { return a->key < b->key; });
  writer.begin_object();
  for (const TomlEntry* entry : sorted) {
    writer.key(entry->key);
    write_node(writer, entry->value);
  }
  writer.end_object();
}

void write_array(json::Writer& writer, const TomlNode& array) {
  writer.begin_array();
  for (const TomlNode& item : array.items) write_node(writer, item);
  writer.end_array();
}

// A double always shows that it is one: 2.0, not 2. Readers accept finite numbers only.
void write_double(json::Writer& writer, double value) {
  writer.raw(std::isfinite(value) ? Expression::constant(value).canonical() : "null");
}

void write_node(json::Writer& writer, const TomlNode& node) {
  switch (node.kind) {
    case TomlKind::table:
      return write_table(writer, node);
    case TomlKind::array:
      return write_array(writer, node);
    case TomlKind::string:
      return writer.string(node.text);
    case TomlKind::integer:
      return writer.integer(node.integer);
    case TomlKind::number:
      return write_double(writer, node.number);
    case TomlKind::boolean:
      return writer.boolean(node.boolean);
    case TomlKind::time:
      return writer.string(node.text);
  }
}

void add_golden(const Task& task, std::set<std::string>& files) {
  for (const Case* one : task.cases_for(Purpose::verify)) {
    for (const Argument& argument : task.arguments) {
      if (const auto input = golden_input(task, one->id, argument)) files.insert(*input);
      if (const auto expected = golden_expected(task, one->id, argument)) files.insert(*expected);
    }
  }
}

std::set<std::string> truth_files(const Task& task) {
  std::set<std::string> files(task.oracle.sources.begin(), task.oracle.sources.end());
  for (const Argument& argument : task.arguments) {
    if (argument.fill.kind == FillKind::file) files.insert(argument.fill.file);
  }
  add_golden(task, files);
  return files;
}

}  // namespace

std::string canonical_json(const TomlNode& node) {
  json::Writer writer;
  write_node(writer, node);
  return writer.take();
}

void set_digest(const TomlNode& document, Task& task, Report& report) {
  Sha256 hash;
  hash.add_field("hone.task/1").add_field(canonical_json(document));
  for (const std::string& path : truth_files(task)) {
    const auto file = read_inside(task.folder, path, k_truth_file_limit_bytes);
    if (!file) return report.add(file.error());
    hash.add_field(path).add_field(file->bytes);
  }
  task.digest = hash.finish();
}

}  // namespace hone::task
