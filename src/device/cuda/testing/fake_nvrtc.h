// Test support: NVIDIA's run-time compiler as far as hone opens it, in C: version VERSION_MAJOR.2 (12), for sm_75, 90.
#pragma once

#include <string_view>

namespace hone::device::cuda {

inline constexpr std::string_view k_fake_nvrtc = R"~~(
#ifndef VERSION_MAJOR
#define VERSION_MAJOR 12
#endif
int nvrtcVersion(int* major, int* minor) { *major = VERSION_MAJOR; *minor = 2; return 0; }
const char* nvrtcGetErrorString(int status) { return status == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }
int nvrtcGetNumSupportedArchs(int* count) { *count = 2; return 0; }
int nvrtcGetSupportedArchs(int* archs) { archs[0] = 75; archs[1] = 90; return 0; }
#define NOTHING(name) int name(void) { return 0; }
NOTHING(nvrtcCreateProgram) NOTHING(nvrtcCompileProgram) NOTHING(nvrtcDestroyProgram) NOTHING(nvrtcGetCUBINSize)
NOTHING(nvrtcGetCUBIN) NOTHING(nvrtcGetPTXSize) NOTHING(nvrtcGetPTX) NOTHING(nvrtcGetProgramLogSize)
NOTHING(nvrtcGetProgramLog)
)~~";

}  // namespace hone::device::cuda
