// One event of every type with every field filled, in an order that a campaign could have. docs/events.md shows these
// as its worked examples.
#pragma once

#include <string>
#include <vector>

#include "campaign/event.h"

namespace hone::campaign::testing {

// A digest-like name for tests: 64 times one hex digit.
inline std::string digest_of(char hex_digit) { return std::string(64, hex_digit); }

inline Pins sample_pins() {
  return {digest_of('7'),
          digest_of('d'),
          "AMD EPYC 9454",
          "cpu-4f2a",
          {2, 3},
          "g++ 12.2.0",
          "opt-3",
          "cutlass 0123456789ab",
          digest_of('e'),
          "1",
          "0.1.0",
          {},
          DeviceRecord{"amd", "AMD EPYC 9454", {}, 67.4, 48, false, {}, "x86_64"}};
}

inline std::vector<EventBody> sample_opening() {
  return {
      CampaignOpened{
          1, "softmax", {{"task.toml", false, digest_of('1')}}, sample_pins(), "first in the list of devices"},
      Rebaselined{sample_pins()},
      SessionStarted{"hone run softmax --time 40s", "tune", 4711, "81234", 5, 40.0, 120.0, 0.0004, "task"},
      TargetChosen{0.0004, "contract"},
      TailTorn{17, "torn/1"},
      CandidateAdded{
          digest_of('a'), std::nullopt, "baseline", {{"softmax.cc", false, digest_of('2')}}, {{"BLOCK", "1"}}, {}},
      Judged{"j1", "measure aaaa", Question::measure, digest_of('a'), std::nullopt, Outcome::measured, "",
             digest_of('3'), 0.0012, std::nullopt, std::nullopt, std::nullopt, 1.5},
      BaselineSet{digest_of('a'), digest_of('3'), digest_of('4').substr(0, 40), digest_of('5').substr(0, 40),
                  "6:" + digest_of('0'), 1767312006},
      Asked{"verify-9", "hone verify baseline"},
      Diagnosed{digest_of('a'), "memory", "roofline", "low", 0.0003, 0.25, {1, 2}, "moves 8 MiB", {"no profiler"}},
  };
}

inline std::vector<EventBody> sample_experiment() {
  return {
      ExperimentStarted{1, digest_of('a'), 1, "tunables of tier 1", "blocks keep a row in L1", "BLOCK 1 to 64",
                        "latency falls by 20 %", "promote when faster by 1 %"},
      Searched{1, 24, digest_of('b'), 0.61, digest_of('6'), 3.5},
      CandidateOffered{1, digest_of('b')},
      ComparisonCharged{"j2", 1, 0.05, digest_of('b'), digest_of('a')},
      RoundMeasured{"j2", "stage1", 0, 0.49, digest_of('8')},
      ComparisonAbandoned{"j2", "the device changed"},
      Decided{1, ExperimentStatus::improved, Outcome::faster, "confirmed", 0.63, digest_of('9')},
      Promoted{1, 1, digest_of('b'), digest_of('5').substr(0, 40), digest_of('b').substr(0, 40),
               digest_of('c').substr(0, 40), digest_of('9'), "14:" + digest_of('0'), 1767312014},
      Demoted{1, 0, "wrong at m = 1"},
      Parked{digest_of('b'), 1, "loses 0.4 %", "vector loads", 0.1, 4},
      Unparked{digest_of('b'), "expired"},
      DeadEnd{digest_of('a'), "option march", "not faster", "another compiler"},
      BudgetReserved{"j3", 6.0},
      BudgetSettled{"j3", 4.25},
      FinalConfirmed{digest_of('b'), digest_of('9'), 1.63, Interval{1.6, 1.66}},
      Stopped{StopStatus::plateau, "5 experiments below 1 %", 40.5, 1.25},
  };
}

inline std::vector<EventBody> sample_events() {
  std::vector<EventBody> all = sample_opening();
  for (EventBody& body : sample_experiment()) all.push_back(std::move(body));
  return all;
}

}  // namespace hone::campaign::testing
