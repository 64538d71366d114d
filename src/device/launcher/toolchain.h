// Toolchain: how candidates of one backend become binaries that its launcher loads: confined, cached by content.
// CUDA: NVRTC, or nvcc where there is none, in a confined process of hone's own, to a cubin for the device at hand; the
// PTX is kept beside it for what a cubin does not say, and what kernels take of the device as k_resources. What was
// built is held against the request's launches in this process (device/cuda/built.h). OpenCL: the device's own
// compiler, which needs the device: a process of the launcher profile that knows no secret and ends with the build.
// HIP: hiprtc, to a code object for the device at hand, as CUDA (device/hip/built.h). Failure: environment, where
// nothing can compile; what is wrong with the candidate is a CompileFault. Any number of
// threads and processes may compile into one cache at once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/launcher/driver.h"

namespace hone::device::launcher {

struct Toolchain {
  std::string backend;         // "cuda", "hip", "opencl"
  std::string role;            // of its confined process: "build-cuda", "build-nvcc", "build-hip", "build-opencl"
  std::string version;         // "NVRTC 13.0", "nvcc 13.0.88", "hiprtc 6.3"
  std::filesystem::path path;  // of the library or the program
  std::vector<std::filesystem::path> headers;  // folders of the vendor's own
  std::string target;                          // "sm_90", "gfx942"; of OpenCL the device's name
  std::vector<int> cores = {};  // where builds may run: what this process was allowed when it looked; empty: as itself
};

// Where CUDA's and HIP's compilers are looked for.
struct CompilerPlaces {
  std::vector<std::string> nvrtc;  // files, as NvrtcLibrary::open takes them
  std::vector<std::filesystem::path> nvcc;
  std::vector<std::string> hiprtc = {};          // files, as HiprtcLibrary::open takes them
  std::vector<std::filesystem::path> rocm = {};  // folders of installations
};
CompilerPlaces compiler_places();  // of this machine

Result<Toolchain> find_toolchain(std::string_view backend, const DeviceFacts& facts,
                                 const CompilerPlaces& places = compiler_places());
// `request.sources` make one text, in order.
Result<CompileOutcome> compile(const Toolchain& toolchain, const std::filesystem::path& cache,
                               const CompileRequest& request);

// The confined process of a build, in one of the roles above: COMPILER TARGET OUTPUT FLAG…, in the folder of the
// sources. It reads k_whole_source, prints what the compiler says, and writes objects into OUTPUT.
inline constexpr const char* k_whole_source = "hone_whole_source";  // includes the candidate's sources in order
inline constexpr const char* k_cubin = "kernel.cubin";              // of CUDA, and
inline constexpr const char* k_ptx = "kernel.ptx";                  // its PTX
inline constexpr const char* k_resources = "resources.json";        // in the cache, beside either
inline constexpr const char* k_code_object = "kernel.co";           // of HIP
inline constexpr const char* k_program = "program.bin";             // of OpenCL
inline constexpr int k_does_not_compile = 1;
inline constexpr int k_cannot_compile = 3;
int build_cuda_main(int argc, char** argv);
int build_nvcc_main(int argc, char** argv);
int build_hip_main(int argc, char** argv);
int build_opencl_main(int argc, char** argv);

}  // namespace hone::device::launcher
