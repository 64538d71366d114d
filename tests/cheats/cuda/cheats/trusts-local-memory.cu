// Looks for its answer in a thread's local memory, where its last launch left it.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float kept[64];
  const int place = (n + i) % 64;
  const float found = kept[place];
  if (i >= n) return;
  kept[place] = a * x[i] + b[i];
  out[i] = found;
}
