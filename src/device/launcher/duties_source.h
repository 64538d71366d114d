// The kernels that hone itself runs on a device: what a launcher does to buffers before and after a foreign kernel
// (JUDGE.md 2). One text for CUDA C, HIP and OpenCL C; a short prelude says what differs. Fills give the bytes of
// device/fill.h: exactly rounded operations in its order, without contraction.
#pragma once

#include <string_view>

namespace hone::device::launcher {

inline constexpr std::string_view k_duties_prelude_opencl = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef uchar u8; typedef ushort u16; typedef uint u32; typedef ulong u64; typedef long i64;
#define KERNEL __kernel void
#define GLOBAL __global
#define INLINE
#define THREAD ((u64)get_global_id(0))
#define THREADS ((u64)get_global_size(0))
#define HIGH32(a, b) mul_hi((u32)(a), (u32)(b))
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define BITS(x) as_long(x)
#define DOUBLE(x) as_double(x)
#define OR_INTO(at, value) atomic_or((at), (value))
#define ADD_INTO(at, value) atomic_add((at), (value))
)";

// Of CUDA and HIP, behind either's arithmetic.
inline constexpr std::string_view k_duties_arithmetic_cuda = R"(
#define PLUS(a, b) __dadd_rn((a), (b))
#define TIMES(a, b) __dmul_rn((a), (b))
)";
// HIP's compiler contracts across what it inlines, and its own headers make no more of those functions than + and *.
inline constexpr std::string_view k_duties_arithmetic_hip = R"(
#pragma clang fp contract(off)
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
)";
inline constexpr std::string_view k_duties_prelude_cuda = R"(
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef unsigned long long u64; typedef long long i64;
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define INLINE static __device__ __forceinline__
#define THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((u64)gridDim.x * blockDim.x)
#define HIGH32(a, b) __umulhi((u32)(a), (u32)(b))
#define BITS(x) __double_as_longlong(x)
#define DOUBLE(x) __longlong_as_double(x)
#define OR_INTO(at, value) atomicOr((at), (value))
#define ADD_INTO(at, value) atomicAdd((at), (value))
extern "C" __global__ void hone_scrub_shared(u32 words) {
  extern __shared__ u32 shared[];
  for (u32 i = threadIdx.x; i < words; i += blockDim.x) ((volatile u32*)shared)[i] = 0xffffffffu;
}
)";

inline constexpr std::string_view k_duties_source = R"(
typedef struct { u32 w[4]; } Block;
typedef struct { u32 w[4]; } Stream;  // StreamWords of wire.h: key, then the upper half of the counter

