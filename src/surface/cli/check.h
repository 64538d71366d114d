// What `hone check --contract-only --json` prints: hone.contract/1.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "surface/cli/program.h"

namespace hone::cli {

struct ContractDocument {
  std::string schema = "hone.contract/1";
  std::string name;
  std::string digest;
  uint64_t cases = 0;
  std::vector<CauseDocument> warnings;  // what the contract leaves to be desired; it is sound all the same
};

template <class A>
void describe(A& a, ContractDocument& v) {
  a.field("schema", v.schema);
  a.field("name", v.name);
  a.field("digest", v.digest);
  a.field("cases", v.cases);
  a.field("warnings", v.warnings);
}

}  // namespace hone::cli
