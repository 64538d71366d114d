// NvrtcLibrary: NVIDIA's run-time compiler, found at run time; the newest of those that can be opened. Texts and
// programs are the library's until destroyed. It compiles candidate files and therefore belongs into a confined build.
//
// Ownership: plain pointers into a library that stays loaded. Failure: environment, with what to type; `check` names
// the status. One thread a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/cuda/places.h"

namespace hone::device::cuda {

enum class NvrtcStatus : uint32_t {
  success = 0,
  out_of_memory = 1,
  invalid_input = 3,
  invalid_program = 4,
  invalid_option = 5,
  compilation = 6,  // the source does not compile; the log says why
  builtin_operation_failure = 7,
  internal_error = 11,
};

using NvrtcProgram = struct NvrtcProgramObject*;

inline constexpr int k_newest_nvrtc = 13;
inline constexpr int k_oldest_nvrtc = 12;

// Files to try, in order: by soname newest first, for each the loader's search path, then the folders. A driver refuses
// cubins of a newer major version than its own, so `newest` can be held to it.
std::vector<std::string> nvrtc_files(const std::vector<std::filesystem::path>& folders, int newest = k_newest_nvrtc);

struct NvrtcLibrary {
  static Result<NvrtcLibrary> open(
      const std::vector<std::string>& files = nvrtc_files(library_folders(environment_variables())));

  // `doing` goes after "cannot": "compile kernel.cu".
  Status check(NvrtcStatus status, std::string_view doing) const;
  Result<std::string> version_text() const;        // "13.0"
  Result<std::vector<int>> architectures() const;  // that it compiles for, ascending: 90 is compute_90

  std::string path;

  NvrtcStatus (*version)(int32_t* major, int32_t* minor) = nullptr;
  const char* (*get_error_string)(NvrtcStatus status) = nullptr;
  NvrtcStatus (*get_num_supported_archs)(int32_t* count) = nullptr;
  NvrtcStatus (*get_supported_archs)(int32_t* archs) = nullptr;
  NvrtcStatus (*create_program)(NvrtcProgram* program, const char* source, const char* name, int32_t header_count,
                                const char* const* headers, const char* const* include_names) = nullptr;
  NvrtcStatus (*compile_program)(NvrtcProgram program, int32_t option_count, const char* const* options) = nullptr;
  NvrtcStatus (*destroy_program)(NvrtcProgram* program) = nullptr;
  // Sizes of texts count the 0 at their end.
  NvrtcStatus (*get_cubin_size)(NvrtcProgram program, size_t* bytes) = nullptr;
  NvrtcStatus (*get_cubin)(NvrtcProgram program, char* cubin) = nullptr;
  NvrtcStatus (*get_ptx_size)(NvrtcProgram program, size_t* bytes) = nullptr;
  NvrtcStatus (*get_ptx)(NvrtcProgram program, char* ptx) = nullptr;
  NvrtcStatus (*get_program_log_size)(NvrtcProgram program, size_t* bytes) = nullptr;
  NvrtcStatus (*get_program_log)(NvrtcProgram program, char* log) = nullptr;
};

}  // namespace hone::device::cuda
