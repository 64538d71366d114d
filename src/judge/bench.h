// Bench: where candidates are built, checked and timed. The questions (judge/questions.h) drive it and decide nothing
// physical; DeviceBench works on a device, a tape answers from recorded lines, tests use a fake. Failures of a
// candidate are Failure values that name the arm; Result errors mean that the machine or hone failed. One thread; the
// bench lives for one job.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "campaign/verdict.h"
#include "judge/job.h"
#include "judge/times.h"
#include "task/candidate.h"

namespace hone::judge {

// Why an arm is out: becomes the verdict.
struct Failure {
  campaign::Outcome outcome = campaign::Outcome::runtime_error;
  ArmName arm = ArmName::candidate;
  std::string reason;
  std::string message;  // one sentence, trusted
  std::string details;  // untrusted text, capped
  std::optional<campaign::Mismatch> mismatch;
};

struct TrialsAnswer {
  campaign::Correctness counts;  // of these trials alone
  std::optional<Failure> failure;
};

struct RoundRequest {
  std::string stage;
  uint64_t index = 0;
};

struct RoundAnswer {
  std::optional<RoundRecord> record;  // or
  std::optional<Failure> failure;
  uint64_t pair_checks = 0;    // launches whose tiles were compared with their pair
  uint64_t oracle_checks = 0;  // launches whose whole output was compared with the oracle
};

struct MeasureAnswer {
  LaunchTimes times;
  uint64_t oracle_checks = 0;  // timed launches whose whole output was compared with the oracle
  std::optional<Failure> failure;
};

struct ScreenAnswer {
  campaign::ScreenResult result;   // of the candidate, whose own failure is an outcome there
  std::optional<Failure> failure;  // of the incumbent: then nothing was learned about the candidate
};

struct CaseFloor {
  std::string case_id;
  double weight = 1;
  std::optional<double> floor_s;
  std::optional<std::string> binding;
  std::optional<double> bytes;
  std::optional<double> flops;
};

// The impostor panel of a task: which wrong answers the contract lets pass.
struct AdmissionAnswer {
  std::optional<Failure> failure;  // CONTRACT_ERROR naming the impostor, INVALID_REFERENCE
  uint64_t impostors_rejected = 0;
  uint64_t cases = 0;
  double slowest_oracle_seconds = 0;
};

// Both arms by the judge's own clock over many launches: records of one quad a case, nanoseconds a launch, for each
// time that it was measured. Empty where the judge's clock decides anyway, or windows cannot be had; a note says why.
struct WindowsAnswer {
  std::vector<RoundRecord> records;
  std::optional<Failure> failure;
  uint64_t oracle_checks = 0;
  std::string note;
};

// What the device's checker saw of the candidate; no record where a device has none.
struct SanitizerAnswer {
  std::optional<campaign::Sanitizing> record;
  std::optional<Failure> failure;
};

// Seconds, and the machine the answers came from.
struct BenchReport {
  double device_seconds = 0;
  double oracle_seconds = 0;
  // Wall time that was waited for builds of arms, and of what was built ahead beside them (the reference, v0): builds
  // at the same time count once, what the cache had counts next to nothing.
  double build_seconds = 0;
  std::map<std::string, double> step_seconds;  // campaign/verdict.h
  std::vector<campaign::KernelUse> kernels;    // of the candidate
  std::string device_key;
  std::string device_name;
  std::string trust;
  std::string toolchain;
  std::vector<std::string> layers;
  std::vector<std::string> notes;
};

class Bench {
 public:
  virtual ~Bench() = default;
  // Compiles what build() and screen() will be asked for next, and with the first call the reference and v0: several at
  // once, all ended when it returns. A hint: whatever fails here fails again when its turn comes, and is told then.
  // `stop` is asked between builds.
  virtual void build_ahead(std::span<const task::Candidate> candidates, const std::function<bool()>& stop) {
    std::ignore = std::tuple(candidates, stop);
  }
  // How many of them it compiles at the same time.
  virtual size_t build_workers() const { return 1; }
  virtual Result<std::optional<Failure>> build(ArmName arm, const task::Candidate& candidate) = 0;
  // Trials [first, first + count) of the job's secret schedule; every case comes up, timed ones first.
  virtual Result<TrialsAnswer> verify(ArmName arm, uint64_t first, uint64_t count) = 0;
  // Fresh single-launch processes with complete outputs, each distribution once per case.
  virtual Result<TrialsAnswer> scrutinise(ArmName arm) = 0;
  virtual Result<AdmissionAnswer> admit() = 0;
  virtual Result<RoundAnswer> round(const RoundRequest& request) = 0;
  virtual Result<WindowsAnswer> windows() { return WindowsAnswer{}; }
  // Every shape of a launch that the contract shows once, below the device's checker of what kernels do.
  virtual Result<SanitizerAnswer> sanitize() { return SanitizerAnswer{}; }
  virtual Result<MeasureAnswer> measure(ArmName arm, Nanoseconds time_limit) = 0;
  // Rough ratio of the candidate's time to the incumbent's; one checked launch first. Builds the candidate itself.
  virtual Result<ScreenAnswer> screen(const task::Candidate& candidate, Nanoseconds time_limit) = 0;
  // Physical floors per timed case; `again` measures the binding ceiling anew and keeps the larger rate.
  virtual Result<std::vector<CaseFloor>> floors(bool again) = 0;
  virtual BenchReport report() const = 0;
};

}  // namespace hone::judge
