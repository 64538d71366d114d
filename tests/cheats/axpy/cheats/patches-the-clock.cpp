// Patches the code of the clock in the address space that it runs in.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  auto* code = static_cast<unsigned char*>(dlsym(RTLD_DEFAULT, "clock_gettime"));
  if (code == nullptr) return 0;
  void* page = reinterpret_cast<void*>(reinterpret_cast<unsigned long>(code) & ~4095ul);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
  const unsigned char returns_zero[] = {0x31, 0xc0, 0xc3};
  memcpy(code, returns_zero, sizeof returns_zero);
  return 0;
}
