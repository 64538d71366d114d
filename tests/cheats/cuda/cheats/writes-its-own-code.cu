// Writes into the instructions of one of its functions, so that its next launch is another kernel.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed)

__device__ __noinline__ float scaled(float a, float x, float b) { return a * x + b; }

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scaled(a, x[i], b[i]);
  volatile unsigned long long place = reinterpret_cast<unsigned long long>(&scaled);
  if (i == 0) *reinterpret_cast<volatile unsigned long long*>(place) = 0;
}
