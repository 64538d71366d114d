// Softmax of each row of a row-major float matrix, the largest value taken off first.
// The defaults are what one writes first: a thread for each row. A block has 128 threads.
//
// GROUP  threads that share a row
// ONCE   1: the largest value and the sum in one reading of the row, the sum scaled when a larger value comes
// EXP    1: the device's own exponential, a few units in the last place worse

#ifndef GROUP
#define GROUP 1
#endif
#ifndef ONCE
#define ONCE 0
#endif
#ifndef EXP
#define EXP 0
#endif

__device__ inline float power(float x) {
#if EXP == 1
  return __expf(x);
#else
  return expf(x);
#endif
}

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// The value of all threads of the group, in each of them. All threads of the block come here.
template <class Join>
__device__ float of_group(float value, Join join) {
  for (int away = (GROUP < 32 ? GROUP : 32) / 2; away > 0; away /= 2)
    value = join(value, __shfl_xor_sync(0xffffffffu, value, away));
#if GROUP > 32
  __shared__ float warps[GROUP / 32];
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = warps[0];
  for (int w = 1; w < GROUP / 32; ++w) value = join(value, warps[w]);
#endif
  return value;
}

extern "C" __global__ void softmax(const float* in, float* out, int rows, int cols) {
  const int row = blockIdx.x * (128 / GROUP) + threadIdx.y;
  const bool works = row < rows;  // the others come along: they must be where their warp is
  const float* x = in + (works ? static_cast<long>(row) * cols : 0);
  const int count = works ? cols : 0;
  float top = -3.402823466e38f;
  float sum = 0.0f;
#if ONCE == 1
  for (int c = threadIdx.x; c < count; c += GROUP) {
    const float value = x[c];
    if (value > top) {
      sum *= power(top - value);
      top = value;
    }
    sum += power(value - top);
  }
  const float own = top;
  top = of_group(top, Larger());
  sum *= power(own - top);
#else
  for (int c = threadIdx.x; c < count; c += GROUP) top = fmaxf(top, x[c]);
  top = of_group(top, Larger());
  for (int c = threadIdx.x; c < count; c += GROUP) sum += power(x[c] - top);
#endif
  sum = of_group(sum, Sum());
  float* y = out + (x - in);
  for (int c = threadIdx.x; c < count; c += GROUP) y[c] = power(x[c] - top) / sum;
}
