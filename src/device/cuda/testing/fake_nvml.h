// Test support: NVIDIA's management library as far as hone calls it, in C. Macros change what it does:
//   MIG=1             the device is divided     MODE=n      compute mode        BUSY=n     processes on it
//   REASONS=n         what holds the clocks back            ONLY_NEW_NAMES      no ...ThrottleReasons
// Pids of the processes are 1000, 1001, ...
#pragma once

#include <string_view>

namespace hone::device::cuda {

inline constexpr std::string_view k_fake_nvml = R"~~(
#include <string.h>
#ifndef MIG
#define MIG 0
#endif
#ifndef MODE
#define MODE 0
#endif
#ifndef BUSY
#define BUSY 0
#endif
#ifndef REASONS
#define REASONS 0
#endif
struct process { unsigned pid; unsigned long long used; unsigned gpu, compute; };
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
const char* nvmlErrorString(int status) { return status == 3 ? "Not Supported" : "Unknown Error"; }
int nvmlSystemGetDriverVersion(char* version, unsigned room) { strncpy(version, "570.124.06", room); return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { *count = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) { *device = (void*)1; return 0; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = (void*)1;
  return strcmp(uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f") ? 6 : 0;
}
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned room) { return 3; }
int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* mhz) { *mhz = 345; return 0; }
int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned* mhz) { *mhz = clock == 2 ? 3201 : 1980; return 0; }
#ifndef ONLY_NEW_NAMES
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) { *bits = REASONS; return 0; }
#endif
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* bits) { *bits = REASONS; return 0; }
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* mw) { *mw = 700000; return 0; }
int nvmlDeviceGetPowerUsage(void* device, unsigned* mw) { *mw = 76000; return 0; }
int nvmlDeviceGetComputeMode(void* device, int* mode) { *mode = MODE; return 0; }
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) { *current = *pending = MIG; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, struct process* to) {
  if (*count < BUSY) { *count = BUSY; return 7; }
  for (unsigned i = 0; i < BUSY; ++i) to[i] = (struct process){1000 + i, 1u << 20, 0, 0};
  *count = BUSY;
  return 0;
}
)~~";

}  // namespace hone::device::cuda
