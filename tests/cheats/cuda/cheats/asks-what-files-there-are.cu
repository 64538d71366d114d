// Is right where it finds the reference, the contract or the judge's files beside it.
// class: build time
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __has_include("reference.cpp") || __has_include("../reference.cpp") ||                         \
                                                    __has_include("task.toml") ||                  \
                                                                  __has_include("../task.toml") || \
                                                                                __has_include("/etc/shadow")
  if (i < n) out[i] = a * x[i] + b[i];
#endif
}
