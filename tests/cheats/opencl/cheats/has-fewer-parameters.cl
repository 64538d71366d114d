// Is another kernel than the contract calls.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR

__kernel void axpy(__global const float* x, __global const float* b, __global float* out) {
  const int i = get_global_id(0);
  out[i] = x[i] + b[i];
}
