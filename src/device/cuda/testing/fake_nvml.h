// Test support: NVIDIA's management library as far as hone calls it, in C. Macros change what it does:
//   MIG=1             the device is divided     MODE=n      compute mode        BUSY=n     processes on it
//   REASONS=n         what holds the clocks back            ONLY_NEW_NAMES      no ...ThrottleReasons
//   MUTE              it answers to nothing that is not required                HANGS_AFTER=n  its n-th clock question
//   LOST_AFTER=n      the device is lost after n questions for clocks           CRASHES_AFTER=n
//   LOCKS="FILE"      clocks can be locked; every call is a line of that file   REFUSES        ... but not by you
// Pids of the processes are 1000, 1001, ... Within one process a test may set what the variables below say
// (FakeNvmlState).
#pragma once

#include <string_view>

namespace hone::device::cuda {

// The fake's variable of that name, laid out alike.
struct FakeNvmlState {
  unsigned long long reasons;
  unsigned sm_mhz, memory_mhz, milliwatts, celsius, busy, processes;
  int status;  // of every question
};
inline constexpr const char* k_fake_nvml_state = "fake_state";

inline constexpr std::string_view k_fake_nvml = R"~~(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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
#ifndef LOST_AFTER
#define LOST_AFTER -1
#endif
#ifndef CRASHES_AFTER
#define CRASHES_AFTER -1
#endif
#ifndef HANGS_AFTER
#define HANGS_AFTER -1
#endif
struct process { unsigned pid; unsigned long long used; unsigned gpu, compute; };
struct {
  unsigned long long reasons;
  unsigned sm_mhz, memory_mhz, milliwatts, celsius, busy, processes;
  int status;
} fake_state = {REASONS, 345, 3201, 76000, 38, 7, BUSY, 0};
static int clock_questions;
static int answer(unsigned* to, unsigned value) { *to = value; return fake_state.status; }
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
int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* mhz) {
  const int question = clock_questions++;
  if (question == LOST_AFTER) fake_state.status = 15;
  if (question == CRASHES_AFTER) abort();
  if (question == HANGS_AFTER) pause();
  return answer(mhz, clock == 2 ? fake_state.memory_mhz : fake_state.sm_mhz);
}
int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned* mhz) { *mhz = clock == 2 ? 3201 : 1980; return 0; }
#ifndef MUTE
static int reasons(unsigned long long* bits) { *bits = fake_state.reasons; return fake_state.status; }
#ifndef ONLY_NEW_NAMES
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) { return reasons(bits); }
#endif
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* bits) { return reasons(bits); }
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned* to) { return answer(to, fake_state.celsius); }
int nvmlDeviceGetUtilizationRates(void* device, unsigned* to) { to[1] = 0; return answer(to, fake_state.busy); }
#endif
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* mw) { *mw = 700000; return 0; }
int nvmlDeviceGetPowerUsage(void* device, unsigned* mw) { return answer(mw, fake_state.milliwatts); }
int nvmlDeviceGetComputeMode(void* device, int* mode) { *mode = MODE; return 0; }
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) { *current = *pending = MIG; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, struct process* to) {
  const unsigned busy = fake_state.processes;
  if (*count < busy) { *count = busy; return 7; }
  for (unsigned i = 0; i < busy; ++i) to[i] = (struct process){1000 + i, 1u << 20, 0, 0};
  return answer(count, busy);
}
#ifdef LOCKS
static int note(const char* words, unsigned low, unsigned high) {
  FILE* file = fopen(LOCKS, "a");
  fprintf(file, "%s %u %u\n", words, low, high);
  fclose(file);
  return 0;
}
int nvmlDeviceSetGpuLockedClocks(void* device, unsigned low, unsigned high) {
#ifdef REFUSES
  return 4;
#endif
  return note("lock", low, high);
}
int nvmlDeviceResetGpuLockedClocks(void* device) { return note("reset", 0, 0); }
#endif
)~~";

}  // namespace hone::device::cuda
