// `hone tune --json`: every configuration that was tried, in order, and the values of the best one. Ratios are time
// over the time of the best so far; absent where nothing was timed. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::cli {

struct TuneRow {
  std::string group;
  std::string change;
  std::string outcome;
  std::optional<double> ratio;
};

struct TuneDocument {
  std::string schema = "hone.tune/1";
  std::string task;
  uint64_t configurations = 0;
  std::map<std::string, std::string> best_values;
  std::vector<TuneRow> steps;
};

template <class A>
void describe(A& a, TuneRow& v) {
  a.field("group", v.group);
  a.field("change", v.change);
  a.field("outcome", v.outcome);
  a.field("ratio", v.ratio);
}

template <class A>
void describe(A& a, TuneDocument& v) {
  a.field("schema", v.schema);
  a.field("task", v.task);
  a.field("configurations", v.configurations);
  a.field("best_values", v.best_values);
  a.field("steps", v.steps);
}

}  // namespace hone::cli
