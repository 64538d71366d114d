// The same, by the functions behind those brackets.
// class: asynchrony
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __device__ void* cudaGetParameterBufferV2(void* function, dim3 grid, dim3 block, unsigned shared);
extern "C" __device__ int cudaLaunchDeviceV2_ptsz(void* buffer, void* stream);

__global__ void later(float* out) { out[threadIdx.x] = 0.0f; }

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  void* const buffer = cudaGetParameterBufferV2(reinterpret_cast<void*>(later), dim3(1), dim3(256), 0);
  if (i == 0 && buffer != nullptr) cudaLaunchDeviceV2_ptsz(buffer, nullptr);
}
