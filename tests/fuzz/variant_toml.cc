// A candidate's choices: what is read is written in canonical form and read back as the same choices.
#include "fuzz.h"
#include "task/candidate.h"
#include "task/compile_options.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder(task::scale_files());
  static const task::Task task = *task::require_task(folder.path());
  const auto variant = task::read_variant(task, fuzz::text_of(data, size), "variant.toml");
  if (!variant) {
    fuzz::require(!variant.error().where.file.empty(), "a fault says where it is");
    return 0;
  }
  const auto again = task::read_variant(task, task::canonical_text(*variant), "variant.toml");
  fuzz::require(again && *again == *variant, "canonical text reads back as the same choices");
  const auto values = task::tunable_values(task, *variant);
  fuzz::require(task::satisfies_constraints(task, values), "only legal configurations are read");
  for (const auto& [name, value] : values)
    fuzz::require(task::is_tunable_value(value), "what reaches a command line is harmless");
  std::ignore = task::flags_for(task::option_ids(task, *variant), task::Compiler::gcc);
  return 0;
}
