#include "device/cpu/runner_main.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "device/cpu/callee.h"
#include "device/cpu/futex.h"
#include "device/opencl/host_kernels.h"
#include "sandbox/seccomp.h"

namespace hone::device::cpu {

namespace {

ControlPage* map_page() {
  void* page =
      mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, k_page_descriptor, 0);
  return page == MAP_FAILED ? nullptr : static_cast<ControlPage*>(page);
}

bool makes_sense(const ControlPage& page) {
  return page.version == k_protocol_version && page.parameter_count <= k_most_parameters &&
         page.buffer_count <= k_most_buffers && page.set_count >= 1 && page.set_count <= k_most_sets;
}

// An address range of `bytes` at a multiple of `align`, reserved from a larger one.
std::byte* reserve_aligned(uint64_t bytes, uint64_t align) {
  void* range = mmap(nullptr, bytes + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(range);
  const uintptr_t aligned = (start + align - 1) / align * align;
  if (aligned > start) munmap(range, aligned - start);
  if (aligned < start + align) munmap(reinterpret_cast<void*>(aligned + bytes), start + align - aligned);
  return reinterpret_cast<std::byte*>(aligned);
}

// Populated, so that no page fault of ours falls into a timed launch.
std::byte* map_buffer(const BufferSlot& slot, int fd) {
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  std::byte* place = reserve_aligned(slot.map_bytes, std::max(slot.align_bytes, page_bytes));
  if (place == nullptr) return nullptr;
  const int access = slot.writable != 0 ? PROT_READ | PROT_WRITE : PROT_READ;
  void* mapped = mmap(place, slot.map_bytes, access, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0);
  return mapped == MAP_FAILED ? nullptr : place + slot.payload_offset;
}

bool map_buffers(const ControlPage& page, Payloads& payloads) {
  payloads.assign(page.set_count, std::vector<std::byte*>(page.parameter_count, nullptr));
  for (uint32_t i = 0; i < page.buffer_count; ++i) {
    const BufferSlot& slot = page.buffers[i];
    if (slot.set >= page.set_count || slot.parameter >= page.parameter_count) return false;
    std::byte* payload = map_buffer(slot, k_first_buffer_descriptor + static_cast<int>(i));
    if (payload == nullptr) return false;
    payloads[slot.set][slot.parameter] = payload;
  }
  return true;
}

struct CalleeRow {
  CalleeKind kind;
  std::unique_ptr<Callee> (*make)(const ControlPage& page, const Payloads& payloads);
};

constexpr CalleeRow k_callees[] = {{CalleeKind::library, make_library_call},
                                   {CalleeKind::opencl, opencl::make_host_kernels}};

std::unique_ptr<Callee> make_callee(const ControlPage& page, const Payloads& payloads) {
  for (const CalleeRow& row : k_callees) {
    if (row.kind == page.callee) return row.make(page, payloads);
  }
  return nullptr;
}

// The first process of a namespace is spared its own signals, and abort() would then end in a fault that names nothing.
void name_an_abort() {
  signal(SIGABRT, [](int) { _exit(k_aborted); });
}

// Whatever OpenCL needs of threads it has started by now.
bool confine(const ControlPage& page) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (syscall(SYS_close_range, k_page_descriptor, ~0u, 0) != 0) return false;
  const bool starts_threads = page.callee == CalleeKind::library && page.threads > 1;
  const auto filter =
      sandbox::make_filter(sandbox::Rules::runner, starts_threads ? sandbox::Threads::many : sandbox::Threads::one);
  return filter && sandbox::install_filter(*filter) == 0;
}

void report_state(ControlPage& page, RunnerState state) {
  store_word(page.state, static_cast<uint32_t>(state));
  wake_word(page.state);
}

// The judge ends this process.
[[noreturn]] void report_failure(ControlPage& page, const std::string& message) {
  message.copy(page.message, sizeof page.message - 1);
  report_state(page, RunnerState::load_failed);
  pause();
  _exit(k_bad_plan);
}

void run_launch(ControlPage& page, Callee& callee) {
  const uint32_t count = std::min(page.launch_count, k_most_sets);
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t status = callee.call(std::min(page.order[i], page.set_count - 1));
    if (status != 0 && page.failed_status == 0) page.failed_status = status;
  }
}

[[noreturn]] void serve(ControlPage& page, Callee& callee) {
  uint32_t done = 0;
  while (true) {
    const uint32_t asked = load_word(page.go);
    if (asked == done) {
      wait_on_word(page.go, done);
      continue;
    }
    run_launch(page, callee);
    done = asked;
    store_word(page.finished, done);
    wake_word(page.finished);
  }
}

}  // namespace

int runner_main() {
  ControlPage* page = map_page();
  if (page == nullptr || !makes_sense(*page)) return k_bad_plan;
  Payloads payloads;
  if (!map_buffers(*page, payloads)) return k_no_mapping;
  const std::unique_ptr<Callee> callee = make_callee(*page, payloads);
  if (callee == nullptr) return k_bad_plan;
  if (const std::string fault = callee->prepare(); !fault.empty()) report_failure(*page, fault);
  name_an_abort();
  if (!confine(*page)) return k_no_confinement;
  if (const std::string fault = callee->load(); !fault.empty()) report_failure(*page, fault);
  report_state(*page, RunnerState::ready);
  serve(*page, *callee);
}

}  // namespace hone::device::cpu
