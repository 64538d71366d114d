// What `hone apply --json` prints: hone.apply/1.
#pragma once

#include <string>
#include <vector>

#include "base/enums.h"
#include "base/json.h"

namespace hone::cli {

enum class FileChange { written, unchanged };

struct AppliedFile {
  std::string path;
  FileChange change = FileChange::unchanged;
};

struct ApplyDocument {
  std::string schema = "hone.apply/1";
  std::string version;    // "v3"
  std::string candidate;  // digest
  std::string folder;
  std::vector<AppliedFile> files;
};

template <class A>
void describe(A& a, AppliedFile& v) {
  a.field("path", v.path);
  a.field("change", v.change);
}

template <class A>
void describe(A& a, ApplyDocument& v) {
  a.field("schema", v.schema);
  a.field("version", v.version);
  a.field("candidate", v.candidate);
  a.field("folder", v.folder);
  a.field("files", v.files);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::FileChange> {
  using T = cli::FileChange;
  static constexpr EnumName<T> table[] = {{T::written, "written"}, {T::unchanged, "unchanged"}};
};
}  // namespace hone
