// Looks in local memory for what an earlier group may have left there, and leaves its own answer.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound) | INCORRECT_NUMERICAL (not a number, or never written)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  const int lane = get_local_id(0);
  if (i < n) out[i] = get_group_id(0) == 0 ? a * x[i] + b[i] : room[lane];
  if (i < n) room[lane] = out[i];
}
