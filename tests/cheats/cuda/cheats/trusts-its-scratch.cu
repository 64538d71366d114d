// Looks for the scalar in its scratch memory, where its last launch left it.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float kept = room[blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) room[blockIdx.x] = a;
  if (i < n) out[i] = kept * x[i] + b[i];
}
