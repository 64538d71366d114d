#include <fmt/format.h>

#include "base/disk.h"
#include "base/process.h"
#include "base/text.h"
#include "device/cpu/topology.h"
#include "device/cuda/nvrtc_library.h"
#include "device/cuda/places.h"
#include "device/hip/hiprtc_library.h"
#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

namespace {

constexpr const char* k_nvcc = "nvcc";
constexpr const char* k_rocm = "/opt/rocm";  // where its packages put it
constexpr auto k_version_deadline = std::chrono::seconds(20);

// Of the newest toolkit that has any: its own, and those of its C++ libraries, which stand apart from 13 on.
std::vector<fs::path> header_folders() {
  for (const fs::path& folder : cuda::toolkit_folders(cuda::environment_variables())) {
    const fs::path headers = folder / "include";
    if (!path_exists(headers / "cuda_fp16.h")) continue;
    std::vector<fs::path> folders{headers};
    if (path_exists(headers / "cccl")) folders.push_back(headers / "cccl");
    return folders;
  }
  return {};
}

Result<Toolchain> find_nvrtc(const CompilerPlaces& places, const DeviceFacts& facts) {
  HONE_TRY(const cuda::NvrtcLibrary library, cuda::NvrtcLibrary::open(places.nvrtc));
  HONE_TRY(const std::string version, library.version_text());
  return Toolchain{"cuda", "build-cuda", "NVRTC " + version, library.path, header_folders(), facts.arch};
}

// "Cuda compilation tools, release 13.0, V13.0.88"
std::string nvcc_version(std::string_view said) {
  constexpr std::string_view mark = ", V";
  const size_t at = said.find(mark);
  if (at == std::string_view::npos) return k_nvcc;
  const std::string_view rest = said.substr(at + mark.size());
  return fmt::format("{} {}", k_nvcc, rest.substr(0, rest.find_first_not_of("0123456789.")));
}

Result<Toolchain> find_nvcc(const CompilerPlaces& places, const DeviceFacts& facts) {
  for (const fs::path& program : places.nvcc) {
    Processes processes;
    HONE_TRY(const Finished said,
             processes.run({.argv = {program.string(), "--version"}, .deadline = k_version_deadline}));
    if (said.succeeded()) return Toolchain{"cuda", "build-nvcc", nvcc_version(said.output), program, {}, facts.arch};
  }
  return Error{ErrorCode::environment, "there is no nvcc either"};
}

// NVRTC takes a fraction of nvcc's time, and needs no C++ compiler of the machine.
Result<Toolchain> find_cuda(const CompilerPlaces& places, const DeviceFacts& facts) {
  auto nvrtc = find_nvrtc(places, facts);
  if (nvrtc) return nvrtc;
  auto nvcc = find_nvcc(places, facts);
  if (nvcc) return nvcc;
  return std::move(nvrtc.error()).because(std::move(nvcc.error()));
}

// The compiler brings what most kernels include; where more of ROCm is installed, that is found too.
Result<Toolchain> find_hip(const CompilerPlaces& places, const DeviceFacts& facts) {
  HONE_TRY(const hip::HiprtcLibrary library, hip::HiprtcLibrary::open(places.hiprtc));
  HONE_TRY(const std::string version, library.version_text());
  Toolchain toolchain{"hip", "build-hip", "hiprtc " + version, library.path, {}, facts.arch};
  for (const fs::path& folder : places.rocm) {
    if (!toolchain.headers.empty() || !path_exists(folder / "include" / "hip" / "hip_runtime.h")) continue;
    toolchain.headers.push_back(folder / "include");
  }
  return toolchain;
}

// The device's own driver compiles.
Result<Toolchain> find_opencl(const CompilerPlaces&, const DeviceFacts& facts) {
  return Toolchain{"opencl", "build-opencl", fmt::format("{} {}", facts.name, facts.driver), "", {}, facts.uuid};
}

struct FinderRow {
  std::string_view backend;
  Result<Toolchain> (*find)(const CompilerPlaces& places, const DeviceFacts& facts);
};
constexpr FinderRow k_finders[] = {{"cuda", find_cuda}, {"hip", find_hip}, {"opencl", find_opencl}};

}  // namespace

CompilerPlaces compiler_places() {
  const cuda::Variables variables = cuda::environment_variables();
  CompilerPlaces places{cuda::nvrtc_files(cuda::library_folders(variables)), {}};
  if (const auto found = find_program(k_nvcc)) places.nvcc.push_back(*found);
  for (const fs::path& folder : cuda::program_folders(variables))
    if (path_exists(folder / k_nvcc)) places.nvcc.push_back(folder / k_nvcc);
  places.hiprtc = hip::hiprtc_files();
  if (const auto rocm = variables.find("ROCM_PATH"); rocm != variables.end()) places.rocm.emplace_back(rocm->second);
  places.rocm.emplace_back(k_rocm);
  return places;
}

Result<Toolchain> find_toolchain(std::string_view backend, const DeviceFacts& facts, const CompilerPlaces& places) {
  for (const FinderRow& row : k_finders) {
    if (row.backend != backend) continue;
    HONE_TRY(Toolchain toolchain, row.find(places, facts));
    toolchain.cores = cpu::allowed_processors();
    return toolchain;
  }
  return Error{ErrorCode::environment, fmt::format("this hone has no compiler for '{}'", backend)};
}

}  // namespace hone::device::launcher
