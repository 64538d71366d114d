#include <fmt/format.h>

#include "base/disk.h"
#include "base/process.h"
#include "base/text.h"
#include "device/cuda/nvrtc_library.h"
#include "device/cuda/places.h"
#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

namespace {

constexpr const char* k_nvcc = "nvcc";
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

}  // namespace

CompilerPlaces compiler_places() {
  const cuda::Variables variables = cuda::environment_variables();
  CompilerPlaces places{cuda::nvrtc_files(cuda::library_folders(variables)), {}};
  if (const auto found = find_program(k_nvcc)) places.nvcc.push_back(*found);
  for (const fs::path& folder : cuda::program_folders(variables))
    if (path_exists(folder / k_nvcc)) places.nvcc.push_back(folder / k_nvcc);
  return places;
}

// NVRTC takes a fraction of nvcc's time, and needs no C++ compiler of the machine.
Result<Toolchain> find_toolchain(std::string_view backend, const DeviceFacts& facts, const CompilerPlaces& places) {
  if (backend != "cuda")
    return Toolchain{std::string(backend),
                     fmt::format("build-{}", backend),
                     fmt::format("{} {}", facts.name, facts.driver),
                     "",
                     {},
                     facts.uuid};
  auto nvrtc = find_nvrtc(places, facts);
  if (nvrtc) return nvrtc;
  auto nvcc = find_nvcc(places, facts);
  if (nvcc) return nvcc;
  return std::move(nvrtc.error()).because(std::move(nvcc.error()));
}

}  // namespace hone::device::launcher
