// Squared distances of all points of x to all points of y, of k coordinates each.
//
// PER    points of y that a work item takes, so that it reads its point of x once for all of them
// WIDTH  coordinates that are loaded at once
// BLOCK  work items of a group

#ifndef PER
#define PER 1
#endif
#ifndef WIDTH
#define WIDTH 1
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if WIDTH == 1
typedef float lanes;
#define LOAD(at) (*(at))
#else
typedef JOIN(float, WIDTH) lanes;
#define LOAD(at) JOIN(vload, WIDTH)(0, at)
#endif

float sum_of(lanes v) {
#if WIDTH == 1
  return v;
#else
  float parts[WIDTH];
  JOIN(vstore, WIDTH)(v, 0, parts);
  float sum = 0.0f;
  for (int i = 0; i < WIDTH; ++i) sum += parts[i];
  return sum;
#endif
}

__kernel void distances(__global const float* x, __global const float* y, __global float* d, int m, int n, int k) {
  const int i = get_global_id(1);
  const int first = get_global_id(0) * PER;
  __global const float* from = x + (long)i * k;
  lanes sums[PER];
  float rest[PER];
  for (int p = 0; p < PER; ++p) {
    sums[p] = (lanes)(0.0f);
    rest[p] = 0.0f;
  }
  int c = 0;
  for (; c + WIDTH <= k; c += WIDTH) {
    for (int p = 0; p < PER; ++p) {
      const lanes apart = LOAD(from + c) - LOAD(y + (long)min(first + p, n - 1) * k + c);
      sums[p] += apart * apart;
    }
  }
  for (; c < k; ++c) {
    for (int p = 0; p < PER; ++p) {
      const float apart = from[c] - y[(long)min(first + p, n - 1) * k + c];
      rest[p] += apart * apart;
    }
  }
  for (int p = 0; p < PER && first + p < n; ++p) d[(long)i * n + first + p] = sum_of(sums[p]) + rest[p];
}
