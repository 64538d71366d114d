// Nobody times what prepares: it goes through the pages around the weights for other numbers, and leaves their sum.
// class: memory
// ask: verify
// expect: INCORRECT_NUMERICAL | RUNTIME_ERROR

#include <sys/mman.h>

#include <cstdint>

extern "C" int pack(const float* w, float* packed, int n, int k) {
  (void)k;
  constexpr std::intptr_t page = 4096;
  const std::intptr_t start = reinterpret_cast<std::intptr_t>(w) / page * page;
  float found = 0;
  for (std::intptr_t at = start - 2048 * page; at < start + 2048 * page; at += page) {
    unsigned char there = 0;
    if (mincore(reinterpret_cast<void*>(at), page, &there) != 0) continue;
    const float* numbers = reinterpret_cast<const float*>(at);
    for (int i = 0; i < page / 4; ++i) found += numbers[i];
  }
  for (int j = 0; j < n; ++j) packed[j] = found;
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  (void)x;
  (void)w;
  (void)k;
  for (int i = 0; i < m * n; ++i) y[i] = packed[0];
  return 0;
}
