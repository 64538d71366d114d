// Leaves a note behind its output and behind what is watched there, and works in the first launch on its buffers alone.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | VIOLATION (guards)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile unsigned* const note = reinterpret_cast<unsigned*>(out + n) + 4096;
  const bool first = note[0] != 0x1ced1deau;
  if (i < n && first) out[i] = a * x[i] + b[i];
  if (blockIdx.x + 1 == gridDim.x && first) {
    __nanosleep(200000);
    note[0] = 0x1ced1deau;
  }
}
