#include "device/cuda/nvrtc_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/shared_library.h"

namespace hone::device::cuda {

namespace {

using N = NvrtcLibrary;

constexpr Entry<N> k_entries[] = {
    entry<&N::version>("nvrtcVersion"),
    entry<&N::get_error_string>("nvrtcGetErrorString"),
    entry<&N::get_num_supported_archs>("nvrtcGetNumSupportedArchs"),
    entry<&N::get_supported_archs>("nvrtcGetSupportedArchs"),
    entry<&N::create_program>("nvrtcCreateProgram"),
    entry<&N::compile_program>("nvrtcCompileProgram"),
    entry<&N::destroy_program>("nvrtcDestroyProgram"),
    entry<&N::get_cubin_size>("nvrtcGetCUBINSize"),
    entry<&N::get_cubin>("nvrtcGetCUBIN"),
    entry<&N::get_ptx_size>("nvrtcGetPTXSize"),
    entry<&N::get_ptx>("nvrtcGetPTX"),
    entry<&N::get_program_log_size>("nvrtcGetProgramLogSize"),
    entry<&N::get_program_log>("nvrtcGetProgramLog"),
};

}  // namespace

std::vector<std::string> nvrtc_files(const std::vector<std::filesystem::path>& folders, int newest) {
  std::vector<std::string> names;
  for (int major = newest; major >= k_oldest_nvrtc; --major) names.push_back(fmt::format("libnvrtc.so.{}", major));
  if (newest >= k_newest_nvrtc) names.emplace_back("libnvrtc.so");  // of any version
  std::vector<std::string> files;
  for (const std::string& name : names) {
    files.push_back(name);
    for (const auto& folder : folders) {
      if (std::error_code none; std::filesystem::exists(folder / name, none)) files.push_back((folder / name).string());
    }
  }
  return files;
}

Result<NvrtcLibrary> NvrtcLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file,
           SharedLibrary::open({files, "NVIDIA's run-time compiler",
                                "install the CUDA toolkit, or NVRTC alone (pip install nvidia-cuda-nvrtc), or set "
                                "CUDA_HOME to where it is"}));
  NvrtcLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<NvrtcLibrary>(file, k_entries, library));
  return library;
}

Status NvrtcLibrary::check(NvrtcStatus status, std::string_view doing) const {
  if (status == NvrtcStatus::success) return ok();
  const char* name = get_error_string(status);
  return Error{ErrorCode::environment, fmt::format("NVRTC cannot {}: {} ({})", doing, name == nullptr ? "?" : name,
                                                   static_cast<uint32_t>(status))};
}

Result<std::string> NvrtcLibrary::version_text() const {
  int32_t major = 0;
  int32_t minor = 0;
  HONE_CHECK(check(version(&major, &minor), "say its version"));
  return fmt::format("{}.{}", major, minor);
}

Result<std::vector<int>> NvrtcLibrary::architectures() const {
  int32_t count = 0;
  HONE_CHECK(check(get_num_supported_archs(&count), "count the architectures it compiles for"));
  std::vector<int> archs(static_cast<size_t>(std::max(0, count)));
  HONE_CHECK(check(get_supported_archs(archs.data()), "list the architectures it compiles for"));
  return archs;
}

}  // namespace hone::device::cuda
