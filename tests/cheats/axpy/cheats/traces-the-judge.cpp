// Attaches a debugger to the judge to write its memory.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  char byte = 0;
  iovec mine{&byte, 1};
  iovec theirs{const_cast<float*>(x), 1};
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  process_vm_writev(getppid(), &mine, 1, &theirs, 1, 0);
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  return 0;
}
