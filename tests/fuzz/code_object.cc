// A code object out of a confined build: its kernels with their arguments, and what it keeps.
#include "device/hip/code_object.h"

#include "fuzz.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto object = device::hip::read_code_object(bytes_of(fuzz::text_of(data, size)));
  if (!object) return 0;
  size_t bytes = 0;
  for (const auto& kernel : object->kernels) {
    bytes += kernel.resources.kernel.size();
    for (const auto& argument : kernel.arguments) bytes += argument.kind.size();
  }
  for (const auto& variable : object->globals) bytes += variable.name.size();
  // A name of a symbol may stand in what is said of the kernels, too.
  fuzz::require(bytes <= 2 * size, "an answer is no larger than its file");
  return 0;
}
