// A loop over the whole grid, as many do.
// class: honest
// ask: verify
// expect: CORRECT

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  for (int j = i; j < n; j += get_global_size(0)) out[j] = a * x[j] + b[j];
}
