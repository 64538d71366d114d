#include "device/cuda/watch_main.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/cuda/conditions.h"
#include "device/cuda/watcher.h"

namespace hone::device::cuda {

namespace {

void set_state(WatchPage& page, WatchState state) {
  __atomic_store_n(&page.state, static_cast<uint32_t>(state), __ATOMIC_RELEASE);
}

template <size_t size>
std::string text_of(const char (&bytes)[size]) {
  return {bytes, strnlen(bytes, size)};
}

// The judge never writes: whatever comes is its end.
bool hung_up() {
  pollfd judge{k_watch_socket, POLLIN, 0};
  return poll(&judge, 1, static_cast<int>(k_poll_interval / std::chrono::milliseconds(1))) != 0;
}

WatchState watch(WatchPage& page, const NvmlLibrary& nvml, NvmlDevice device) {
  Watcher watcher(nvml, device);
  const SystemClock clock;
  do {
    const uint64_t expected = __atomic_load_n(&page.expected_processes, __ATOMIC_RELAXED);
    if (!watcher.poll(clock.now(), expected)) return WatchState::lost_device;
    publish(page, watcher.words());
    set_state(page, WatchState::watching);
  } while (!hung_up());
  return WatchState::watching;
}

WatchState run(WatchPage& page) {
  const auto nvml = NvmlLibrary::start(text_of(page.library));
  if (!nvml) return WatchState::no_library;
  const auto found = nvml->find(text_of(page.uuid));
  const WatchState end = found ? watch(page, *nvml, found->device) : WatchState::no_device;
  nvml->shutdown();
  return end;
}

}  // namespace

int watch_main() {
  void* mapped = mmap(nullptr, sizeof(WatchPage), PROT_READ | PROT_WRITE, MAP_SHARED, k_watch_page, 0);
  if (mapped == MAP_FAILED) _exit(1);
  auto& page = *static_cast<WatchPage*>(mapped);
  if (page.version != k_watch_version) _exit(1);
  set_state(page, run(page));
  // Drivers' exit handlers are not worth running: all is said.
  _exit(0);
}

}  // namespace hone::device::cuda
