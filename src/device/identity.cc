#include <fmt/format.h>

#include "device/device.h"

namespace hone::device {

// Everything that a stored time or ceiling depends on; the uuid is left out, so that equal machines share answers.
Digest Identity::key() const {
  Sha256 sum;
  sum.add_field("hone.device/1").add_field(kind).add_field(name).add_field(name_of(trust)).add_field(toolchain);
  sum.add_field(compiler_path).add_field(fmt::format("{}", memory_bytes));
  for (const int core : cores) sum.add_field(fmt::format("core {}", core));
  for (const uint64_t bytes : cache_bytes) sum.add_field(fmt::format("cache {}", bytes));
  return sum.finish();
}

}  // namespace hone::device
