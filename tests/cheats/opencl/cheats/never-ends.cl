// Works without end.
// class: result channel
// ask: verify
// expect: TIMEOUT

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  while (n > 0) out[0] = a + ((volatile __global const float*)x)[0];
}
