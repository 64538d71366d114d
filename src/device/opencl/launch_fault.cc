#include "device/opencl/launch_fault.h"

#include <fmt/format.h>

namespace hone::device::opencl {

namespace {

struct FaultRow {
  ClStatus status;
  FaultKind kind;
  const char* words;
};

constexpr FaultRow k_faults[] = {
    {ClStatus::out_of_resources, FaultKind::launch_refused, "the device has too few resources for its launch"},
    {ClStatus::invalid_work_group_size, FaultKind::launch_refused, "the driver refuses the size of its work groups"},
    {ClStatus::invalid_work_item_size, FaultKind::launch_refused, "the driver refuses the size of its work groups"},
    {ClStatus::invalid_global_work_size, FaultKind::launch_refused, "the driver refuses the size of its grid"},
    {ClStatus::invalid_arg_index, FaultKind::launch_refused, "the kernel has fewer parameters than the contract"},
    {ClStatus::invalid_arg_size, FaultKind::launch_refused,
     "a parameter of the kernel has another size than the contract's"},
    {ClStatus::invalid_arg_value, FaultKind::launch_refused,
     "a parameter of the kernel is of another kind than the contract's"},
    {ClStatus::invalid_kernel_args, FaultKind::launch_refused, "the kernel has more parameters than the contract"},
    {ClStatus::mem_object_allocation_failure, FaultKind::memory, "the device has too little memory left for it"},
    {ClStatus::exec_status_error_for_events, FaultKind::crashed, "it failed while it ran"},
};

}  // namespace

std::optional<Fault> fault_of_launch(ClStatus status) {
  for (const FaultRow& row : k_faults) {
    if (row.status == status)
      return Fault{row.kind, static_cast<int>(status), fmt::format("{} ({})", row.words, name_of(status)), {}};
  }
  return std::nullopt;
}

}  // namespace hone::device::opencl
