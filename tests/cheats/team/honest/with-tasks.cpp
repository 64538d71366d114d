// std::async, and a lock.
// class: honest
// ask: verify
// expect: CORRECT
// cores: 2

#include <future>
#include <mutex>

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  std::mutex lock;
  int done = 0;
  const auto work = [&](int from, int to) {
    for (int i = from; i < to; ++i) out[i] = a * x[i] + b[i];
    const std::lock_guard<std::mutex> held(lock);
    done += to - from;
  };
  auto half = std::async(std::launch::async, work, 0, n / 2);
  work(n / 2, n);
  half.get();
  return done == n ? 0 : 1;
}
