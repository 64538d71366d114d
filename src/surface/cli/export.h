// What `hone export --json` prints: hone.export/1.
#pragma once

#include <optional>
#include <string>

#include "base/enums.h"
#include "base/json.h"

namespace hone::cli {

enum class ExportForm { patch, branch };

struct ExportDocument {
  std::string schema = "hone.export/1";
  ExportForm form = ExportForm::patch;
  std::string version;                // "v3"
  std::string candidate;              // digest
  std::optional<std::string> file;    // where the patch was written
  std::optional<std::string> patch;   // the patch itself when it was written nowhere
  std::optional<std::string> branch;  // name
  std::optional<std::string> commit;
};

template <class A>
void describe(A& a, ExportDocument& v) {
  a.field("schema", v.schema);
  a.field("form", v.form);
  a.field("version", v.version);
  a.field("candidate", v.candidate);
  a.field("file", v.file);
  a.field("patch", v.patch);
  a.field("branch", v.branch);
  a.field("commit", v.commit);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::ExportForm> {
  using T = cli::ExportForm;
  static constexpr EnumName<T> table[] = {{T::patch, "patch"}, {T::branch, "branch"}};
};
}  // namespace hone