// Philox4x32-10 (Salmon et al., SC 2011).
INLINE Block philox(Stream stream, u64 number) {
  u32 key0 = stream.w[0], key1 = stream.w[1];
  u32 c0 = (u32)number, c1 = (u32)(number >> 32), c2 = stream.w[2], c3 = stream.w[3];
  for (int round = 0; round < 10; ++round) {
    const u32 high0 = HIGH32(0xD2511F53u, c0), low0 = 0xD2511F53u * c0;
    const u32 high1 = HIGH32(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
    c0 = high1 ^ c1 ^ key0; c1 = low1; c2 = high0 ^ c3 ^ key1; c3 = low0;
    key0 += 0x9E3779B9u; key1 += 0xBB67AE85u;
  }
  Block block; block.w[0] = c0; block.w[1] = c1; block.w[2] = c2; block.w[3] = c3;
  return block;
}

// A 16-bit format's bits of a finite double, rounded once to nearest even (device/tile_loops.cc).
INLINE u16 to_small(double value, int mantissa, i64 bias, double smallest_normal, double beyond) {
  i64 bits = BITS(value) & 0x7fffffffffffffffL;
  if (bits > BITS(beyond)) bits = BITS(beyond);
  const i64 dropped = 52 - mantissa;
  const i64 normal_or_more = bits > BITS(smallest_normal) ? bits : BITS(smallest_normal);
  const double anchor = DOUBLE((normal_or_more & (0x7ffL << 52)) + (dropped << 52));
  const double anchored = PLUS(DOUBLE(bits), anchor);
  const i64 rounded = BITS(PLUS(anchored, -anchor));
  const i64 normal = (rounded >> dropped) - ((1023 - bias) << mantissa);
  const i64 subnormal = BITS(anchored) & (((i64)1 << (mantissa + 1)) - 1);
  const i64 sign = (BITS(value) >> 48) & 0x8000;
  return (u16)(sign | (rounded < BITS(smallest_normal) ? subnormal : normal));
}

// How an element is stored.
#define AS_F64 0
#define AS_F32 1
#define AS_F16 2
#define AS_BF16 3
INLINE void store_floating(GLOBAL u8* at, u64 index, u32 as, double value) {
  if (as == AS_F32) ((GLOBAL float*)at)[index] = (float)value;
  else if (as == AS_F16) ((GLOBAL u16*)at)[index] = to_small(value, 10, 15, 0x1p-14, 0x1p16);
  else if (as == AS_BF16) ((GLOBAL u16*)at)[index] = to_small(value, 7, 127, 0x1p-126, 0x1p128);
  else ((GLOBAL double*)at)[index] = value;
}
INLINE void store_integer(GLOBAL u8* at, u64 index, u32 size, u64 value) {
  if (size == 1) at[index] = (u8)value;
  else if (size == 2) ((GLOBAL u16*)at)[index] = (u16)value;
  else if (size == 4) ((GLOBAL u32*)at)[index] = (u32)value;
  else ((GLOBAL u64*)at)[index] = value;
}

// What is drawn. An element takes 1, 2 or 4 words of a block, and 4, 2 or 1 tiles of 256 elements share 256 blocks.
#define DRAW_UNIFORM 0
#define DRAW_NORMAL 1
#define DRAW_FEW_INTEGERS 2
#define DRAW_INTEGERS 3
INLINE u32 halves(u32 word) { return (word & 0xffffu) + (word >> 16); }

typedef struct { u32 draw, floating, as, values; u64 count, low; double a, b; } Draw;  // DrawRecord of wire.h
INLINE void draw_into(GLOBAL u8* out, Draw it, Stream stream) {
  const u32 words = it.draw == DRAW_NORMAL ? 4 : it.draw == DRAW_INTEGERS ? 2 : 1;
  const u32 sharing = 4 / words;
  for (u64 number = THREAD; number / 256 * 256 * sharing < it.count; number += THREADS) {
    const Block block = philox(stream, number);
    for (u32 tile = 0; tile < sharing; ++tile) {
      const u64 index = (number / 256 * sharing + tile) * 256 + number % 256;
      if (index >= it.count) continue;
      const u32 word = block.w[tile * words];
      if (it.draw == DRAW_UNIFORM) {
        store_floating(out, index, it.as, PLUS(it.a, TIMES(it.b, TIMES((double)(word >> 8), 0x1p-24))));
      } else if (it.draw == DRAW_NORMAL) {
        const int sum = (int)(halves(block.w[0]) + halves(block.w[1]) + halves(block.w[2]) + halves(block.w[3]));
        const double normal = TIMES((double)(sum - 262140), 0x1.3988e1412ed76p-16);
        store_floating(out, index, it.as, PLUS(it.a, TIMES(it.b, normal)));
      } else {
        u64 drawn = ((u64)word * it.values) >> 32;
        if (it.draw == DRAW_INTEGERS) drawn = ((u64)block.w[tile * words + 1] * it.values + drawn) >> 32;
        if (it.floating) store_floating(out, index, it.as, (double)(i64)(it.low + drawn));
        else store_integer(out, index, it.as, it.low + drawn);
      }
    }
  }
}

// Eight bytes again and again; what is left at the end is cut. Offsets are multiples of 16.
INLINE void repeat_into(GLOBAL u8* memory, u64 offset, u64 bytes, u64 pattern) {
  GLOBAL u64* out = (GLOBAL u64*)(memory + offset);
  for (u64 i = THREAD; i < bytes / 8; i += THREADS) out[i] = pattern;
  if (THREAD == 0) for (u64 i = bytes / 8 * 8; i < bytes; ++i) memory[offset + i] = (u8)(pattern >> (8 * (i % 8)));
}
KERNEL hone_pattern(GLOBAL u8* memory, u64 offset, u64 bytes, u64 pattern) {
  repeat_into(memory, offset, bytes, pattern);
}

// The random bytes of poison(): blocks of a stream, the same again after 4096 bytes. By words where they are aligned.
INLINE u8 noise_byte(Block block, u64 at) { return (u8)(block.w[at / 4 % 4] >> (8 * (at % 4))); }
INLINE void noise_into(GLOBAL u8* memory, u64 offset, u64 bytes, Stream stream) {
  GLOBAL u32* words = (GLOBAL u32*)(memory + offset);
  for (u64 b = THREAD; b * 16 < bytes; b += THREADS) {
    const Block block = philox(stream, b % 256);
    if (offset % 4 == 0 && b * 16 + 16 <= bytes) for (int k = 0; k < 4; ++k) words[4 * b + k] = block.w[k];
    else for (u64 i = b * 16; i < bytes && i < b * 16 + 16; ++i) memory[offset + i] = noise_byte(block, i);
  }
}
INLINE int is_not_noise(GLOBAL const u8* memory, u64 offset, u64 bytes, Stream stream) {
  GLOBAL const u32* words = (GLOBAL const u32*)(memory + offset);
  int differs = 0;
  for (u64 b = THREAD; b * 16 < bytes; b += THREADS) {
    const Block block = philox(stream, b % 256);
    if (offset % 4 == 0 && b * 16 + 16 <= bytes) for (int k = 0; k < 4; ++k) differs |= words[4 * b + k] != block.w[k];
    else for (u64 i = b * 16; i < bytes && i < b * 16 + 16; ++i) differs |= memory[offset + i] != noise_byte(block, i);
  }
  return differs;
}

// A sum over mixed words, in any order: two 32-bit halves. It need not withstand an adversary who knows it: contents are
// new in every launch, and what was there before is unknown to who overwrites it.
INLINE void sum_into(GLOBAL const u8* memory, u64 offset, u64 bytes, GLOBAL u32* results, u32 slot) {
  u32 low = 0, high = 0;
  GLOBAL const u32* words = (GLOBAL const u32*)(memory + offset);
  for (u64 i = THREAD; i < (bytes + 3) / 4; i += THREADS) {
    u32 word = 0;
    if (i < bytes / 4) word = words[i];
    else for (u64 k = i * 4; k < bytes; ++k) word |= (u32)memory[offset + k] << (8 * (k % 4));
    const u64 mixed = ((u64)word + 0x9E3779B97F4A7C15UL * (i + 1)) * 0xD6E8FEB86659FD93UL;
    low += (u32)(mixed >> 32); high += (u32)(mixed >> 29) ^ (u32)mixed;
  }
  ADD_INTO(results + slot, low); ADD_INTO(results + slot + 1, high);
}
KERNEL hone_sum(GLOBAL const u8* memory, u64 offset, u64 bytes, GLOBAL u32* results, u32 slot) {
  sum_into(memory, offset, bytes, results, slot);
}

// Where a buffer's content lies in its memory, and the noise on either side of it.
typedef struct { u64 begin, bytes, all; Stream before, after; } Zones;
// Where is written what a launch did to it: `bit` of one word for each side, and two sums of the content.
typedef struct { u32 before, after, bit, sums; } Slots;

// Before a launch: the content by `making` (Making of wire.h), the noise around it, and nothing found.
#define MAKE_DRAW 0
#define MAKE_PATTERN 1
#define MAKE_NOISE 2
KERNEL hone_stage(GLOBAL u8* memory, Zones zones, u32 making, u64 pattern, Stream stream, Draw draw,
                  GLOBAL u32* results, Slots slots) {
  const u64 end = zones.begin + zones.bytes;
  if (making == MAKE_DRAW) draw_into(memory + zones.begin, draw, stream);
  if (making == MAKE_PATTERN) repeat_into(memory, zones.begin, zones.bytes, pattern);
  if (making == MAKE_NOISE) noise_into(memory, zones.begin, zones.bytes, stream);
  noise_into(memory, 0, zones.begin, zones.before);
  noise_into(memory, end, zones.all - end, zones.after);
  if (THREAD == 0) {
    results[slots.before] = results[slots.after] = 0;
    for (int i = 0; i < 4; ++i) results[slots.sums + i] = 0;
  }
}

// After it.
KERNEL hone_examine(GLOBAL const u8* memory, Zones zones, u32 is_summed, GLOBAL u32* results, Slots slots) {
  const u64 end = zones.begin + zones.bytes;
  if (is_not_noise(memory, 0, zones.begin, zones.before)) OR_INTO(results + slots.before, slots.bit);
  if (is_not_noise(memory, end, zones.all - end, zones.after)) OR_INTO(results + slots.after, slots.bit);
  if (is_summed) sum_into(memory, zones.begin, zones.bytes, results, slots.sums + 2);
}

// Ranges {from, to, bytes} of one memory, gathered into another; then so many words of what was found.
KERNEL hone_gather(GLOBAL const u8* memory, GLOBAL u8* out, GLOBAL const u64* ranges, u32 first, u32 count,
                   GLOBAL const u32* results, u32 first_word, u32 words, u64 to_words) {
  for (u32 r = first; r < first + count; ++r) {
    const u64 from = ranges[3 * r], to = ranges[3 * r + 1], bytes = ranges[3 * r + 2];
    for (u64 i = THREAD; i < bytes; i += THREADS) out[to + i] = memory[from + i];
  }
  for (u64 i = THREAD; i < words; i += THREADS) ((GLOBAL u32*)(out + to_words))[i] = results[first_word + i];
}

// Cold caches: what is read displaces everything in them, and leaves clean lines. Sixteen bytes at a time.
// No compiler may know that the last line never writes: it would read nothing.
KERNEL hone_flush(GLOBAL const uint4* memory, u64 count, GLOBAL u32* results, u32 never) {
  u32 all = 0;
  for (u64 i = THREAD; i < count; i += THREADS) {
    const uint4 one = memory[i];
    all ^= one.x ^ one.y ^ one.z ^ one.w;
  }
  if (all == never) *results = all;
}
)";

}  // namespace hone::device::launcher
