#include "device/opencl/host_kernels.h"

#include <algorithm>
#include <array>

#include "base/disk.h"
#include "device/opencl/choose.h"
#include "device/opencl/opencl_library.h"
#include "device/opencl/programs.h"

namespace hone::device::opencl {

namespace {

using cpu::ControlPage;
using cpu::Payloads;
using cpu::StepSlot;

class HostKernels final : public cpu::Callee {
 public:
  HostKernels(const ControlPage& page, const Payloads& payloads) : page_(page), payloads_(payloads) {}

  std::string prepare() override;
  std::string load() override { return ""; }  // with a kernel's first launch its code becomes part of the process
  int32_t call(uint32_t set) override;

 private:
  Status open();
  Status take_kernels();
  Status make_buffers();
  ClStatus set_argument(Kernel kernel, uint32_t index, uint32_t set, uint32_t parameter);
  ClStatus start(const StepSlot& step, uint32_t set);

  const ControlPage& page_;
  const Payloads& payloads_;
  OpenclLibrary cl_;
  Device device_ = nullptr;
  Context context_ = nullptr;
  Queue queue_ = nullptr;
  std::vector<Kernel> kernels_;
  std::vector<std::vector<Memory>> buffers_;  // [set][parameter]
};

std::string HostKernels::prepare() {
  for (const auto step : {&HostKernels::open, &HostKernels::take_kernels, &HostKernels::make_buffers}) {
    if (const Status done = (this->*step)(); !done) return done.error().what;
  }
  return "";
}

Status HostKernels::open() {
  HONE_TRY(cl_, OpenclLibrary::open());
  HONE_TRY(const Chosen chosen, choose_processor(cl_, page_.processor));
  device_ = chosen.device;
  HONE_TRY(context_, make_context(cl_, device_));
  ClStatus status = ClStatus::success;
  queue_ = cl_.create_command_queue(context_, device_, 0, &status);
  return cl_.check(status, "make a queue");
}

Status HostKernels::take_kernels() {
  HONE_TRY(const std::string binary, read_file(page_.library));
  HONE_TRY(const Program program, program_of(cl_, context_, device_, binary));
  for (uint32_t i = 0; i < page_.kernel_count; ++i) {
    ClStatus status = ClStatus::success;
    kernels_.push_back(cl_.create_kernel(program, page_.kernels[i], &status));
    HONE_CHECK(cl_.check(status, std::string("find the kernel '") + page_.kernels[i] + "'"));
  }
  return ok();
}

// In place: what the runner mapped is what kernels work on.
Status HostKernels::make_buffers() {
  buffers_.assign(page_.set_count, std::vector<Memory>(page_.parameter_count, nullptr));
  for (uint32_t i = 0; i < page_.buffer_count; ++i) {
    const cpu::BufferSlot& slot = page_.buffers[i];
    const Flags access = slot.writable != 0 ? k_mem_read_write : k_mem_read_only;
    ClStatus status = ClStatus::success;
    buffers_[slot.set][slot.parameter] =
        cl_.create_buffer(context_, access | k_mem_use_host_ptr, slot.map_bytes - slot.payload_offset,
                          payloads_[slot.set][slot.parameter], &status);
    HONE_CHECK(cl_.check(status, "use a buffer in place"));
  }
  return ok();
}

ClStatus HostKernels::set_argument(Kernel kernel, uint32_t index, uint32_t set, uint32_t parameter) {
  const uint64_t& bits = page_.scalars[set][parameter];
  switch (page_.parameters[parameter].kind) {
    case ParameterKind::buffer:
      return cl_.set_kernel_arg(kernel, index, sizeof(Memory), &buffers_[set][parameter]);
    case ParameterKind::local:
      return cl_.set_kernel_arg(kernel, index, bits, nullptr);
    case ParameterKind::value:
      return cl_.set_kernel_arg(kernel, index, task::size_bytes(page_.parameters[parameter].dtype), &bits);
    case ParameterKind::tensor_map:  // CUDA's alone
      break;
  }
  return ClStatus::invalid_arg_index;
}

ClStatus HostKernels::start(const StepSlot& step, uint32_t set) {
  const Kernel kernel = kernels_[step.kernel];
  for (uint32_t i = 0; i < step.argument_count; ++i) {
    if (const ClStatus status = set_argument(kernel, i, set, step.arguments[i]); status != ClStatus::success)
      return status;
  }
  std::array<size_t, 3> global{};
  std::array<size_t, 3> local{};
  for (size_t d = 0; d < 3; ++d) {
    local[d] = step.block[d];
    global[d] = static_cast<size_t>(step.grid[d]) * step.block[d];
  }
  return cl_.enqueue_nd_range_kernel(queue_, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr, nullptr);
}

int32_t HostKernels::call(uint32_t set) {
  ClStatus status = ClStatus::success;
  for (uint32_t i = 0; i < page_.step_count[set] && status == ClStatus::success; ++i)
    status = start(page_.steps[set][i], set);
  const ClStatus finished = cl_.finish(queue_);
  return static_cast<int32_t>(status == ClStatus::success ? finished : status);
}

}  // namespace

std::unique_ptr<cpu::Callee> make_host_kernels(const ControlPage& page, const Payloads& payloads) {
  return std::make_unique<HostKernels>(page, payloads);
}

}  // namespace hone::device::opencl
