// A loop that is entered in its middle, as in the eighties.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  int i = 0;
  switch (n % 4) {
    while (i < n) {
      case 0:
        if (i >= n) break;
        out[i] = a * x[i] + b[i];
        ++i;
        [[fallthrough]];
      case 3:
        out[i] = a * x[i] + b[i];
        ++i;
        [[fallthrough]];
      case 2:
        out[i] = a * x[i] + b[i];
        ++i;
        [[fallthrough]];
      case 1:
        out[i] = a * x[i] + b[i];
        ++i;
    }
  }
  return 0;
}
