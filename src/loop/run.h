// One `hone run`, walked through its phases: baseline → (diagnose → plan → implement → verify → screen → compare →
// decide → record)*, then a direct confirmation of the best against v0. The engine refuses a phase whose needs are
// missing; it changes state by appending events alone and knows state by folding them alone. Kill it anywhere: the next
// run goes on. Ownership: borrows its services. Failures: usage, contract, environment (changed pins: exit 3), refused
// (a baseline that fails its own oracle: exit 1), interrupted (130, saved), io.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/process.h"
#include "device/ceilings.h"
#include "execute/executor.h"
#include "loop/display.h"
#include "loop/stop.h"
#include "loop/store.h"
#include "propose/proposer.h"

namespace hone::loop {

// How many iterations a run may take. A run is a session, with the interrupted ones that it goes on from.
struct IterationLimit {
  enum class Kind { unlimited, in_all, more };  // more: on top of those that the interrupted sessions took
  Kind kind = Kind::in_all;
  uint64_t count = 0;
};

enum class Pinning { keep, rebaseline };
enum class TargetChoice { contract_or_derived, none };
enum class OnWrongBaseline { stop, repair };

struct RunRequest {
  fs::path task_folder;  // where the user's task is; read when a campaign opens; later only compared, and an edited
                         // contract stops (exit 3)
  fs::path campaign_folder;
  std::string command;                     // for the log
  std::optional<std::string> hidden_file;  // the cases that the contract commits to
  // Limits that are not given: those of the interrupted session that this one goes on from, else five iterations.
  std::optional<IterationLimit> iterations;
  std::optional<Nanoseconds> time_limit;
  std::optional<double> device_seconds_limit;
  std::optional<double> target_seconds;  // from the command line
  TargetChoice target_choice = TargetChoice::contract_or_derived;
  Pinning pinning = Pinning::keep;
  OnWrongBaseline on_wrong_baseline = OnWrongBaseline::stop;
};

struct RunServices {
  Disk* disk = nullptr;
  Clock* clock = nullptr;
  Processes* processes = nullptr;
  Display* display = nullptr;
  execute::Executor* executor = nullptr;
  propose::Proposer* proposer = nullptr;
  std::optional<device::Ceilings> ceilings;
  std::string device_reason;
  std::optional<campaign::DeviceRecord> device;
  std::optional<std::string> selftest;  // the last one of this device, in a sentence
  std::function<bool()> cancelled = [] { return false; };
};

struct RunReport {
  Stop stop;
  bool improved = false;
  uint64_t version = 0;  // of the incumbent
};

Result<RunReport> run(const RunRequest& request, const RunServices& services);

}  // namespace hone::loop
