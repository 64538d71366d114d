// A contract drafted from a bare kernel, for `hone init` and `hone run KERNEL`; and what `hone init --json` prints:
// hone.init/1.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "surface/cli/command.h"
#include "task/draft.h"

namespace hone::cli {

// Options that help a draft along.
inline constexpr OptionRow k_reference_option{
    "--reference", "FILE", "",
    "a slow, clear version of the same function, in double, in the same folder: it says what is right"};
inline constexpr OptionRow k_dims_option{"--dims", "LIST", "",
                                         "sizes to time with and scalars, for example M=512,N=2048,alpha=0.5"};

// From those options; "M=512,alpha=0.5" read, or a usage error.
Result<task::DraftRequest> draft_request(const Arguments& arguments, const fs::path& kernel);
// Writes task.toml beside the kernel.
Result<task::Draft> write_draft(const Context& context, const task::DraftRequest& request);

struct InitDocument {
  std::string schema = "hone.init/1";
  std::string file;                         // task.toml, as written
  std::vector<std::string> open_questions;  // one line each; empty: ready for `hone check`
  std::string next;                         // the command to type
};

template <class A>
void describe(A& a, InitDocument& v) {
  a.field("schema", v.schema);
  a.field("file", v.file);
  a.field("open_questions", v.open_questions);
  a.field("next", v.next);
}

}  // namespace hone::cli
