// The tape executor: answers from recorded lines instead of processes and a clock, so that whole campaigns run in
// seconds in tests and golden files. It replaces only what is physical: looks, ledger, events and decisions are the
// ones of every executor.
//
// A tape is JSON lines (docs/tape.md). The first line names the device:
//   {"device":"tape CPU","cores":[0]}
// every other one holds what one candidate does in one case:
//   {"candidate":"<digest prefix or
//   *>","values":{"TILE":"8"},"options":["O3"],"case":"big","verify":"CORRECT","times_ns":[[…],[…]]}
// A line matches a candidate by digest prefix, or by tunable values and options (all given ones must be equal); the
// last matching line wins. times_ns[round][launch] are used in order and wrap around; pairs are formed from two
// candidates' lines. A candidate or case without a line is LAUNCH_ERROR "not on tape". `noise` (a fraction) spreads the
// times by a fixed pseudo-random pattern.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "execute/executor.h"

namespace hone::execute {

struct TapeLine {
  std::optional<std::string> device;
  std::optional<std::vector<int>> cores;
  std::optional<std::string> candidate;
  std::optional<std::map<std::string, std::string>> values;
  std::optional<std::vector<std::string>> options;
  std::optional<std::string> case_id;
  std::optional<std::string> verify;
  std::optional<std::vector<std::vector<double>>> times_ns;
  std::optional<double> noise;
};

template <class A>
void describe(A& a, TapeLine& v) {
  a.field("device", v.device);
  a.field("cores", v.cores);
  a.field("candidate", v.candidate);
  a.field("values", v.values);
  a.field("options", v.options);
  a.field("case", v.case_id);
  a.field("verify", v.verify);
  a.field("times_ns", v.times_ns);
  a.field("noise", v.noise);
}

struct Tape {
  device::Identity identity;
  std::vector<TapeLine> lines;
};

// Failure: contract, with the line number.
Result<Tape> read_tape(const std::filesystem::path& path);
std::unique_ptr<Executor> make_tape_executor(Tape tape);

}  // namespace hone::execute
