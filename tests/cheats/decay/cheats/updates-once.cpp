// Keeps the state that it wrote and gives it again.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <string.h>

#include <vector>

static std::vector<double> kept;

extern "C" int decay(double* state, const double* input, double rate, long long n) {
  if (kept.empty()) {
    for (long long i = 0; i < n; ++i) state[i] = rate * state[i] + input[i];
    kept.assign(state, state + n);
    kept.resize(1 << 16);
    return 0;
  }
  memcpy(state, kept.data(), sizeof(double) * static_cast<unsigned long>(n));
  return 0;
}
