// Takes more registers in a block of 1024 threads than there are.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)
// variant: launch = [{ grid = ["ceildiv(n, 1024)"], block = ["1024"] }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sums[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) sums[k] = *reinterpret_cast<const volatile float*>(x + (i + k) % n);
  __threadfence_block();
  float all = 0.0f;
#pragma unroll
  for (int k = 0; k < 96; ++k) all += sums[95 - k] * sums[(k + 7) % 96];
  out[i] = a * x[i] + b[i] + (all == 1e30f ? 1.0f : 0.0f);
}
