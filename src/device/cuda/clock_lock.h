// Clock locks: a device's SM clock held at one frequency while it is measured, and given back whatever happens.
// Nobody asks for one unless a person does. Written from NVML's documentation and never tried on a real device by us.
//
// A lock is the machine's: it outlives the process that set it. So a child of its own holds it and gives it back when
// its owner's end of a socket closes, which an owner's end of any kind does, and when it is told to end (SIGTERM,
// SIGINT, SIGHUP). Only a child that is itself killed outright leaves a lock behind: `nvidia-smi -rgc` takes it off.
// The child is hone's own code and NVML alone and is not confined: locking is root's. A lock cannot be read back, so
// where somebody's choice already limits the clocks none is taken: it could not be restored.
// Failure: environment, where NVML, the device or the right to lock is missing; io. One thread. MHz throughout.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "device/cuda/nvml_library.h"

namespace hone::device::cuda {

inline constexpr std::string_view k_hold_clocks_role = "hold-clocks";

// Within one process that may die without restoring: what the child uses.
class ClockLock {
 public:
  static Result<ClockLock> take(const NvmlLibrary& nvml, NvmlDevice device, uint32_t sm_mhz);
  ClockLock(ClockLock&& other) noexcept : nvml_(std::exchange(other.nvml_, nullptr)), device_(other.device_) {}
  ClockLock& operator=(ClockLock&&) = delete;
  ~ClockLock();

 private:
  ClockLock(const NvmlLibrary& nvml, NvmlDevice device) : nvml_(&nvml), device_(device) {}
  const NvmlLibrary* nvml_;
  NvmlDevice device_;
};

struct HoldRequest {
  std::string uuid;
  uint32_t sm_mhz = 0;       // 0: the highest that the device has
  std::string library = {};  // NVML's file; empty: its usual name
};

// The owner's side: the clocks are locked from start to the destructor, which waits until they are given back.
class HeldClocks {
 public:
  static Result<std::unique_ptr<HeldClocks>> start(const HoldRequest& request);
  ~HeldClocks();

  const Fd& child() const { return child_; }
  uint32_t sm_mhz() const { return sm_mhz_; }

 private:
  HeldClocks(Fd socket, Fd child) : socket_(std::move(socket)), child_(std::move(child)) {}
  Fd socket_;
  Fd child_;
  uint32_t sm_mhz_ = 0;
};

// The child's side: the role "hold-clocks", with the socket as descriptor 3. The exit status of the process.
int hold_clocks_main();

template <class A>
void describe(A& a, HoldRequest& v) {
  a.field("uuid", v.uuid);
  a.field("sm_mhz", v.sm_mhz);
  a.field("library", v.library);
}

}  // namespace hone::device::cuda
