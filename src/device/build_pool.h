// BuildPool: several builds at the same time, each Device::compile on a thread of its own and so in confined processes
// of its own. run() returns when all of them have ended: no build runs beside a measurement. What was built lies in the
// artefact cache besides.
// Builds share a machine's memory, disk, processes and time. So a fault or an error counts only of a build that had the
// machine to itself; what failed beside another one is not handed back, and says what is wrong when it is compiled
// again alone. Ownership: devices are borrowed. No failure of its own: where the machine gives fewer threads than asked
// for, fewer work. One thread calls run(), and is one of the workers.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "device/device.h"

namespace hone::device {

struct BuildOrder {
  Device* device = nullptr;
  CompileRequest request;
  friend bool operator==(const BuildOrder&, const BuildOrder&) = default;
};

class BuildPool {
 public:
  // As many as processors that this process may use now; a judge makes its pool before it pins itself to one.
  BuildPool();
  explicit BuildPool(size_t workers);  // at least one

  size_t workers() const { return workers_; }

  // One answer for each order, in their order; equal orders are built once. Absent: to be compiled when its turn comes.
  // `stop` is asked between builds by the calling thread alone; once it says so no further build begins.
  std::vector<std::optional<CompileOutcome>> run(
      std::span<const BuildOrder> orders, const std::function<bool()>& stop = [] { return false; }) const;

 private:
  size_t workers_;
};

}  // namespace hone::device
