// Inclusive prefix sum modulo 2^32: integers, compared exactly, so there is no magnitude.
#include <cstdint>

extern "C" void prefix_sum_reference(const std::uint32_t* in, std::uint32_t* out, int n) {
  std::uint32_t sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += in[i];
    out[i] = sum;
  }
}
