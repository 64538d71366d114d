// HiprtcLibrary: AMD's run-time compiler, found at run time. Texts and programs are the library's until destroyed. It
// compiles candidate files and therefore belongs into a confined build. Nobody has run this with AMD's own library yet.
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

namespace hone::device::hip {

enum class HiprtcStatus : uint32_t {
  success = 0,
  out_of_memory = 1,
  invalid_option = 5,
  compilation = 6,  // the source does not compile; the log says why
  internal_error = 11,
};

using HiprtcProgram = struct HiprtcProgramObject*;

std::vector<std::string> hiprtc_files();  // to try, in order

struct HiprtcLibrary {
  static Result<HiprtcLibrary> open(const std::vector<std::string>& files = hiprtc_files());

  // `doing` goes after "cannot": "compile kernel.hip".
  Status check(HiprtcStatus status, std::string_view doing) const;
  Result<std::string> version_text() const;  // "6.3"

  std::string path;

  HiprtcStatus (*version)(int32_t* major, int32_t* minor) = nullptr;
  const char* (*get_error_string)(HiprtcStatus status) = nullptr;
  HiprtcStatus (*create_program)(HiprtcProgram* program, const char* source, const char* name, int32_t header_count,
                                 const char* const* headers, const char* const* include_names) = nullptr;
  HiprtcStatus (*compile_program)(HiprtcProgram program, int32_t option_count, const char* const* options) = nullptr;
  HiprtcStatus (*get_code_size)(HiprtcProgram program, size_t* bytes) = nullptr;
  HiprtcStatus (*get_code)(HiprtcProgram program, char* code) = nullptr;
  // The size of the log counts the 0 at its end.
  HiprtcStatus (*get_program_log_size)(HiprtcProgram program, size_t* bytes) = nullptr;
  HiprtcStatus (*get_program_log)(HiprtcProgram program, char* log) = nullptr;
};

}  // namespace hone::device::hip
