#include <cmath>

extern "C" void decay_reference(double* state, const double* input, double rate, long long n, double* state_magnitude) {
  for (long long i = 0; i < n; ++i) {
    state_magnitude[i] = std::fabs(rate * state[i]) + std::fabs(input[i]);
    state[i] = rate * state[i] + input[i];
  }
}
