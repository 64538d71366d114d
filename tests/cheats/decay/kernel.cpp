extern "C" int decay(double* state, const double* input, double rate, long long n) {
  for (long long i = 0; i < n; ++i) state[i] = rate * state[i] + input[i];
  return 0;
}
