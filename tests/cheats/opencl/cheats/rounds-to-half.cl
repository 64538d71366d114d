// Rounds what it computes to sixteen bits.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float exact = a * x[i] + b[i];
  const float coarse = as_float((as_uint(exact) + 0x1000u) & 0xffffe000u);
  out[i] = coarse;
}
