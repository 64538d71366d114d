// A log file as it lies on the disk: the chain is walked, whatever the bytes.
#include "fuzz.h"
#include "record/log_reader.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::InputFile file;
  uint64_t visited = 0;
  const auto content = record::read_log(file.write(fuzz::text_of(data, size)), [&](std::string_view line, uint64_t) {
    ++visited;
    fuzz::require(record::chain_of(line).has_value(), "only lines of the chain are shown");
    return ok();
  });
  if (!content) return 0;
  fuzz::require(content->head.lines == visited, "every line is shown once");
  fuzz::require(content->good_bytes + content->torn.size() == size, "no byte is lost");
  return 0;
}
