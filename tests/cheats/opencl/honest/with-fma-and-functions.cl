// Functions of its own, and a fused multiply and add.
// class: honest
// ask: verify
// expect: CORRECT

float scaled(float a, float x, float b) { return fma(a, x, b); }

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n) out[i] = scaled(a, x[i], b[i]);
}
