#include "base/random.h"

#include <stdlib.h>
#include <sys/random.h>

namespace hone {

namespace {

void fill(void* out, size_t size_bytes) {
  // A secret that is not random would let a candidate foresee its inputs: there is nothing sensible to go on with.
  if (getrandom(out, size_bytes, 0) != static_cast<ssize_t>(size_bytes)) abort();
}

}  // namespace

std::array<uint8_t, 32> random_secret() {
  std::array<uint8_t, 32> secret{};
  fill(secret.data(), secret.size());
  return secret;
}

uint64_t random_u64() {
  uint64_t value = 0;
  fill(&value, sizeof value);
  return value;
}

}  // namespace hone
