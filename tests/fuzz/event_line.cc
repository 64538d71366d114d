// One line of a log as an event: written again it is the same event.
#include "campaign/event.h"
#include "fuzz.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto event = campaign::from_line(fuzz::text_of(data, size));
  if (!event) return 0;
  const std::string line = campaign::to_line(*event);
  const auto again = campaign::from_line(line);
  fuzz::require(again && campaign::to_line(*again) == line, "an event reads back as itself");
  fuzz::require(line.find('\n') == std::string::npos, "an event is one line");
  return 0;
}
