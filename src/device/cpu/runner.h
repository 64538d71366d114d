// Runner: the judge's side of one confined process that runs foreign host code (docs/runner-protocol.md).
// As an arm of a measurement it stands still (SIGSTOP) outside its own launches; as an oracle it keeps running.
// Launch: clock, thaw, wake … finished word, freeze, clock. Only the judge reads the clock.
//
// Ownership: process, control page and buffers; the destructor kills the process whatever it is doing.
// Failure: what the foreign code does wrong is a Fault, after which the process is dead and every launch answers the
// same fault; errors are the machine's. One thread, the one that started it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cpu/buffers.h"
#include "device/cpu/run_delay.h"
#include "device/device.h"
#include "sandbox/spawn.h"

namespace hone::device::cpu {

enum class BetweenLaunches { frozen, running };

struct RunnerRequest {
  sandbox::Profile profile = sandbox::Profile::runner;
  BetweenLaunches between = BetweenLaunches::frozen;
  sandbox::System system = sandbox::System::runtime;
  CalleeKind callee = CalleeKind::library;
  std::filesystem::path library;                        // as control_page.h; may be deleted once start has returned
  std::string entry;                                    // the function that is called where no step says another
  std::string processor = {};                           // of OpenCL
  std::map<std::string, Returns> returns;               // of the functions; one that is not named returns a status
  std::vector<LaunchStep> steps = {};                   // all that will be asked for
  std::vector<sandbox::Mount> mounts = {};              // besides the library
  std::map<std::string, std::string> environment = {};  // besides what every runner has
  uint64_t room_bytes = 256ull << 20;                   // of address space, without which nothing runs
  std::vector<ParameterLayout> parameters;
  int sets = 1;
  int threads = 1;
  std::vector<int> cores;                    // the first `threads` of them are used; empty = wherever the kernel likes
  uint64_t memory_limit_bytes = 8ull << 30;  // of the whole process, its buffers included
  Nanoseconds start_deadline = std::chrono::seconds(20);
};

class Runner;

struct RunnerStart {
  std::unique_ptr<Runner> runner;  // or
  std::optional<Fault> fault;
};

class Runner {
 public:
  static Result<RunnerStart> start(const RunnerRequest& asked, LayoutDice& dice);

  const Buffers& buffers() const { return buffers_; }
  const std::vector<ParameterLayout>& parameters() const { return request_.parameters; }
  int sets() const { return request_.sets; }
  sandbox::LayerSet layers() const { return child_.layers(); }
  pid_t pid() const { return child_.pid(); }

  // Only between launches. The value is converted to the parameter's type.
  void set_scalar(int set, size_t parameter, const task::BoundValue& value);
  void set_local(int set, size_t parameter, uint64_t bytes);
  // None: the function that is called where no step says another, with everything.
  Status set_steps(int set, std::span<const LaunchStep> steps);
  Result<LaunchOutcome> launch(std::span<const int> sets, Nanoseconds deadline);

 private:
  enum class Waited { done, ended, too_late };

  Runner(RunnerRequest request, SharedMemory page, Buffers buffers, Fd output, sandbox::Child child);
  ControlPage& page() const { return *reinterpret_cast<ControlPage*>(page_.bytes().data()); }

  std::optional<Fault> wait_until_ready();
  template <class Done>
  Waited wait_for(uint32_t& word, Done done, Nanoseconds deadline);
  uint32_t write_order(std::span<const int> sets);
  std::optional<Shares> shares() const;
  std::optional<Fault> fault_of(Waited waited);
  size_t thread_limit() const;
  Result<std::optional<Fault>> check_threads();
  Status pin_new_threads(std::span<const pid_t> threads);
  Fault dead(FaultKind kind, int value, std::string message);
  LaunchOutcome remember(Fault fault);

  RunnerRequest request_;
  std::vector<std::string> kernels_;  // or functions, as the page numbers them
  SharedMemory page_;
  Buffers buffers_;
  Fd output_;
  sandbox::Child child_;
  size_t own_threads_ = 1;  // before any foreign code is part of the process
  std::vector<pid_t> pinned_;
  RunDelay arm_time_;
  RunDelay judge_time_;
  std::optional<Fault> fault_;
};

}  // namespace hone::device::cpu
