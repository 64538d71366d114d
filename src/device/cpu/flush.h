// Cache states: bytes brought out of every cache (cold) or into the nearest that holds them (warm).
// Cold on a CPU means clean and in memory alone (JUDGE.md 2): the way is chosen at run time, clflushopt, else clflush,
// else a write and a read of twice the last-level cache. flush and warm change no byte. No failure; any thread, on the
// core that will be measured.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hone::device::cpu {

enum class FlushPath { sweep, clflush, clflushopt };

std::vector<FlushPath> flush_paths();  // that this processor has, the best last
void flush_to_memory(std::span<const std::byte> bytes, FlushPath path);
void flush_to_memory(std::span<const std::byte> bytes);
void warm(std::span<const std::byte> bytes);
// Copies without bringing the destination into any cache, where the processor can. As many bytes as `from` has.
void copy_past_caches(std::span<std::byte> to, std::span<const std::byte> from);

}  // namespace hone::device::cpu
