// A table that looks as if it were only read, and is written through a pointer that went through an integer.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

__device__ float table[4] = {1.0f, 1.0f, 1.0f, 1.0f};

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long place = reinterpret_cast<unsigned long long>(table) ^ 0ull;
  if (i < n) out[i] = a * x[i] * table[i % 4] + b[i];
  if (i == 0) reinterpret_cast<float*>(place + (n & 12))[0] = 0.0f;
}
