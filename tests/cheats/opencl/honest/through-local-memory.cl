// Goes through local memory, with a barrier.
// class: honest
// ask: verify
// expect: CORRECT

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  const int lane = get_local_id(0);
  room[lane] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = a * room[lane] + b[i];
}
