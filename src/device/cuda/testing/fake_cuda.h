// Test support: NVIDIA's driver library as far as hone calls it, in C. Macros change what it does:
//   DEVICES=n         how many it has (1)            NAME="..."   their name
//   PAGEABLE=1        kernels reach host memory      MODE=n       compute mode
//   INIT=n            what cuInit answers            CRASHES, HANGS   in cuInit
//   LACKS_MEM_MAP     the symbol cuMemMap is not there
//   NOISY             it prints to standard output
#pragma once

#include <string_view>

namespace hone::device::cuda {

inline constexpr std::string_view k_fake_cuda = R"~~(
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef NAME
#define NAME "NVIDIA H200"
#endif
#ifndef PAGEABLE
#define PAGEABLE 0
#endif
#ifndef MODE
#define MODE 0
#endif
#ifndef INIT
#define INIT 0
#endif

int cuInit(unsigned flags) {
#ifdef CRASHES
  raise(SIGSEGV);
#endif
#ifdef NOISY
  puts("{\"devices\": []}");
  fflush(stdout);
#endif
#ifdef HANGS
  for (;;) pause();
#endif
  return INIT;
}
int cuDriverGetVersion(int* version) { *version = 12080; return 0; }
int cuGetErrorName(int status, const char** name) {
  *name = status == 100 ? "CUDA_ERROR_NO_DEVICE" : status == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : 0;
  return *name ? 0 : 1;
}
int cuGetErrorString(int status, const char** text) {
  *text = status == 100 ? "no CUDA-capable device is detected" : "unspecified launch failure";
  return 0;
}
// Like the real one: an empty list of visible devices hides all of them.
int cuDeviceGetCount(int* count) {
  const char* visible = getenv("CUDA_VISIBLE_DEVICES");
  *count = visible && !*visible ? 0 : DEVICES;
  return 0;
}
int cuDeviceGet(int* device, int index) { *device = index; return index < DEVICES ? 0 : 101; }
int cuDeviceGetName(char* name, int capacity, int device) { strncpy(name, NAME, capacity); return 0; }
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; ++i) uuid[i] = 16 * device + i;
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) { *bytes = 150000000000ul; return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  static const struct { int attribute, value; } known[] = {
      {1, 1024}, {8, 49152}, {10, 32}, {12, 65536}, {16, 132}, {20, MODE}, {32, 1}, {38, 62914560}, {39, 2048},
      {75, 9}, {76, 0}, {81, 233472}, {82, 65536}, {88, PAGEABLE}, {95, 1}, {97, 232448}, {102, 1}, {103, 1},
      {106, 32}, {108, 39321600}, {111, 1024}, {120, 1}, {127, 1}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) { *value = known[i].value; return 0; }
  return 1;
}
#define NOTHING(name) int name(void) { return 0; }
NOTHING(cuCtxCreate_v2) NOTHING(cuCtxDestroy_v2) NOTHING(cuCtxSetCurrent) NOTHING(cuCtxSynchronize)
NOTHING(cuCtxGetLimit) NOTHING(cuCtxSetLimit) NOTHING(cuCtxResetPersistingL2Cache)
NOTHING(cuModuleLoadData) NOTHING(cuModuleLoadDataEx) NOTHING(cuModuleUnload) NOTHING(cuModuleGetFunction)
NOTHING(cuModuleGetGlobal_v2) NOTHING(cuFuncGetAttribute) NOTHING(cuFuncSetAttribute)
NOTHING(cuOccupancyMaxActiveBlocksPerMultiprocessor)
NOTHING(cuMemGetInfo_v2) NOTHING(cuMemAlloc_v2) NOTHING(cuMemFree_v2) NOTHING(cuMemcpyHtoDAsync_v2)
NOTHING(cuMemcpyDtoHAsync_v2) NOTHING(cuMemcpyDtoDAsync_v2) NOTHING(cuMemsetD8Async) NOTHING(cuMemsetD32Async)
NOTHING(cuMemHostAlloc) NOTHING(cuMemFreeHost) NOTHING(cuMemHostRegister_v2) NOTHING(cuMemHostUnregister)
NOTHING(cuMemHostGetDevicePointer_v2) NOTHING(cuMemGetAllocationGranularity) NOTHING(cuMemAddressReserve)
NOTHING(cuMemAddressFree) NOTHING(cuMemCreate) NOTHING(cuMemRelease) NOTHING(cuMemUnmap) NOTHING(cuMemSetAccess)
#ifndef LACKS_MEM_MAP
NOTHING(cuMemMap)
#endif
NOTHING(cuStreamCreate) NOTHING(cuStreamDestroy_v2) NOTHING(cuStreamSynchronize) NOTHING(cuStreamQuery)
NOTHING(cuEventCreate) NOTHING(cuEventDestroy_v2) NOTHING(cuEventRecord) NOTHING(cuEventQuery)
NOTHING(cuEventSynchronize) NOTHING(cuEventElapsedTime) NOTHING(cuLaunchKernel)
)~~";

}  // namespace hone::device::cuda
