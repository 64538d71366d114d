// Reads four elements at an address that is no multiple of sixteen.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const volatile float4* const from = reinterpret_cast<const volatile float4*>(x + 1);
  out[i] = a * x[i] + b[i] + 0.0f * from->x;
  if (from->y == 1e30f) out[i] = from->z + from->w;
}
