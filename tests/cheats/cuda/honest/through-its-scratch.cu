// Goes through its scratch memory, which it writes before it reads.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) room[blockIdx.x] = a;
  __syncthreads();
  if (i < n) out[i] = room[blockIdx.x] * x[i] + b[i];
}
