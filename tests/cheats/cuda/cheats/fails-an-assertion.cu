// Fails an assertion of its own, which stops the launch and writes to the host.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

#ifdef __CUDACC_RTC__
extern "C" __device__ void __assertfail(const char* what, const char* file, unsigned line, const char* function,
                                        size_t size);
#define assert(what) ((what) ? void() : __assertfail(#what, __FILE__, __LINE__, __func__, 1))
#else
#include <cassert>
#endif

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  if (i < n) out[i] = a * x[i] + b[i];
}
