// Launcher: the judge's side of one launcher process (docs/launcher-protocol.md): one context on one device. It knows
// streams of the launches it was given and nothing else.
// Ownership: the process; the destructor kills it whatever it is doing. Failure: environment or io, where the launcher
// cannot be started, dies outside a launch or talks nonsense; what the candidate does wrong is a Fault, after which
// is_alive() may be false and a new launcher is needed. One thread, the one that started it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "device/cpu/shared_memory.h"
#include "device/launcher/driver.h"
#include "device/launcher/wire.h"
#include "sandbox/spawn.h"

namespace hone::device::launcher {

// A program that starts the launcher and watches it, in a profile of its own: a vendor's checker of device code.
struct Checker {
  std::vector<std::string> argv;  // its path first; the launcher's own comes behind
  std::vector<sandbox::Mount> mounts;
  int output = -1;  // borrowed: where it prints
};

struct LauncherRequest {
  std::string backend;  // "cuda", "opencl", "hip"
  std::string uuid;     // empty: its first device
  std::vector<int> cores;
  Placing placing = Placing::guarded;
  std::optional<Checker> checker = {};
};

// What an order came to.
struct Answered {
  std::string packet;          // the reply behind Verb and success
  std::optional<Fault> fault;  // the launcher died of the order, or missed its deadline
};

class Launcher {
 public:
  static Result<std::unique_ptr<Launcher>> start(const LauncherRequest& request);

  const DeviceFacts& facts() const { return facts_; }
  sandbox::LayerSet layers() const { return child_.layers(); }
  std::span<std::byte> area() const { return area_.bytes(); }
  bool is_alive() const { return alive_; }

  // Orders with a reply. A death or a missed deadline is a fault of whoever is loaded.
  Result<Answered> ask(Verb verb, const Packet& order, Nanoseconds deadline);
  // Orders without one.
  Status tell(Verb verb, const Packet& order);
  // Hangs up and waits for its end, or ends it. Nothing: it had to be ended.
  std::optional<sandbox::Ending> finish(Nanoseconds patience);

 private:
  Launcher(Fd socket, cpu::SharedMemory area, sandbox::Child child)
      : socket_(std::move(socket)), area_(std::move(area)), child_(std::move(child)) {}
  Status open(const LauncherRequest& request);
  Fault death(FaultKind kind, std::string message);

  Fd socket_;
  cpu::SharedMemory area_;
  sandbox::Child child_;
  DeviceFacts facts_;
  bool alive_ = true;
  std::string room_ = std::string(k_most_packet_bytes, '\0');  // for a reply
};

}  // namespace hone::device::launcher
