// Writes a surface by a handle that nobody gave it.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed) | INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long handle = 1;
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" ::"l"(handle), "r"(4 * i), "r"(__float_as_int(a)));
}
