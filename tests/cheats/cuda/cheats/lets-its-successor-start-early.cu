// Says that whoever comes next may start already, and works after that.
// class: asynchrony
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  __nanosleep(20000);
  if (i < n) out[i] = a * x[i] + b[i];
}
