#include "campaign/named_blobs.h"

#include <algorithm>
#include <string_view>

namespace hone::campaign {

namespace {

// Fields of these names hold the digest of a blob, whatever the event.
constexpr std::string_view k_blob_fields[] = {"verdict", "steps", "samples"};

// Archive that collects what the described fields name.
class Collector {
 public:
  template <class T>
  void field(std::string_view, const T&) {}
  void field(std::string_view name, const std::string& digest) {
    const bool is_blob = std::find(std::begin(k_blob_fields), std::end(k_blob_fields), name) != std::end(k_blob_fields);
    if (is_blob && !digest.empty()) names.push_back({std::string(name), digest});
  }
  void field(std::string_view name, const std::optional<std::string>& digest) {
    if (digest) field(name, *digest);
  }
  void field(std::string_view name, const std::vector<FileReference>& files) {
    for (const FileReference& file : files) names.push_back({std::string(name) + "/" + file.path, file.blob});
  }

  std::vector<NamedBlob> names;
};

}  // namespace

std::vector<NamedBlob> named_blobs(const EventBody& body) {
  Collector collector;
  // One description for reading and writing: collecting changes nothing.
  std::visit([&](const auto& event) { describe(collector, const_cast<std::remove_cvref_t<decltype(event)>&>(event)); },
             body);
  return std::move(collector.names);
}

}  // namespace hone::campaign
