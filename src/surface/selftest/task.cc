#include "surface/selftest/task.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::cli {

namespace {

// A chain of dependent multiplications that no compiler can shorten, and an answer that is the same for every EXTRA.
// SPIN stands for a thousandth of the chain.
constexpr std::string_view k_cpp = R"(#include <cstdint>

#ifndef EXTRA
#define EXTRA 0
#endif

extern "C" int spin(const float* in, float* out, int n) {
  std::uint32_t x = static_cast<std::uint32_t>(n) | 1u;
  for (int i = 0; i < SPIN * (1000 + EXTRA); ++i) x = x * 1664525u + 1013904223u;
  const float never = x == 0x12345678u && n < 0 ? 1.0f : 0.0f;
  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i] + never;
  return 0;
}
)";

// Of a device: a warp of each block works, so that a step is a matter of latency, and none is folded into another.
// WHOLE steps take as long as all of the launch, of which BASE are left beside what any launch takes.
constexpr std::string_view k_cuda = R"(#ifndef EXTRA
#define EXTRA 0
#endif

extern "C" __global__ void spin(const float* in, float* out, int n) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = static_cast<unsigned>(n) | 1u;
  const int steps = threadIdx.x < 32 ? BASE + (EXTRA * WHOLE + 500) / 1000 : 0;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  const float never = x == 0x12345678u && n < 0 ? 1.0f : 0.0f;
  if (at < n) out[at] = in[at] + in[at] + never;
}
)";

// By one work item alone: on a processor they wait for each other.
constexpr std::string_view k_opencl = R"(#ifndef EXTRA
#define EXTRA 0
#endif

__kernel void spin(__global const float* in, __global float* out, int n) {
  const int at = get_global_id(0);
  uint x = (uint)n | 1u;
  const int steps = at == 0 ? BASE + (EXTRA * WHOLE + 500) / 1000 : 0;
#pragma unroll 1
  for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  const float never = x == 0x12345678u && n < 0 ? 1.0f : 0.0f;
  if (at < n) out[at] = in[at] + in[at] + never;
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
summary = "out = 2 * in, after work of about {} ns, and EXTRA thousandths more"

[axes]
n = {{ kind = "case", min = 1 }}

[[args]]
name = "in"
role = "in"
dtype = "f32"
shape = ["n"]
fill = {{ kind = "normal" }}

[[args]]
name = "out"
role = "out"
dtype = "f32"
shape = ["n"]
compare = {{ terms = 1 }}

[[args]]
name = "n"
role = "size"
dtype = "i32"
value = "n"

[kernel]
language = "{}"
sources = ["{}"]
entry = "spin"
{}
editable = ["{}"]

[tune]
delivery = "macro"

[tune.parameters]
EXTRA = {{ values = [0, 5, 10, 20, 50], default = 0, tier = 1 }}

[oracle]
kind = "c_function"
sources = ["reference.cpp"]
entry = "spin_reference"

[[cases]]
id = "small"
use = ["verify"]
bind = {{ n = 7 }}

[[cases]]
id = "spin"
use = ["verify", "time"]
bind = {{ n = {} }}
)";

struct Form {
  task::Language language;
  std::string_view file;
  std::string_view kernel;
  std::string_view call;  // line of [kernel]; one that launches has a launch too
  double step_ns;         // of the chain, about, on processors and devices of the day
  double launch_ns;       // that has no steps
  int elements;           // of the timed case
  Nanoseconds usual_length;
};

constexpr std::string_view k_function = "call = \"host_function\"";
constexpr std::string_view k_launch = "call = \"launch\"";

// HIP is CUDA's text; how long its steps take nobody has measured.
constexpr Form k_forms[] = {
    {task::Language::cpp, "kernel.cpp", k_cpp, k_function, 1.25, 0, 4096, std::chrono::microseconds(300)},
    {task::Language::cuda, "kernel.cu", k_cuda, k_launch, 14.2, 3000, 1 << 17, std::chrono::microseconds(40)},
    {task::Language::hip, "kernel.hip", k_cuda, k_launch, 14.2, 3000, 1 << 17, std::chrono::microseconds(40)},
    {task::Language::opencl, "kernel.cl", k_opencl, k_launch, 14.2, 3000, 1 << 12, std::chrono::microseconds(40)},
};

constexpr std::string_view k_grid = R"toml(
[[launch]]
grid = ["ceildiv(n, 256)"]
block = ["256"]
)toml";

const Form& form_of(task::Language language) {
  const auto found = std::ranges::find(k_forms, language, &Form::language);
  return found == std::end(k_forms) ? k_forms[0] : *found;
}

void put_number(std::string& kernel, std::string_view word, double number) {
  const size_t at = kernel.find(word);
  const auto steps = static_cast<uint64_t>(std::max(1.0, number + 0.5));
  if (at != std::string::npos) kernel.replace(at, word.size(), std::to_string(steps));
}

std::string kernel_of(const Form& form, Nanoseconds length) {
  std::string kernel(form.kernel);
  const double whole = static_cast<double>(length.count()) / form.step_ns;
  put_number(kernel, "SPIN", whole / 1000.0);
  put_number(kernel, "BASE", whole - form.launch_ns / form.step_ns);
  put_number(kernel, "WHOLE", whole);
  return kernel;
}

}  // namespace

Nanoseconds usual_length(task::Language language) { return form_of(language).usual_length; }

Status write_selftest_task(Disk& disk, const fs::path& folder, task::Language language, Nanoseconds length) {
  const Form& form = form_of(language);
  std::string task =
      fmt::format(k_task, length.count(), name_of(form.language), form.file, form.call, form.file, form.elements);
  if (form.call == k_launch) task.insert(task.find("\n[tune]"), k_grid);
  HONE_CHECK(write_file(disk, folder / form.file, kernel_of(form, length)));
  HONE_CHECK(write_file(disk, folder / "reference.cpp", k_reference));
  return write_file(disk, folder / "task.toml", task);
}

}  // namespace hone::cli
