// Loads of four elements by every fourth work item.
// class: honest
// ask: verify
// expect: CORRECT

__kernel void axpy(__global const float* x, __global const float* b, __global float* out, float a, int n,
                   __local float* room) {
  const int i = get_global_id(0);
  const int first = i * 4;
  if (first + 4 <= n) {
    vstore4(a * vload4(0, x + first) + vload4(0, b + first), 0, out + first);
  } else {
    for (int j = first; j < n; ++j) out[j] = a * x[j] + b[j];
  }
}
