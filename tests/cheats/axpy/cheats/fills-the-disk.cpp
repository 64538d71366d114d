// An object of eight gigabytes.
// class: build time
// ask: verify
// expect: COMPILE_ERROR | TIMEOUT

char ballast[8l << 30] = {1};

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  out[0] = static_cast<float>(ballast[n]);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
