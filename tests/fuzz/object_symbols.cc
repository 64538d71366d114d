// An object file out of a confined build: its exported functions.
#include "device/cpu/object_symbols.h"

#include "fuzz.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto names = device::cpu::exported_functions(bytes_of(fuzz::text_of(data, size)));
  size_t bytes = 0;
  for (const std::string& name : names) bytes += name.size();
  fuzz::require(bytes <= size, "an answer is no larger than its file");
  return 0;
}
