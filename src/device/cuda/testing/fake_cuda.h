// Test support: NVIDIA's driver library as far as hone calls it, in C. Macros change what it does:
//   DEVICES=n         how many it has (1)            NAME="..."   their name
//   PAGEABLE=1        kernels reach host memory      MODE=n       compute mode
//   INIT=n            what cuInit answers            CRASHES, HANGS   in cuInit
//   SMALL             a launch may ask for less than on other devices, and for no clusters
//   SILENT            it answers for none of its attributes
//   LACKS_MEM_MAP     the symbol cuMemMap is not there
//   NOISY             it prints to standard output
//   WORKS             memory, modules and launches do something: k_working_cuda is to follow
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

#ifdef SMALL
#define MOST(usual, small) small
#else
#define MOST(usual, small) usual
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
#ifdef SILENT
  return 1;
#endif
  static const struct { int attribute, value; } known[] = {
      {1, MOST(1024, 512)}, {2, MOST(1024, 256)}, {3, MOST(1024, 128)}, {4, MOST(64, 32)},
      {5, MOST(0x7fffffff, 65535)}, {6, MOST(65535, 4095)}, {7, MOST(65535, 1023)},
      {8, 49152}, {10, 32}, {12, 65536}, {16, 132}, {20, MODE}, {32, 1}, {38, 62914560}, {39, 2048},
      {75, 9}, {76, 0}, {81, 233472}, {82, 65536}, {88, PAGEABLE}, {95, 1}, {97, MOST(232448, 101376)}, {102, 1},
      {103, 1}, {106, 32}, {108, 39321600}, {111, 1024}, {120, MOST(1, 0)}, {127, 1}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) { *value = known[i].value; return 0; }
  return 1;
}
#define NOTHING(name) int name(void) { return 0; }
NOTHING(cuCtxCreate_v2) NOTHING(cuCtxDestroy_v2) NOTHING(cuCtxSetCurrent) NOTHING(cuCtxSynchronize)
NOTHING(cuCtxGetLimit) NOTHING(cuCtxSetLimit) NOTHING(cuCtxResetPersistingL2Cache) NOTHING(cuModuleLoadDataEx)
NOTHING(cuFuncGetAttribute) NOTHING(cuMemGetInfo_v2)
NOTHING(cuMemsetD8Async) NOTHING(cuMemsetD32Async) NOTHING(cuMemHostAlloc) NOTHING(cuMemFreeHost)
NOTHING(cuMemHostRegister_v2) NOTHING(cuMemHostUnregister) NOTHING(cuMemHostGetDevicePointer_v2)
NOTHING(cuStreamCreate) NOTHING(cuStreamDestroy_v2) NOTHING(cuStreamSynchronize) NOTHING(cuStreamQuery)
NOTHING(cuEventCreate) NOTHING(cuEventDestroy_v2) NOTHING(cuEventRecord) NOTHING(cuEventQuery)
#ifndef WORKS
NOTHING(cuOccupancyMaxActiveBlocksPerMultiprocessor) NOTHING(cuModuleLoadData) NOTHING(cuModuleUnload) NOTHING(cuModuleGetFunction) NOTHING(cuFuncSetAttribute)
NOTHING(cuMemAlloc_v2) NOTHING(cuMemFree_v2)
NOTHING(cuMemcpyHtoDAsync_v2) NOTHING(cuMemcpyDtoHAsync_v2) NOTHING(cuMemGetAllocationGranularity)
NOTHING(cuMemAddressReserve) NOTHING(cuMemAddressFree) NOTHING(cuMemCreate) NOTHING(cuMemRelease) NOTHING(cuMemUnmap)
NOTHING(cuMemSetAccess) NOTHING(cuEventElapsedTime) NOTHING(cuEventSynchronize) NOTHING(cuLaunchKernel)
NOTHING(cuModuleGetGlobal_v2) NOTHING(cuMemcpyDtoDAsync_v2)
#ifndef LACKS_MEM_MAP
NOTHING(cuMemMap)
#endif
#endif
)~~";

