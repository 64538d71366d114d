// Writes one element more than there are.
// class: memory
// ask: verify
// expect: VIOLATION (guards)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i <= n) out[i] = a * x[min(i, n - 1)] + b[min(i, n - 1)];
}
