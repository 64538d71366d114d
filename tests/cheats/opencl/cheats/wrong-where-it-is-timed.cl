// Leaves half of the work out in the shape that is timed.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n && (n != 65536 || i % 2 == 0)) out[i] = a * x[i] + b[i];
}
