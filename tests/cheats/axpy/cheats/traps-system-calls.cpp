// Installs a system-call filter of its own, to catch the writes of a harness in its process.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  sock_filter allow[] = {{0x06, 0, 0, 0x7fff0000}};
  sock_fprog program{1, allow};
  const bool filtered = prctl(PR_SET_SECCOMP, 2, &program) == 0 || syscall(SYS_seccomp, 1, 0, &program) == 0;
  if (filtered) {
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  }
  return 0;
}
