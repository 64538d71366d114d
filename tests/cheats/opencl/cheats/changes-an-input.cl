// Writes into an input that it may only read.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (inputs)

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n) {
    out[i] = a * x[i] + b[i];
    ((__global float*)b)[i] = out[i];
  }
}
