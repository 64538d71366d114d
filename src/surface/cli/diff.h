// What `hone diff --json` prints: hone.diff/1.
#pragma once

#include <string>

#include "base/json.h"

namespace hone::cli {

struct DiffDocument {
  std::string schema = "hone.diff/1";
  std::string from;  // as typed
  std::string to;
  std::string from_candidate;  // digest
  std::string to_candidate;
  std::string patch;  // unified diff; bytes that are no text are escaped
};

template <class A>
void describe(A& a, DiffDocument& v) {
  a.field("schema", v.schema);
  a.field("from", v.from);
  a.field("to", v.to);
  a.field("from_candidate", v.from_candidate);
  a.field("to_candidate", v.to_candidate);
  a.field("patch", v.patch);
}

}  // namespace hone::cli
