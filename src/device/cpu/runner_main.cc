#include "device/cpu/runner_main.h"

#include <dlfcn.h>
#include <ffi.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "device/cpu/control_page.h"
#include "device/cpu/futex.h"
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

ffi_type* type_of(const ParameterSlot& parameter) {
  if (parameter.is_buffer != 0) return &ffi_type_pointer;
  switch (parameter.dtype) {
    case task::DType::f64:
      return &ffi_type_double;
    case task::DType::f32:
      return &ffi_type_float;
    case task::DType::i64:
      return &ffi_type_sint64;
    case task::DType::i32:
      return &ffi_type_sint32;
    case task::DType::i16:
      return &ffi_type_sint16;
    case task::DType::i8:
      return &ffi_type_sint8;
    case task::DType::u64:
      return &ffi_type_uint64;
    case task::DType::u32:
      return &ffi_type_uint32;
    case task::DType::u16:
      return &ffi_type_uint16;
    case task::DType::u8:
    case task::DType::boolean:
      return &ffi_type_uint8;
    case task::DType::f16:
    case task::DType::bf16:
      return nullptr;  // no C type carries them by value; the judge refuses them before
  }
  return nullptr;
}

// The call as libffi wants it, prepared once: argument types, and per set the places of the argument values.
class Call {
 public:
  explicit Call(ControlPage& page) : page_(page), pointers_(page.set_count), values_(page.set_count) {}

  bool map_buffers() {
    for (auto& of_set : pointers_) of_set.resize(page_.parameter_count);
    for (uint32_t i = 0; i < page_.buffer_count; ++i) {
      const BufferSlot& slot = page_.buffers[i];
      if (slot.set >= page_.set_count || slot.parameter >= page_.parameter_count) return false;
      std::byte* payload = map_buffer(slot, k_first_buffer_descriptor + static_cast<int>(i));
      if (payload == nullptr) return false;
      pointers_[slot.set][slot.parameter] = payload;
    }
    return true;
  }

  bool prepare() {
    for (uint32_t p = 0; p < page_.parameter_count; ++p) types_.push_back(type_of(page_.parameters[p]));
    if (std::find(types_.begin(), types_.end(), nullptr) != types_.end()) return false;
    for (uint32_t set = 0; set < page_.set_count; ++set) {
      for (uint32_t p = 0; p < page_.parameter_count; ++p) values_[set].push_back(place_of(set, p));
    }
    returns_status_ = page_.returns_status != 0;
    ffi_type* result = returns_status_ ? &ffi_type_sint : &ffi_type_void;
    return ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, page_.parameter_count, result, types_.data()) == FFI_OK;
  }

  int32_t make(void (*function)(), uint32_t set) {
    ffi_arg result = 0;
    ffi_call(&interface_, function, &result, values_[set].data());
    return returns_status_ ? static_cast<int32_t>(result) : 0;
  }

 private:
  void* place_of(uint32_t set, uint32_t parameter) {
    if (page_.parameters[parameter].is_buffer != 0) return &pointers_[set][parameter];
    return &page_.scalars[set][parameter];
  }

  ControlPage& page_;
  std::vector<std::vector<std::byte*>> pointers_;  // [set][parameter]
  std::vector<std::vector<void*>> values_;         // [set][parameter]
  std::vector<ffi_type*> types_;
  ffi_cif interface_{};
  bool returns_status_ = true;
};

// The first process of a namespace is spared its own signals, and abort() would then end in a fault that names nothing.
void name_an_abort() {
  signal(SIGABRT, [](int) { _exit(k_aborted); });
}

bool confine(const ControlPage& page) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (syscall(SYS_close_range, k_page_descriptor, ~0u, 0) != 0) return false;
  const auto threads = page.threads == 1 ? sandbox::Threads::one : sandbox::Threads::many;
  const auto filter = sandbox::make_filter(sandbox::Rules::runner, threads);
  return filter && sandbox::install_filter(*filter) == 0;
}

void report_state(ControlPage& page, RunnerState state) {
  store_word(page.state, static_cast<uint32_t>(state));
  wake_word(page.state);
}

void (*load_entry(ControlPage& page))() {
  void* library = dlopen(page.library, RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : dlsym(library, page.entry);
  if (symbol == nullptr) {
    const char* message = dlerror();
    strncpy(page.message, message == nullptr ? "the entry is null" : message, sizeof page.message - 1);
  }
  return reinterpret_cast<void (*)()>(symbol);
}

void run_launch(ControlPage& page, Call& call, void (*function)()) {
  const uint32_t count = std::min(page.launch_count, k_most_sets);
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t status = call.make(function, std::min(page.order[i], page.set_count - 1));
    if (status != 0 && page.failed_status == 0) page.failed_status = status;
  }
}

[[noreturn]] void serve(ControlPage& page, Call& call, void (*function)()) {
  uint32_t done = 0;
  while (true) {
    const uint32_t asked = load_word(page.go);
    if (asked == done) {
      wait_on_word(page.go, done);
      continue;
    }
    run_launch(page, call, function);
    done = asked;
    store_word(page.finished, done);
    wake_word(page.finished);
  }
}

}  // namespace

int runner_main() {
  ControlPage* page = map_page();
  if (page == nullptr || !makes_sense(*page)) return k_bad_plan;
  Call call(*page);
  if (!call.map_buffers() || !call.prepare()) return k_no_mapping;
  name_an_abort();
  if (!confine(*page)) return k_no_confinement;
  auto* const function = load_entry(*page);
  if (function == nullptr) {
    report_state(*page, RunnerState::load_failed);
    pause();  // the judge ends this process
    return k_bad_plan;
  }
  report_state(*page, RunnerState::ready);
  serve(*page, call, function);
}

}  // namespace hone::device::cpu
