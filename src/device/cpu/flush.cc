#include "device/cpu/flush.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace hone::device::cpu {
namespace {

constexpr size_t k_line_bytes = 64;

void sweep() {
  constexpr long k_assumed_bytes = 64l << 20;  // where the system does not say how large the cache is
  const long last_level_bytes = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), k_assumed_bytes);
  std::vector<std::byte> other(2 * static_cast<size_t>(last_level_bytes), std::byte{1});
  warm(other);
}

#if defined(__x86_64__)

// CPUID leaf 7, EBX bit 23; the compilers' own run-time check does not know the name.
bool has_clflushopt() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & (1u << 23)) != 0;
}

const std::byte* first_line(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<uintptr_t>(bytes.data()) & ~(k_line_bytes - 1));
}

void flush_lines(std::span<const std::byte> bytes) {
  const std::byte* end = bytes.data() + bytes.size();
  for (const std::byte* line = first_line(bytes); line < end; line += k_line_bytes) _mm_clflush(line);
  _mm_mfence();
}

__attribute__((target("clflushopt"))) void flush_lines_unordered(std::span<const std::byte> bytes) {
  const std::byte* end = bytes.data() + bytes.size();
  for (const std::byte* line = first_line(bytes); line < end; line += k_line_bytes) {
    _mm_clflushopt(const_cast<std::byte*>(line));  // the intrinsic's signature; the bytes stay
  }
  _mm_mfence();
}

#endif

}  // namespace

std::vector<FlushPath> flush_paths() {
  std::vector<FlushPath> paths{FlushPath::sweep};
#if defined(__x86_64__)
  paths.push_back(FlushPath::clflush);
  if (has_clflushopt()) paths.push_back(FlushPath::clflushopt);
#endif
  return paths;
}

void flush_to_memory(std::span<const std::byte> bytes, FlushPath path) {
  if (bytes.empty()) return;
#if defined(__x86_64__)
  if (path == FlushPath::clflushopt) return flush_lines_unordered(bytes);
  if (path == FlushPath::clflush) return flush_lines(bytes);
#endif
  sweep();
}

void flush_to_memory(std::span<const std::byte> bytes) {
  static const FlushPath best = flush_paths().back();
  flush_to_memory(bytes, best);
}

#if defined(__x86_64__)

void copy_past_caches(std::span<std::byte> to, std::span<const std::byte> from) {
  assert(to.size() == from.size());
  const uintptr_t misaligned = reinterpret_cast<uintptr_t>(to.data()) % k_line_bytes;
  const size_t head = std::min((k_line_bytes - misaligned) % k_line_bytes, to.size());
  memcpy(to.data(), from.data(), head);
  size_t done = head;
  for (; done + k_line_bytes <= to.size(); done += k_line_bytes) {
    auto* out = reinterpret_cast<__m128i*>(to.data() + done);
    const auto* in = reinterpret_cast<const __m128i*>(from.data() + done);
    for (size_t part = 0; part < k_line_bytes / sizeof(__m128i); ++part)
      _mm_stream_si128(out + part, _mm_loadu_si128(in + part));
  }
  memcpy(to.data() + done, from.data() + done, to.size() - done);
  _mm_sfence();
}

#else

void copy_past_caches(std::span<std::byte> to, std::span<const std::byte> from) {
  std::copy(from.begin(), from.end(), to.begin());
}

#endif

void warm(std::span<const std::byte> bytes) {
  uint8_t sum = 0;
  for (size_t at = 0; at < bytes.size(); at += k_line_bytes) {
    sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(bytes[at]));
  }
  volatile uint8_t sink = sum;  // keeps the reads
  static_cast<void>(sink);
}

}  // namespace hone::device::cpu
