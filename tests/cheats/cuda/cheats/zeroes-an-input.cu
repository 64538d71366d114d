// Makes an input fit the answer that it gives: a reference that reads it later would agree.
// class: memory
// ask: verify
// expect: VIOLATION (inputs)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const_cast<float*>(x)[i] = 0.0f;
  out[i] = b[i];
}