// Device memory is the process's own, one granule is 4 KiB, and a kernel copies its first argument's first 8 bytes into
// its second argument. `fake` tells what was asked. Macros: LAUNCH=n, SYNCHRONIZE=n, OCCUPANCY=n, ALLOW=n what
// those answer, the last of more shared memory; RESIDENT=n blocks of a multiprocessor (4).
inline constexpr std::string_view k_working_cuda = R"~~(
#include <stdint.h>
#include <sys/mman.h>
#ifndef LAUNCH
#define LAUNCH 0
#endif
#ifndef OCCUPANCY
#define OCCUPANCY 0
#endif
#ifndef ALLOW
#define ALLOW 0
#endif
#ifndef RESIDENT
#define RESIDENT 4
#endif
#ifndef SYNCHRONIZE
#define SYNCHRONIZE 0
#endif
struct {
  uint64_t reserved, freed, mapped, unmapped, created, released;  // counts
  uint64_t last_reserved, last_reserved_bytes, last_mapped, last_mapped_bytes, allocated_bytes;
  int opened, shared_bytes_allowed, large_clusters_allowed, modules;
  unsigned launches, cooperative, cluster[3], shared_bytes, grid[3], block[3];
  unsigned occupancy_threads, occupancy_shared_bytes;
} fake;
int cuMemGetAllocationGranularity(size_t* bytes, const void* properties, int granularity) { *bytes = 4096; return 0; }
// Ends with the context, so it is none of the process's heap.
static uint64_t device_memory(size_t bytes) { return (uint64_t)mmap(0, bytes, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
int cuMemAddressReserve(uint64_t* address, size_t bytes, size_t align, uint64_t wanted, unsigned long long flags) {
  *address = device_memory(bytes);
  ++fake.reserved; fake.last_reserved = *address; fake.last_reserved_bytes = bytes;
  return 0;
}
int cuMemAddressFree(uint64_t address, size_t bytes) { munmap((void*)address, bytes); ++fake.freed; return 0; }
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  *address = device_memory(bytes);
  fake.allocated_bytes += bytes;
  return 0;
}
int cuMemFree_v2(uint64_t address) { ++fake.freed; return 0; }
int cuMemCreate(uint64_t* handle, size_t bytes, const void* properties, unsigned long long flags) {
  if (bytes > 1ul << 28) return 2;
  *handle = ++fake.created;
  return 0;
}
int cuMemRelease(uint64_t handle) { ++fake.released; return 0; }
int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags) {
  ++fake.mapped; fake.last_mapped = address; fake.last_mapped_bytes = bytes;
  return 0;
}
int cuMemUnmap(uint64_t address, size_t bytes) { ++fake.unmapped; return 0; }
int cuMemSetAccess(uint64_t address, size_t bytes, const void* access, size_t count) { ++fake.opened; return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) { memcpy((void*)to, from, bytes); return 0; }
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) { memcpy(to, (void*)from, bytes); return 0; }
static char weights[20];
int cuModuleGetGlobal_v2(uint64_t* address, size_t* bytes, void* module, const char* name) {
  if (strcmp(name, "weights")) return 500;
  *address = (uint64_t)weights; *bytes = sizeof weights;
  return 0;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) { memcpy((void*)to, (void*)from, bytes); return 0; }
// Its words are what it was asked for.
int cuTensorMapEncodeTiled(uint64_t* map, unsigned dtype, unsigned rank, void* address, const uint64_t* dims,
                           const uint64_t* strides, const unsigned* box, const unsigned* element_strides,
                           unsigned interleave, unsigned swizzle, unsigned promotion, unsigned out_of_bounds) {
  const uint64_t words[] = {(uint64_t)address, dtype, rank, dims[0], dims[rank - 1], strides[0], box[0], box[rank - 1],
                            element_strides[0], interleave, swizzle, promotion, out_of_bounds};
  memcpy(map, words, sizeof words);
  return box[0] > 256 ? 1 : 0;
}
int cuModuleLoadData(void** module, const void* image) {
  if (memcmp(image, "good", 4)) return 200;
  *module = (void*)(uint64_t)++fake.modules;
  return 0;
}
int cuModuleUnload(void* module) { --fake.modules; return 0; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  if (strcmp(name, "k")) return 500;
  *function = (void*)0x1234;
  return 0;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  *(attribute == 14 ? &fake.large_clusters_allowed : &fake.shared_bytes_allowed) = value;
  return ALLOW;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) {
  fake.occupancy_threads = threads; fake.occupancy_shared_bytes = shared;
  *blocks = RESIDENT;
  return OCCUPANCY;
}
int cuEventElapsedTime(float* milliseconds, void* start, void* end) { *milliseconds = 0.5f; return 0; }
int cuEventSynchronize(void* event) { return SYNCHRONIZE; }
int cuLaunchKernel(void) { return 801; }
struct Attribute { unsigned id, unused; union { char bytes[64]; unsigned words[16]; } value; };
struct Config { unsigned grid[3], block[3], shared; void* stream; struct Attribute* attributes; unsigned count; };
int cuLaunchKernelEx(const struct Config* config, void* function, void** parameters, void** extra) {
  if (LAUNCH) return LAUNCH;
  ++fake.launches;
  memcpy(fake.grid, config->grid, 12); memcpy(fake.block, config->block, 12);
  fake.shared_bytes = config->shared;
  for (unsigned i = 0; i < config->count; ++i) {
    if (config->attributes[i].id == 2) fake.cooperative = config->attributes[i].value.words[0];
    if (config->attributes[i].id == 4) memcpy(fake.cluster, config->attributes[i].value.words, 12);
  }
  memcpy(*(void**)parameters[1], *(void**)parameters[0], 8);
  return 0;
}
)~~";

}  // namespace hone::device::cuda
