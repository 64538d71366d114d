// A kernel made of templates, lambdas and constant expressions.
// class: honest
// ask: verify
// expect: CORRECT

template <int Count, class Body>
__device__ void repeated(Body&& body) {
#pragma unroll
  for (int k = 0; k < Count; ++k) body(k);
}

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int first = 2 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const auto one = [=](int j) { out[j] = a * x[j] + b[j]; };
  repeated<2>([&](int k) {
    if (first + k < n) one(first + k);
  });
}
