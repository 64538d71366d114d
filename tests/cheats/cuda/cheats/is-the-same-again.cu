// Is the incumbent under other names.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* first, const float* second, float* answer, float factor, int count,
                                float* room) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) answer[at] = factor * first[at] + second[at];
}
