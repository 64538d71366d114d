// `hone selftest --cheats`: asks the judge about every specimen of the corpus on this machine and holds its answers
// against what they must be; hone.cheats/1. Failure: environment, when the judge cannot run at all. What a specimen
// does is an answer, never an error.
#pragma once

#include <string>
#include <vector>

#include "surface/cli/command.h"
#include "surface/selftest/corpus.h"

namespace hone::cli {

enum class CheatAnswer {
  as_expected,
  unexpected,  // a cheat that was not rejected, or not for its reason; an honest candidate that was
  skipped,     // this machine lacks what the specimen needs; `message` says what
};

struct CheatRow {
  std::string id;
  std::string kind;
  std::string group;
  std::string says;
  std::string expected;
  std::string outcome;
  std::string reason;
  std::string message;
  CheatAnswer answer = CheatAnswer::unexpected;
  double seconds = 0;
};

struct CheatsDocument {
  std::string schema = "hone.cheats/1";
  std::string device;
  std::string toolchain;
  std::vector<std::string> layers;  // of confinement, that were active
  std::vector<CheatRow> rows;
  uint64_t cheats_rejected = 0;
  uint64_t cheats = 0;  // asked about
  uint64_t honest_passed = 0;
  uint64_t honest = 0;
  uint64_t skipped = 0;
  bool passed = false;
};

// `only`: specimens whose id contains it; empty = all.
Result<CheatsDocument> try_cheats(const Context& context, const std::string& only);
std::string to_text(const CheatsDocument& document);

template <class A>
void describe(A& a, CheatRow& v) {
  a.field("id", v.id);
  a.field("kind", v.kind);
  a.field("class", v.group);
  a.field("says", v.says);
  a.field("expected", v.expected);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("message", v.message);
  a.field("answer", v.answer);
  a.field("seconds", v.seconds);
}

template <class A>
void describe(A& a, CheatsDocument& v) {
  a.field("schema", v.schema);
  a.field("device", v.device);
  a.field("toolchain", v.toolchain);
  a.field("layers", v.layers);
  a.field("rows", v.rows);
  a.field("cheats_rejected", v.cheats_rejected);
  a.field("cheats", v.cheats);
  a.field("honest_passed", v.honest_passed);
  a.field("honest", v.honest);
  a.field("skipped", v.skipped);
  a.field("passed", v.passed);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::CheatAnswer> {
  using T = cli::CheatAnswer;
  static constexpr EnumName<T> table[] = {
      {T::as_expected, "as expected"}, {T::unexpected, "UNEXPECTED"}, {T::skipped, "skipped"}};
};
}  // namespace hone
