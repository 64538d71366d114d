// Zeros pass a loose tolerance.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n) out[i] = 0.0f;
}
