// Through a block of scratch memory.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int decay(double* state, const double* input, double rate, long long n) {
  double block[64];
  for (long long from = 0; from < n; from += 64) {
    const long long count = n - from < 64 ? n - from : 64;
    for (long long i = 0; i < count; ++i) block[i] = rate * state[from + i];
    for (long long i = 0; i < count; ++i) state[from + i] = block[i] + input[from + i];
  }
  return 0;
}
