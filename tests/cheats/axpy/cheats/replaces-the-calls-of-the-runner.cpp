// Defines functions that a runner might use to call it and to report.
// class: load time
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" void ffi_call(void*, void (*)(), void*, void**) {}
extern "C" long syscall(long, ...) { return 0; }
extern "C" long write(int, const void*, unsigned long size) { return static_cast<long>(size); }
extern "C" void _exit(int) {
  for (;;) {
  }
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { return 0; }
