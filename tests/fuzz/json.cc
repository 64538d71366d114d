// JSON text: whatever is read is written again as itself, compact or pretty.
#include "base/json.h"

#include "fuzz.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = json::parse(fuzz::text_of(data, size));
  if (!document) return 0;
  const std::string compact = json::text_of(*document);
  const auto again = json::parse(compact);
  fuzz::require(again && json::text_of(*again) == compact, "compact text reads back as itself");
  const auto pretty = json::parse(json::pretty(compact));
  fuzz::require(pretty && json::text_of(*pretty) == compact, "pretty text reads back as itself");
  return 0;
}
