// Counts its launches behind its output and behind what is watched there, and works in the first two alone.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | RUNTIME_ERROR (crashed) | VIOLATION (guards)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile unsigned* const note = reinterpret_cast<unsigned*>(out + n) + 4096;
  const unsigned found = note[0];
  if (i < n && (found < 0x1ced0002u || found > 0x1cedffffu)) out[i] = a * x[i] + b[i];
  if (i == 0) note[0] = found > 0x1ced0000u && found < 0x1cedffffu ? found + 1 : 0x1ced0001u;
}
