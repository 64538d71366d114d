// y = a x: a work item takes a row and adds its products one after another.
//
// WIDTH  elements that are loaded and multiplied at once
// SUMS   vectors of sums that do not wait for each other

#ifndef WIDTH
#define WIDTH 1
#endif
#ifndef SUMS
#define SUMS 1
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

__kernel void gemv(__global const float* a, __global const float* x, __global float* y, int rows, int cols) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  __global const float* line = a + (long)row * cols;
  lanes sums[SUMS];
  for (int s = 0; s < SUMS; ++s) sums[s] = (lanes)(0.0f);
  int c = 0;
  for (; c + SUMS * WIDTH <= cols; c += SUMS * WIDTH)
    for (int s = 0; s < SUMS; ++s) sums[s] += LOAD(line + c + s * WIDTH) * LOAD(x + c + s * WIDTH);
  float sum = 0.0f;
  for (int s = 0; s < SUMS; ++s) sum += sum_of(sums[s]);
  for (; c < cols; ++c) sum += line[c] * x[c];
  y[row] = sum;
}
