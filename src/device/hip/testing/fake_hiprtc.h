// Test support: AMD's run-time compiler as far as hone calls it, in C. Its code is the file that CODE names; without
// that macro there is none. Macros: COMPILE=n what compiling answers (6: it does not compile).
#pragma once

#include <string_view>

namespace hone::device::hip {

inline constexpr std::string_view k_fake_hiprtc = R"~~(
#include <stdio.h>
#include <string.h>
#ifndef COMPILE
#define COMPILE 0
#endif
static char log[4096];
int hiprtcVersion(int* major, int* minor) { *major = 6; *minor = 3; return 0; }
const char* hiprtcGetErrorString(int status) { return status == 6 ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR"; }
int hiprtcCreateProgram(void** program, const char* source, const char* name, int count, const char* const* headers,
                        const char* const* names) {
  *program = log;
  snprintf(log, sizeof log, "source %s;", source);
  return 0;
}
int hiprtcCompileProgram(void* program, int count, const char* const* options) {
  for (int i = 0; i < count; ++i) snprintf(log + strlen(log), sizeof log - strlen(log), " %s", options[i]);
  return COMPILE;
}
static long read_code(char* code) {
#ifdef CODE
  FILE* file = fopen(CODE, "rb");
  char scratch[1 << 18];
  const long size = file ? fread(scratch, 1, sizeof scratch, file) : 0;
  if (file) fclose(file);
  if (code) memcpy(code, scratch, size);
  return size;
#endif
  return 0;
}
int hiprtcGetCodeSize(void* program, size_t* bytes) { *bytes = read_code(0); return 0; }
int hiprtcGetCode(void* program, char* code) { read_code(code); return 0; }
int hiprtcGetProgramLogSize(void* program, size_t* bytes) { *bytes = strlen(log) + 1; return 0; }
int hiprtcGetProgramLog(void* program, char* text) { strcpy(text, log); return 0; }
)~~";

}  // namespace hone::device::hip
