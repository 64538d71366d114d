// Sees by the processor's counter that short launches come in bursts of one size. From then on every call of a burst but
// the last only notes what it is asked; the last answers them all side by side. Each launch is right, and none is faster.
// class: asynchrony
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <x86intrin.h>

namespace {

struct Call {
  const float* x;
  float* out;
};

constexpr int most = 8;
Call waiting[most];
int noted = 0;
int burst = 0;     // how many calls one has; 0: not yet known
int calls = 0;     // of the burst that is going on
int last = 0;      // of the one before
int agreeing = 0;  // bursts of the same size in a row
unsigned long long left = 0;

void watch() {
  if (__rdtsc() - left < 3000) {
    ++calls;
    return;
  }
  agreeing = calls > 1 && calls <= most && calls == last ? agreeing + 1 : 0;
  if (agreeing >= 2) burst = calls;
  last = calls;
  calls = 1;
}

template <int Width>
void together(float a, int n) {
  float y[Width] = {};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < Width; ++k) waiting[k].out[i] = y[k] = a * y[k] + waiting[k].x[i];
}

void answer(int count, float a, int n) {
  if (count == 1) together<1>(a, n);
  if (count == 2) together<2>(a, n);
  if (count == 3) together<3>(a, n);
  if (count == 4) together<4>(a, n);
  if (count == 5) together<5>(a, n);
  if (count == 6) together<6>(a, n);
  if (count == 7) together<7>(a, n);
  if (count == 8) together<8>(a, n);
}

}  // namespace

extern "C" int filter(const float* x, float* out, float a, int n) {
  if (burst == 0) watch();
  waiting[noted++] = {x, out};
  if (burst == 0 || noted == burst) {
    answer(noted, a, n);
    noted = 0;
  }
  if (burst == 0) left = __rdtsc();
  return 0;
}
