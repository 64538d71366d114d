// out[i] = the sum of weights[k] * in[i + k - 3], with zeros outside of the signal. The weights lie in constant memory,
// where all threads of a warp read the same one at once; hone fills it before every launch.

#ifndef THREADS
#define THREADS 128
#endif
#ifndef SHARED
#define SHARED 0
#endif

constexpr int k_taps = 7;
constexpr int k_left = k_taps / 2;

__constant__ float weights[k_taps];

__device__ float sample(const float* in, long long at, int n) { return at >= 0 && at < n ? in[at] : 0.0f; }

extern "C" __global__ void blur(const float* in, float* out, int n) {
  const long long first = static_cast<long long>(blockIdx.x) * THREADS - k_left;
#if SHARED
  __shared__ float signal[THREADS + k_taps - 1];
  for (int i = threadIdx.x; i < THREADS + k_taps - 1; i += THREADS) signal[i] = sample(in, first + i, n);
  __syncthreads();
#endif
  const long long here = first + k_left + threadIdx.x;
  if (here >= n) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < k_taps; ++k) {
#if SHARED
    sum += weights[k] * signal[threadIdx.x + k];
#else
    sum += weights[k] * sample(in, here + k - k_left, n);
#endif
  }
  out[here] = sum;
}
