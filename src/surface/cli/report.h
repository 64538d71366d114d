// What `hone report --json` prints about several campaigns: hone.reports/1. About one it is hone.report/1
// (report/summary.h).
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "report/summary.h"

namespace hone::cli {

struct ReportsDocument {
  std::string schema = "hone.reports/1";
  std::vector<report::Summary> reports;
};

template <class A>
void describe(A& a, ReportsDocument& v) {
  a.field("schema", v.schema);
  a.field("reports", v.reports);
}

}  // namespace hone::cli
