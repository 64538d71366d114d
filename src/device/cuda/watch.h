// Watch: the judge's side of a watch on one of NVIDIA's devices (watch_page.h): NVML runs in a confined child, and a
// reading is a look at shared memory without a system call.
// Ownership: the child, ended by the destructor. Failure: io or environment where no child can be started; everything
// after that, a missing NVML, a lost device, a child that died or hangs, is an absent reading. The thread that started
// it must outlive it; otherwise any one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "device/cpu/shared_memory.h"
#include "device/cuda/watch_page.h"
#include "sandbox/spawn.h"

namespace hone::device::cuda {

struct WatchRequest {
  std::string uuid;                                     // "GPU-…", as CUDA or NVML says it
  std::string library = {};                             // NVML's file; empty: its usual name
  std::vector<sandbox::Mount> mounts = {};              // what NVML needs of the machine
  std::map<std::string, std::string> environment = {};  // and of the environment
};

class Watch {
 public:
  static Result<std::unique_ptr<Watch>> start(const WatchRequest& request);
  ~Watch();

  // Absent until the first poll, and where the last one is stale by that clock.
  std::optional<WatchWords> reading(const Clock& clock = SystemClock()) const;
  // How many of hone's own processes compute on the device from now on; said before one more starts.
  void expect(uint64_t processes);

  WatchState state() const;
  const sandbox::Child& child() const { return child_; }

 private:
  Watch(Fd socket, cpu::SharedMemory memory, sandbox::Child child)
      : socket_(std::move(socket)), memory_(std::move(memory)), child_(std::move(child)) {}
  WatchPage& page() const { return *reinterpret_cast<WatchPage*>(memory_.bytes().data()); }

  Fd socket_;
  cpu::SharedMemory memory_;
  sandbox::Child child_;
};

}  // namespace hone::device::cuda
