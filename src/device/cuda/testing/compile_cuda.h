// Test support: CUDA text to a cubin by the nvcc of this machine, with what ptxas says of it. Tests that need it skip
// where there is none.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/disk.h"
#include "base/process.h"
#include "device/cuda/places.h"

namespace hone::device::cuda {

inline std::optional<std::string> find_nvcc() {
  for (const fs::path& folder : program_folders(environment_variables()))
    if (path_exists(folder / "nvcc")) return (folder / "nvcc").string();
  if (const auto found = find_program("nvcc")) return found->string();
  return std::nullopt;
}

struct CompiledCuda {
  std::string cubin;
  std::string said;  // by `ptxas -v`
};

inline std::optional<CompiledCuda> compile_cuda(const std::string& arch, std::string_view text) {
  const auto nvcc = find_nvcc();
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-cubin-");
  if (!nvcc || !folder) return std::nullopt;
  Disk disk;
  Processes processes;
  const fs::path source = folder->path() / "k.cu";
  const fs::path cubin = folder->path() / "k.cubin";
  if (!write_file(disk, source, std::string(text))) return std::nullopt;
  const auto ran = processes.run(
      {.argv = {*nvcc, "-arch=" + arch, "-cubin", "-Xptxas", "-v", source.string(), "-o", cubin.string()}});
  const auto bytes = read_file(cubin);
  if (!ran || !ran->succeeded() || !bytes) return std::nullopt;
  return CompiledCuda{*bytes, ran->output + ran->errors};
}

}  // namespace hone::device::cuda
