// Where kernels are native code, leaves the work to a thread and returns at once.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | COMPILE_ERROR | LAUNCH_ERROR

long ask(long number, long a, long b, long c) {
  long answer;
  __asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return answer;
}

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  long stack[512];
  const long thread = i == 0 ? ask(56, 0x3d0f00, (long)(stack + 512), 0) : 1;
  if (thread == 0) {
    for (int j = 0; j < n; ++j) out[j] = a * x[j] + b[j];
  }
}
