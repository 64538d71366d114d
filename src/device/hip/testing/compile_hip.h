// Test support: HIP text to a code object, or to assembly, by the clang of this machine, without AMD's headers and
// device libraries: k_hip_words stands in for as much of them as hone's own kernels use. Tests that need it skip where
// no clang here makes code for AMD.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/disk.h"
#include "base/process.h"

namespace hone::device::hip {

inline constexpr std::string_view k_hip_words = R"(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
struct Index { unsigned x; };
#define blockIdx (Index{__builtin_amdgcn_workgroup_id_x()})
#define threadIdx (Index{__builtin_amdgcn_workitem_id_x()})
#define blockDim (Index{256u})
#define gridDim (Index{__builtin_amdgcn_grid_size_x() / 256u})
struct uint4 { unsigned x, y, z, w; };
__device__ inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long)a * b) >> 32); }
__device__ inline long long __double_as_longlong(double d) { return __builtin_bit_cast(long long, d); }
__device__ inline double __longlong_as_double(long long d) { return __builtin_bit_cast(double, d); }
__device__ inline double __dadd_rn(double a, double b) { return a + b; }
__device__ inline double __dmul_rn(double a, double b) { return a * b; }
__device__ inline unsigned atomicOr(unsigned* at, unsigned v) { return __atomic_fetch_or(at, v, __ATOMIC_RELAXED); }
__device__ inline unsigned atomicAdd(unsigned* at, unsigned v) { return __atomic_fetch_add(at, v, __ATOMIC_RELAXED); }
__device__ inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
)";

enum class HipOutput { code_object, assembly };

inline std::optional<std::string> compile_hip(std::string_view text, HipOutput output = HipOutput::code_object) {
  for (const char* name : {"clang++", "clang++-14"}) {
    const auto clang = find_program(name);
    const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-hip-");
    if (!clang || !folder) continue;
    const fs::path made = folder->path() / "made";
    Command command{.argv = {clang->string(), "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpulib",
                             "-nogpuinc", "--offload-arch=gfx90a", "-O3", "-std=c++17", "-", "-o", made.string()}};
    if (output == HipOutput::assembly) command.argv.emplace_back("-S");
    command.input = std::string(k_hip_words) + std::string(text);
    Processes processes;
    const auto ran = processes.run(command);
    const auto bytes = read_file(made);
    if (ran && ran->succeeded() && bytes) return *bytes;
  }
  return std::nullopt;
}

}  // namespace hone::device::hip
