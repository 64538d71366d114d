#include "surface/selftest/task.h"

namespace hone::cli {

namespace {

// About 0.3 ms: a chain of dependent multiplications that no compiler can shorten, and an answer that is the same for
// every EXTRA.
constexpr std::string_view k_kernel = R"(#include <cstdint>

#ifndef EXTRA
#define EXTRA 0
#endif

extern "C" int spin(const float* in, float* out, int n) {
  std::uint32_t x = static_cast<std::uint32_t>(n) | 1u;
  for (int i = 0; i < 240 * (1000 + EXTRA); ++i) x = x * 1664525u + 1013904223u;
  const float never = x == 0x12345678u && n < 0 ? 1.0f : 0.0f;
  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i] + never;
  return 0;
}
)";

constexpr std::string_view k_reference = R"(#include <cmath>

extern "C" void spin_reference(const double* in, double* out, int n, double* out_magnitude) {
  for (int i = 0; i < n; ++i) {
    out[i] = 2.0 * in[i];
    out_magnitude[i] = 2.0 * std::fabs(in[i]);
  }
}
)";

constexpr std::string_view k_task = R"(schema = "task/1"
name = "spin"
summary = "out = 2 * in, after work that EXTRA sets in thousandths"

[axes]
n = { kind = "case", min = 1 }

[[args]]
name = "in"
role = "in"
dtype = "f32"
shape = ["n"]
fill = { kind = "normal" }

[[args]]
name = "out"
role = "out"
dtype = "f32"
shape = ["n"]
compare = { terms = 1 }

[[args]]
name = "n"
role = "size"
dtype = "i32"
value = "n"

[kernel]
language = "cpp"
sources = ["kernel.cpp"]
entry = "spin"
call = "host_function"
editable = ["kernel.cpp"]

[tune]
delivery = "macro"

[tune.parameters]
EXTRA = { values = [0, 5, 10, 20, 50], default = 0, tier = 1 }

[oracle]
kind = "c_function"
sources = ["reference.cpp"]
entry = "spin_reference"

[[cases]]
id = "small"
use = ["verify"]
bind = { n = 7 }

[[cases]]
id = "spin"
use = ["verify", "time"]
bind = { n = 4096 }
)";

}  // namespace

Status write_selftest_task(Disk& disk, const fs::path& folder) {
  HONE_CHECK(write_file(disk, folder / "kernel.cpp", k_kernel));
  HONE_CHECK(write_file(disk, folder / "reference.cpp", k_reference));
  return write_file(disk, folder / "task.toml", k_task);
}

}  // namespace hone::cli
