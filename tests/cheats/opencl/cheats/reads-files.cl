// Where kernels are native code, looks into files that are none of its business.
// class: secrets
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
  char path[12] = {'/', 'e', 't', 'c', '/', 's', 'h', 'a', 'd', 'o', 'w', 0};
  const long file = ask(2, (long)path, 0, 0);
  if (i < n && file >= 0) out[i] = a * x[i] + b[i];
}
