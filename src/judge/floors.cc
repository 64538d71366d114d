// Floors of DeviceBench: what the ceilings say of each timed case, and the binding ceiling measured again when it is
// doubted.
#include <algorithm>

#include "device/backends.h"
#include "device/cpu/calibrate.h"
#include "device/cpu/empty_launch.h"
#include "device/launcher/calibrate.h"
#include "diagnose/roofline.h"
#include "judge/constants.h"
#include "judge/device_bench.h"

namespace hone::judge {

namespace {

double total(const std::map<task::DType, double>& flops) {
  double sum = 0;
  for (const auto& [dtype, count] : flops) sum += count;
  return sum;
}

CaseFloor describe_case(const task::BoundCase& bound, const std::optional<diagnose::Floor>& floor) {
  CaseFloor out{bound.id, bound.weight, {}, {}, {}, {}};
  const diagnose::Traffic traffic = diagnose::traffic_of(bound);
  out.bytes = traffic.read_bytes + traffic.written_bytes;
  if (!bound.flops.empty()) out.flops = total(bound.flops);
  if (!floor) return out;
  out.floor_s = floor->seconds;
  out.binding = floor->binding.name;
  return out;
}

}  // namespace

// The binding ceiling by the kernels that measured it: on cores those of the processor, else the device's.
Status DeviceBench::measure_again(const diagnose::FloorTerm& term) {
  const device::Identity& identity = device_.identity();
  const int threads = task_.limits.threads;
  if (term.resource == diagnose::Resource::memory) {
    HONE_TRY(const auto again, identity.is_of_cores()
                                   ? device::cpu::measure_level(identity, threads, term.name, k_again_seconds)
                                   : device::launcher::measure_level(device_, term.name, k_again_seconds));
    device::raise(*ceilings_, again);
  } else if (term.resource == diagnose::Resource::arithmetic) {
    // Of cores alone: no floor follows from a device's rates.
    HONE_TRY(const auto again, device::cpu::measure_arithmetic(identity, threads, term.name, k_again_seconds));
    device::raise(*ceilings_, again);
  } else {
    HONE_TRY(const double again, empty_launch_again());
    ceilings_->empty_launch_seconds = std::min(ceilings_->empty_launch_seconds.value_or(again), again);
  }
  return ok();
}

Result<double> DeviceBench::empty_launch_again() {
  const device::Identity& identity = device_.identity();
  if (!identity.is_of_cores()) return device::launcher::measure_empty_launch(device_, k_again_seconds);
  HONE_TRY(const auto host, device::open_host({identity.cores, task_.limits.threads}));
  return device::cpu::measure_empty_launch(*host, task_.limits.threads);
}

Result<std::vector<CaseFloor>> DeviceBench::floors(bool again) {
  std::vector<CaseFloor> floors;
  for (const CaseContent* content : timed_) {
    std::optional<diagnose::Floor> floor;
    if (ceilings_) floor = diagnose::floor_of(content->bound(), *ceilings_, task_.policy.cache);
    if (floor && again) {
      HONE_CHECK(measure_again(floor->binding));
      floor = diagnose::floor_of(content->bound(), *ceilings_, task_.policy.cache);
    }
    floors.push_back(describe_case(content->bound(), floor));
  }
  return floors;
}

}  // namespace hone::judge
