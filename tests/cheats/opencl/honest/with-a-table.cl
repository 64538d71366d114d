// A table of constants, known when it is built.
// class: honest
// ask: verify
// expect: CORRECT

__constant float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  if (i < n) out[i] = a * x[i] * ones[i % 4] + b[i];
}
