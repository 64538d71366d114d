// counts[v] = how often the byte v stands in `in`, for all 256 values.
// The default is the obvious loop; the macros below choose what a tuner may try instead.
#include <cstdint>
#include <cstring>

#ifndef SYMBOL  // bytes counted at once: 1, or 2 = count pairs in a table of 65536 and take the pairs apart at the end
#define SYMBOL 1
#endif
#ifndef TABLES  // 1 = one table; more = neighbours count in separate tables, so that equal ones need not wait
#define TABLES 1
#endif
#ifndef WORD  // symbols read at a time
#define WORD 1
#endif

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

namespace {

constexpr int k_symbols = 1 << (8 * SYMBOL);
constexpr int k_step = WORD > TABLES ? WORD : TABLES;  // symbols

typedef std::uint32_t Table[k_symbols];

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's first byte must be its lowest");

void count_bytes(const std::uint8_t* in, std::uint32_t* counts, int n) {
  for (int i = 0; i < n; ++i) counts[in[i]]++;
}

// k_step symbols: number s counts in table s % TABLES.
inline void count_step(const std::uint8_t* in, Table* tables) {
  UNROLLED
  for (int first = 0; first < k_step; first += WORD) {
    std::uint64_t word = 0;
    std::memcpy(&word, in + first * SYMBOL, WORD * SYMBOL);
    UNROLLED
    for (int s = first; s < first + WORD; ++s) {
      tables[s % TABLES][word % k_symbols]++;
      word >>= 8 * SYMBOL;
    }
  }
}

// Every byte of every symbol that was seen counts for itself.
inline void take_apart(const Table& table, std::uint32_t* counts) {
  for (int symbol = 0; symbol < k_symbols; ++symbol) {
    for (int shift = 0; shift < 8 * SYMBOL; shift += 8) counts[(symbol >> shift) & 0xff] += table[symbol];
  }
}

void count_in_tables(const std::uint8_t* in, std::uint32_t* counts, int n) {
  Table tables[TABLES] = {};
  constexpr int k_step_bytes = k_step * SYMBOL;
  int i = 0;
  for (; i + k_step_bytes <= n; i += k_step_bytes) count_step(in + i, tables);
  count_bytes(in + i, counts, n - i);
  for (const Table& table : tables) take_apart(table, counts);
}

}  // namespace

extern "C" int histogram(const std::uint8_t* in, std::uint32_t* counts, int n) {
  std::memset(counts, 0, 256 * sizeof *counts);
  if (SYMBOL == 1 && TABLES == 1 && WORD == 1) {
    count_bytes(in, counts, n);
  } else {
    count_in_tables(in, counts, n);
  }
  return 0;
}
