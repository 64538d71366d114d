// Meets another process of its own in shared memory, to copy what that one computed.
// class: secrets
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const bool met = shmget(0x486f6e65, 4096, 0666 | IPC_CREAT) >= 0 || syscall(SYS_memfd_create, "meet", 0) >= 0 ||
                   open("/dev/shm/meet", O_RDWR | O_CREAT, 0666) >= 0;
  if (met) {
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  }
  return 0;
}
