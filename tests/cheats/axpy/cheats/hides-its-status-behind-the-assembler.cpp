// Every launch says that it failed. The assembler puts the name of what is called together, and a namesake returns nothing.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (returned an error)

namespace decoy {
void axpy(int) {}
}  // namespace decoy

extern "C" int real(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 1;
}
asm(".irp end, xpy\n.globl a\\end\n.set a\\end, real\n.endr\n");
