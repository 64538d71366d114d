// A C++ file: its extern "C" functions, and what their bodies tell about their buffers.
#include "task/cpp_signature.h"

#include "fuzz.h"
#include "task/cpp_usage.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto functions = task::extern_c_functions("kernel.cpp", fuzz::text_of(data, size));
  if (!functions) {
    fuzz::require(functions.error().where.file == "kernel.cpp", "a fault names its file");
    return 0;
  }
  for (const task::CppFunction& function : *functions) {
    fuzz::require(!function.name.empty(), "a function has a name");
    for (const task::CppParameter& parameter : function.parameters) {
      std::ignore = task::guess_role(function, parameter.name);
      std::ignore = task::guess_shape(function, parameter.name);
    }
  }
  std::ignore = task::choose_function("kernel.cpp", *functions, "");
  return 0;
}
