// Documents that hone keeps and reads again: calibrations and what the blobs of a log hold.
#include "campaign/event.h"
#include "device/ceilings.h"
#include "fuzz.h"

using namespace hone;

namespace {

template <class T>
void check_document(std::string_view text) {
  const auto document = json::from_text<T>(text);
  if (!document) return;
  const std::string written = json::to_text(*document);
  const auto again = json::from_text<T>(written);
  fuzz::require(again && json::to_text(*again) == written, "a document reads back as itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  check_document<device::Ceilings>(text);
  check_document<campaign::Verdict>(text);
  check_document<std::vector<campaign::SearchStep>>(text);
  return 0;
}
