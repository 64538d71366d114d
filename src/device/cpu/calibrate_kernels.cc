// GCC 12 takes the deliberately undefined operand inside its own AVX-512 intrinsics for a use of an uninitialised
// variable.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "device/cpu/calibrate_kernels.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hone::device::cpu {
namespace {

using task::DType;

void copy_by_library(std::byte* to, const std::byte* from, size_t bytes) { std::memcpy(to, from, bytes); }

uint64_t read_words(const std::byte* from, size_t bytes) {
  uint64_t sums[4] = {};
  for (size_t at = 0; at < bytes; at += sizeof sums) {
    uint64_t words[4];
    std::memcpy(words, from + at, sizeof words);
    for (size_t k = 0; k < 4; ++k) sums[k] += words[k];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

#if defined(__x86_64__)

// One copy and one read per width and kind of store; the loop is the same, the instructions are not, and a template
// cannot carry a target attribute.
#define HONE_COPY(name, isa, vector, load, store)                                                      \
  __attribute__((target(isa))) void name(std::byte* to, const std::byte* from, size_t bytes) {         \
    for (size_t at = 0; at < bytes; at += 4 * sizeof(vector)) {                                        \
      const auto* source = reinterpret_cast<const vector*>(from + at);                                 \
      auto* target = reinterpret_cast<vector*>(to + at);                                               \
      const vector a = load(source), b = load(source + 1), c = load(source + 2), d = load(source + 3); \
      store(target, a), store(target + 1, b), store(target + 2, c), store(target + 3, d);              \
    }                                                                                                  \
    _mm_sfence();                                                                                      \
  }
HONE_COPY(copy_128, "sse2", __m128i, _mm_load_si128, _mm_store_si128)
HONE_COPY(copy_256, "avx2", __m256i, _mm256_load_si256, _mm256_store_si256)
HONE_COPY(copy_512, "avx512f", __m512i, _mm512_load_si512, _mm512_store_si512)
HONE_COPY(stream_128, "sse2", __m128i, _mm_load_si128, _mm_stream_si128)
HONE_COPY(stream_256, "avx2", __m256i, _mm256_load_si256, _mm256_stream_si256)
HONE_COPY(stream_512, "avx512f", __m512i, _mm512_load_si512, _mm512_stream_si512)
#undef HONE_COPY

#define HONE_READ(name, isa, vector, load, exclusive_or)                            \
  __attribute__((target(isa))) uint64_t name(const std::byte* from, size_t bytes) { \
    vector a = {}, b = {}, c = {}, d = {};                                          \
    for (size_t at = 0; at < bytes; at += 4 * sizeof(vector)) {                     \
      const auto* source = reinterpret_cast<const vector*>(from + at);              \
      a = exclusive_or(a, load(source)), b = exclusive_or(b, load(source + 1));     \
      c = exclusive_or(c, load(source + 2)), d = exclusive_or(d, load(source + 3)); \
    }                                                                               \
    const vector sum = exclusive_or(exclusive_or(a, b), exclusive_or(c, d));        \
    uint64_t first = 0;                                                             \
    std::memcpy(&first, &sum, sizeof first);                                        \
    return first;                                                                   \
  }
HONE_READ(read_128, "sse2", __m128i, _mm_load_si128, _mm_xor_si128)
HONE_READ(read_256, "avx2", __m256i, _mm256_load_si256, _mm256_xor_si256)
HONE_READ(read_512, "avx512f", __m512i, _mm512_load_si512, _mm512_xor_si512)
#undef HONE_READ

constexpr int k_chains = 12;

// step(a) must depend on a, and must not collapse over passes: a·x + y rounds, and an addition under an exclusive-or
// carries.
#define HONE_ARITHMETIC(name, isa, vector, set, step)                                         \
  __attribute__((target(isa))) double name(uint64_t passes) {                                 \
    const vector x = set(3), y = set(5);                                                      \
    vector a0 = set(1), a1 = set(2), a2 = set(3), a3 = set(4), a4 = set(5), a5 = set(6);      \
    vector a6 = set(7), a7 = set(8), a8 = set(9), a9 = set(10), a10 = set(11), a11 = set(12); \
    for (uint64_t pass = 0; pass < passes; ++pass) {                                          \
      a0 = step(a0, x, y), a1 = step(a1, x, y), a2 = step(a2, x, y), a3 = step(a3, x, y);     \
      a4 = step(a4, x, y), a5 = step(a5, x, y), a6 = step(a6, x, y), a7 = step(a7, x, y);     \
      a8 = step(a8, x, y), a9 = step(a9, x, y), a10 = step(a10, x, y), a11 = step(a11, x, y); \
    }                                                                                         \
    const vector all[k_chains] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11};          \
    uint8_t bytes[sizeof all];                                                                \
    std::memcpy(bytes, all, sizeof all);                                                      \
    double sum = 0;                                                                           \
    for (const uint8_t byte : bytes) sum += byte;                                             \
    return sum;                                                                               \
  }

// x = 3 ÷ 4 and y = 5 ÷ 4 keep the floating chains at 5: no overflow, no subnormal numbers.
#define HONE_SET_PS(n) _mm_set1_ps((n) / 4.0f)
#define HONE_SET_PD(n) _mm_set1_pd((n) / 4.0)
#define HONE_SET256_PS(n) _mm256_set1_ps((n) / 4.0f)
#define HONE_SET256_PD(n) _mm256_set1_pd((n) / 4.0)
#define HONE_SET512_PS(n) _mm512_set1_ps((n) / 4.0f)
#define HONE_SET512_PD(n) _mm512_set1_pd((n) / 4.0)
#define HONE_MULTIPLY_ADD_PS(a, x, y) _mm_add_ps(_mm_mul_ps(a, x), y)
#define HONE_MULTIPLY_ADD_PD(a, x, y) _mm_add_pd(_mm_mul_pd(a, x), y)
#define HONE_ADD_XOR(a, x, y) _mm_xor_si128(_mm_add_epi32(a, x), y)
#define HONE_ADD_XOR256(a, x, y) _mm256_xor_si256(_mm256_add_epi32(a, x), y)
#define HONE_ADD_XOR512(a, x, y) _mm512_xor_si512(_mm512_add_epi32(a, x), y)
HONE_ARITHMETIC(f32_128, "sse2", __m128, HONE_SET_PS, HONE_MULTIPLY_ADD_PS)
HONE_ARITHMETIC(f64_128, "sse2", __m128d, HONE_SET_PD, HONE_MULTIPLY_ADD_PD)
HONE_ARITHMETIC(i32_128, "sse2", __m128i, _mm_set1_epi32, HONE_ADD_XOR)
HONE_ARITHMETIC(f32_256, "avx2,fma", __m256, HONE_SET256_PS, _mm256_fmadd_ps)
HONE_ARITHMETIC(f64_256, "avx2,fma", __m256d, HONE_SET256_PD, _mm256_fmadd_pd)
HONE_ARITHMETIC(i32_256, "avx2", __m256i, _mm256_set1_epi32, HONE_ADD_XOR256)
HONE_ARITHMETIC(f32_512, "avx512f", __m512, HONE_SET512_PS, _mm512_fmadd_ps)
HONE_ARITHMETIC(f64_512, "avx512f", __m512d, HONE_SET512_PD, _mm512_fmadd_pd)
HONE_ARITHMETIC(i32_512, "avx512f", __m512i, _mm512_set1_epi32, HONE_ADD_XOR512)
#undef HONE_ARITHMETIC
#undef HONE_SET_PS
#undef HONE_SET_PD
#undef HONE_SET256_PS
#undef HONE_SET256_PD
#undef HONE_SET512_PS
#undef HONE_SET512_PD
#undef HONE_MULTIPLY_ADD_PS
#undef HONE_MULTIPLY_ADD_PD
#undef HONE_ADD_XOR
#undef HONE_ADD_XOR256
#undef HONE_ADD_XOR512

bool has_256() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_512() { return __builtin_cpu_supports("avx512f"); }

ArithmeticKernel arithmetic(DType dtype, int vector_bits, double (*run)(uint64_t)) {
  const double lanes = vector_bits / 8.0 / static_cast<double>(task::size_bytes(dtype));
  return {dtype, vector_bits, 2.0 * k_chains * lanes, run};
}

#else

// Elsewhere the compiler's own vectors, through a loop that it can widen.
constexpr int k_lanes = 48;
template <class T>
double multiply_add(uint64_t passes) {
  T chains[k_lanes];
  for (int k = 0; k < k_lanes; ++k) chains[k] = static_cast<T>(k);
  for (uint64_t pass = 0; pass < passes; ++pass) {
    for (T& a : chains) a = a * static_cast<T>(0.75) + static_cast<T>(1.25);
  }
  double sum = 0;
  for (const T a : chains) sum += static_cast<double>(a);
  return sum;
}

#endif

}  // namespace

#if defined(__x86_64__)

std::vector<CopyKernel> copy_kernels() {
  std::vector<CopyKernel> kernels{{Stores::ordinary, 0, copy_by_library},
                                  {Stores::ordinary, 128, copy_128},
                                  {Stores::non_temporal, 128, stream_128}};
  if (has_256())
    kernels.insert(kernels.end(), {{Stores::ordinary, 256, copy_256}, {Stores::non_temporal, 256, stream_256}});
  if (has_512())
    kernels.insert(kernels.end(), {{Stores::ordinary, 512, copy_512}, {Stores::non_temporal, 512, stream_512}});
  return kernels;
}

std::vector<ReadKernel> read_kernels() {
  std::vector<ReadKernel> kernels{{64, read_words}, {128, read_128}};
  if (has_256()) kernels.push_back({256, read_256});
  if (has_512()) kernels.push_back({512, read_512});
  return kernels;
}

std::vector<ArithmeticKernel> arithmetic_kernels() {
  std::vector<ArithmeticKernel> kernels{arithmetic(DType::f32, 128, f32_128), arithmetic(DType::f64, 128, f64_128),
                                        arithmetic(DType::i32, 128, i32_128)};
  const ArithmeticKernel middle[] = {arithmetic(DType::f32, 256, f32_256), arithmetic(DType::f64, 256, f64_256),
                                     arithmetic(DType::i32, 256, i32_256)};
  const ArithmeticKernel wide[] = {arithmetic(DType::f32, 512, f32_512), arithmetic(DType::f64, 512, f64_512),
                                   arithmetic(DType::i32, 512, i32_512)};
  if (has_256()) kernels.insert(kernels.end(), std::begin(middle), std::end(middle));
  if (has_512()) kernels.insert(kernels.end(), std::begin(wide), std::end(wide));
  return kernels;
}

#else

std::vector<CopyKernel> copy_kernels() { return {{Stores::ordinary, 0, copy_by_library}}; }
std::vector<ReadKernel> read_kernels() { return {{64, read_words}}; }
std::vector<ArithmeticKernel> arithmetic_kernels() {
  return {{DType::f32, 128, 2.0 * k_lanes, multiply_add<float>},
          {DType::f64, 128, 2.0 * k_lanes, multiply_add<double>}};
}

#endif

}  // namespace hone::device::cpu
