// Says which work group it was made for.
// class: honest
// ask: verify
// expect: CORRECT

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n) out[i] = a * x[i] + b[i];
}
