// What `hone init --json` prints: hone.init/1.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace hone::cli {

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
