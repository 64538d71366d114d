// Where kernels are native code, starts a process that goes on working when the launch is over.
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
  if (i == 0 && ask(57, 0, 0, 0) == 0) {
    for (int j = 0; j < n; ++j) out[j] = a * x[j] + b[j];
  }
}
