#include "device/hip/hiprtc_library.h"

#include <fmt/format.h>

#include "device/shared_library.h"

namespace hone::device::hip {

namespace {

using H = HiprtcLibrary;

constexpr Entry<H> k_entries[] = {
    entry<&H::version>("hiprtcVersion"),
    entry<&H::get_error_string>("hiprtcGetErrorString"),
    entry<&H::create_program>("hiprtcCreateProgram"),
    entry<&H::compile_program>("hiprtcCompileProgram"),
    entry<&H::get_code_size>("hiprtcGetCodeSize"),
    entry<&H::get_code>("hiprtcGetCode"),
    entry<&H::get_program_log_size>("hiprtcGetProgramLogSize"),
    entry<&H::get_program_log>("hiprtcGetProgramLog"),
};

}  // namespace

std::vector<std::string> hiprtc_files() {
  return {"libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "/opt/rocm/lib/libhiprtc.so"};
}

Result<HiprtcLibrary> HiprtcLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file, SharedLibrary::open({files, "AMD's run-time compiler",
                                                          "install ROCm 6 or newer (package hip-runtime-amd has "
                                                          "libhiprtc)"}));
  HiprtcLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<HiprtcLibrary>(file, k_entries, library));
  return library;
}

Status HiprtcLibrary::check(HiprtcStatus status, std::string_view doing) const {
  if (status == HiprtcStatus::success) return ok();
  const char* name = get_error_string(status);
  return Error{ErrorCode::environment, fmt::format("hiprtc cannot {}: {} ({})", doing, name == nullptr ? "?" : name,
                                                   static_cast<uint32_t>(status))};
}

Result<std::string> HiprtcLibrary::version_text() const {
  int32_t major = 0;
  int32_t minor = 0;
  HONE_CHECK(check(version(&major, &minor), "say its version"));
  return fmt::format("{}.{}", major, minor);
}

}  // namespace hone::device::hip
