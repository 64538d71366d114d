// Random bytes from the kernel, for secrets and names. Never seeded, never repeatable; fails only by aborting.
#pragma once

#include <array>
#include <cstdint>

namespace hone {

std::array<uint8_t, 32> random_secret();
uint64_t random_u64();

}  // namespace hone
