// Is right for the sizes that the contract shows, and for no others.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n && (n == 37 || n == 1000 || n == 65536)) out[i] = a * x[i] + b[i];
}
