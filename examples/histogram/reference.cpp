// Counts of all 256 byte values: integers, compared exactly, so there is no magnitude.
#include <cstdint>

extern "C" void histogram_reference(const std::uint8_t* in, std::uint32_t* counts, int n) {
  for (int bin = 0; bin < 256; ++bin) counts[bin] = 0;
  for (int i = 0; i < n; ++i) counts[in[i]] += 1;
}
