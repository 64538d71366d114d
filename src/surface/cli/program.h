// An error as a document: hone.error/1, what --json prints when a command fails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace hone::cli {

// One of the errors behind an error.
struct CauseDocument {
  std::string what;
  std::optional<std::string> where;
  std::optional<std::string> why;
  std::optional<std::string> help;
};

struct ErrorDocument {
  std::string schema = "hone.error/1";
  ErrorCode code = ErrorCode::internal;
  std::string what;
  std::optional<std::string> where;
  std::optional<std::string> why;
  std::optional<std::string> help;
  std::vector<CauseDocument> causes;  // each followed by its own causes
};

template <class A>
void describe(A& a, CauseDocument& v) {
  a.field("what", v.what);
  a.field("where", v.where);
  a.field("why", v.why);
  a.field("do", v.help);
}

template <class A>
void describe(A& a, ErrorDocument& v) {
  a.field("schema", v.schema);
  a.field("code", v.code);
  a.field("what", v.what);
  a.field("where", v.where);
  a.field("why", v.why);
  a.field("do", v.help);
  a.field("causes", v.causes);
}

ErrorDocument to_document(const Error& error);

}  // namespace hone::cli
