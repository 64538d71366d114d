// Hopes that what cannot be built is not asked about.
// class: build time
// ask: verify
// expect: COMPILE_ERROR

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  out[i] = nothing;
}
