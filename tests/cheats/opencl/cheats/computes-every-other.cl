// Computes every other element and repeats it.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  const int j = i / 2 * 2;
  if (i < n) out[i] = a * x[j] + b[j];
}
