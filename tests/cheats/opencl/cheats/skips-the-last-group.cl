// Leaves out the last work group, which is small beside the others.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n && get_group_id(0) + 1 < get_num_groups(0)) out[i] = a * x[i] + b[i];
}
