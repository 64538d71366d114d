// PTX out of a confined build: its kernels, and whether they fit a contract.
#include "task/ptx_signature.h"

#include "fuzz.h"

using namespace hone;

namespace {

// x, y, n
task::Task contract() {
  task::Task task;
  for (const task::Role role : {task::Role::in, task::Role::out, task::Role::size}) {
    task.arguments.emplace_back();
    task.arguments.back().role = role;
  }
  task.arguments.back().dtype = task::DType::i32;
  return task;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::Task task = contract();
  const auto module = task::read_ptx(fuzz::text_of(data, size));
  if (!module) {
    fuzz::require(!module.error().what.empty(), "a fault says what it is");
    return 0;
  }
  std::ignore = task::check_self_contained(*module);
  for (const task::PtxEntry& entry : module->entries) {
    fuzz::require(!entry.name.empty(), "a kernel has a name");
    const bool fits = task::check_parameters(task::handed(task, {0, 1, 2}), entry).has_value();
    fuzz::require(!fits || entry.parameters.size() == 3, "what fits has as many parameters");
  }
  return 0;
}
