// A thread for one half, joined before it returns.
// class: honest
// ask: verify
// expect: CORRECT
// cores: 2

#include <thread>

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  std::thread half([=] {
    for (int i = 0; i < n / 2; ++i) out[i] = a * x[i] + b[i];
  });
  for (int i = n / 2; i < n; ++i) out[i] = a * x[i] + b[i];
  half.join();
  return 0;
}
