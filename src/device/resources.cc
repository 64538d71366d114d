#include "device/resources.h"

namespace hone::device {

namespace {

constexpr const char* k_format = "hone.resources/1";

struct Document {
  std::string format = k_format;
  std::vector<KernelResources> kernels;
};

template <class A>
void describe(A& a, Document& v) {
  a.field("format", v.format);
  a.field("kernels", v.kernels);
}

}  // namespace

std::string resources_text(const std::vector<KernelResources>& kernels) {
  return json::to_text(Document{k_format, kernels});
}

Result<std::vector<KernelResources>> resources_from(std::string_view text) {
  HONE_TRY(Document document, json::from_text<Document>(text));
  if (document.format != k_format) return Error{ErrorCode::contract, "these are no resources of a kernel"};
  return std::move(document.kernels);
}

}  // namespace hone::device
