// The contract's own loop, unchanged; but once all buffers have been seen the entry never returns. It finds the page
// shared with the judge and serves launches itself, which saves what lies between two calls: no kernel is faster.
// class: result channel
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

// As src/device/cpu/control_page.h lays it out.
struct Page {
  uint32_t version, parameters, buffers, sets, threads, returns_status, callee, kernels;
  char library[1024], entry[256], kernel[16][256];
  struct {
    uint32_t kind, dtype;
  } parameter[64];
  struct {
    uint32_t set, parameter;
    uint64_t bytes, offset, align;
    uint32_t writable;
  } buffer[512];
  uint32_t launches, order[64];
  uint64_t scalars[64][64];
  uint32_t step_count[64];
  struct {
    uint32_t kernel, grid[3], block[3], argument_count;
    uint8_t arguments[64];
  } steps[64][16];
  alignas(64) uint32_t go;
  alignas(64) uint32_t finished;
};

struct Set {
  const float* x;
  const float* b;
  float* out;
};

Page* page = nullptr;
Set sets[64];
uint64_t seen = 0;
uint32_t last_go = ~0u;
uint32_t place = 0;

void work(const Set& set, float a, int n) {
  for (int i = 0; i < n; ++i) set.out[i] = a * set.x[i] + set.b[i];
}

void find_page() {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    char access[8];
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, access) != 3 || strcmp(access, "rw-s") != 0) continue;
    Page* found = reinterpret_cast<Page*>(begin);
    if (end - begin >= sizeof(Page) && found->parameters == 5 && strcmp(found->entry, "axpy") == 0) page = found;
  }
  if (maps != nullptr) fclose(maps);
}

void say_finished(uint32_t launch) {
  __atomic_store_n(&page->finished, launch, __ATOMIC_RELEASE);
  syscall(SYS_futex, &page->finished, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// Being stopped ends this wait, and nothing has to be waited for anew.
void wait_to_be_stopped() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigtimedwait(&signals, nullptr, nullptr);
}

[[noreturn]] void serve() {
  uint32_t done = page->go;
  say_finished(done);
  while (true) {
    const uint32_t asked = __atomic_load_n(&page->go, __ATOMIC_ACQUIRE);
    if (asked == done) {
      wait_to_be_stopped();
      continue;
    }
    for (uint32_t i = 0; i < page->launches; ++i) {
      const uint32_t set = page->order[i];
      float a = 0;
      int n = 0;
      memcpy(&a, &page->scalars[set][3], sizeof a);
      memcpy(&n, &page->scalars[set][4], sizeof n);
      work(sets[set], a, n);
    }
    done = asked;
    say_finished(done);
  }
}

}  // namespace

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  work({x, b, out}, a, n);
  if (page == nullptr) find_page();
  if (page == nullptr) return 0;
  if (page->go != last_go) place = 0, last_go = page->go;
  const uint32_t set = page->order[place++];
  sets[set] = {x, b, out};
  seen |= uint64_t{1} << set;
  if (place == page->launches && __builtin_popcountll(seen) == static_cast<int>(page->sets)) serve();
  return 0;
}
