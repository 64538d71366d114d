// Test support: AMD's HIP run time as far as hone calls it, in C. Device memory is the process's own, a granule of
// mapped memory is 8 KiB, and a kernel copies its first argument's first 8 bytes into its second argument. `fake` tells
// what was asked. Macros change what it does:
//   DEVICES=n    how many MI300X it has (1)      XNACK=1      kernels reach host memory
//   OLD          a run time before HIP 6: no properties, no UUID, no occupancy
//   LACKS_OCCUPANCY                              it does not know how to work it out
//   MAPS=0       the device does not map virtual memory
//   SMALL        a launch may ask for less than on other devices     SILENT   it answers for none of its attributes
//   INIT=n, LAUNCH=n, SYNCHRONIZE=n, OCCUPANCY=n what those answer
#pragma once

#include <cstdint>
#include <string_view>

namespace hone::device::hip {

struct AskedOfHip {
  uint64_t reserved, freed, mapped, unmapped, created, released, allocated, given_back;  // counts
  uint64_t last_reserved, last_reserved_bytes, last_mapped, last_mapped_bytes;
  int32_t device, modules, resets;
  uint32_t launches, cooperative, shared_bytes, grid[3], block[3], occupancy_threads, occupancy_shared_bytes;
};

inline constexpr std::string_view k_fake_hip = R"~~(
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef XNACK
#define XNACK 0
#endif
#ifndef MAPS
#define MAPS 1
#endif
#ifndef INIT
#define INIT 0
#endif
#ifndef LAUNCH
#define LAUNCH 0
#endif
#ifndef OCCUPANCY
#define OCCUPANCY 0
#endif
#ifndef SYNCHRONIZE
#define SYNCHRONIZE 0
#endif
#ifdef SMALL
#define MOST(usual, small) small
#else
#define MOST(usual, small) usual
#endif
struct {
  uint64_t reserved, freed, mapped, unmapped, created, released, allocated, given_back;
  uint64_t last_reserved, last_reserved_bytes, last_mapped, last_mapped_bytes;
  int device, modules, resets;
  unsigned launches, cooperative, shared_bytes, grid[3], block[3], occupancy_threads, occupancy_shared_bytes;
} fake;

int hipInit(unsigned flags) { return INIT; }
int hipDriverGetVersion(int* version) { *version = 60300000; return 0; }
int hipGetDeviceCount(int* count) { *count = DEVICES; return 0; }
int hipDeviceGet(int* device, int index) { *device = index; return 0; }
int hipDeviceGetName(char* name, int room, int device) { strncpy(name, "AMD Instinct MI300X", room); return 0; }
int hipDeviceTotalMem(size_t* bytes, int device) { *bytes = 206000000000ul; return 0; }
int hipDeviceGetAttribute(int* value, int attribute, int index) {
#ifdef SILENT
  return 1;
#endif
  static const struct { int attribute, value; } known[] = {
      {19, 4194304}, {23, 9}, {26, MOST(1024, 256)}, {27, MOST(1024, 128)}, {28, MOST(1024, 32)},
      {29, MOST(2147483647, 65535)}, {30, MOST(65536, 4095)}, {31, MOST(65536, 1023)}, {56, MOST(1024, 512)},
      {57, 2048}, {61, 4}, {63, 304}, {65, XNACK}, {71, 65536}, {74, MOST(65536, 32768)}, {87, 64}, {89, MAPS},
      {10002, 65536}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) { *value = known[i].value; return 0; }
  return 1;
}
const char* hipGetErrorName(int status) {
  return status == 1 ? "hipErrorInvalidValue" : status == 100 ? "hipErrorNoDevice" : "hipErrorUnknown";
}
const char* hipGetErrorString(int status) { return status == 1 ? "invalid argument" : "unknown error"; }
#ifndef OLD
int hipDeviceGetUuid(char* uuid, int device) { memcpy(uuid, "8a3f6c2be17d9054", 16); uuid[15] += device; return 0; }
int hipGetDevicePropertiesR0600(char* properties, int index) {
  strcpy(properties + 1160, "gfx942:sramecc+:xnack-");
  return 0;
}
#endif

int hipSetDevice(int device) { fake.device = device; return 0; }
int hipSetDeviceFlags(unsigned flags) { return 0; }
int hipDeviceReset(void) { ++fake.resets; return 0; }
// Ends with the device's state, so it is none of the process's heap. From multiples of 8 KiB.
static uint64_t device_memory(size_t bytes) {
  const uint64_t begin = (uint64_t)mmap(0, bytes + 8192, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return (begin + 8191) / 8192 * 8192;
}
int hipMalloc(uint64_t* address, size_t bytes) {
  if (bytes > 1ul << 28) return 2;
  *address = device_memory(bytes);
  ++fake.allocated;
  return 0;
}
int hipFree(uint64_t address) { ++fake.given_back; return 0; }
int hipHostMalloc(void** address, size_t bytes, unsigned flags) {
  *address = (void*)device_memory(bytes);
  return 0;
}
int hipMemcpyHtoDAsync(uint64_t to, const void* from, size_t bytes, void* stream) {
  memcpy((void*)to, from, bytes);
  return 0;
}
int hipMemcpyDtoHAsync(void* to, uint64_t from, size_t bytes, void* stream) {
  memcpy(to, (void*)from, bytes);
  return 0;
}
int hipMemGetAllocationGranularity(size_t* bytes, const void* properties, int granularity) { *bytes = 8192; return 0; }
int hipMemAddressReserve(uint64_t* address, size_t bytes, size_t align, uint64_t wanted, unsigned long long flags) {
  *address = device_memory(bytes);
  ++fake.reserved; fake.last_reserved = *address; fake.last_reserved_bytes = bytes;
  return 0;
}
int hipMemAddressFree(uint64_t address, size_t bytes) { ++fake.freed; return 0; }
int hipMemCreate(uint64_t* handle, size_t bytes, const int* properties, unsigned long long flags) {
  const int is_pinned_on_device = properties[0] == 1 && properties[2] == 1 && properties[3] == fake.device;
  if (!is_pinned_on_device) return 1;
  if (bytes > 1ul << 28) return 2;
  *handle = ++fake.created;
  return 0;
}
int hipMemRelease(uint64_t handle) { ++fake.released; return 0; }
int hipMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags) {
  ++fake.mapped; fake.last_mapped = address; fake.last_mapped_bytes = bytes;
  return 0;
}
int hipMemUnmap(uint64_t address, size_t bytes) { ++fake.unmapped; return 0; }
int hipMemSetAccess(uint64_t address, size_t bytes, const int* access, size_t count) {
  return count == 1 && access[0] == 1 && access[1] == fake.device && access[2] == 3 ? 0 : 1;
}
int hipModuleLoadData(void** module, const void* image) {
  if (memcmp(image, "good", 4)) return 200;
  *module = (void*)(uint64_t)++fake.modules;
  return 0;
}
int hipModuleUnload(void* module) { --fake.modules; return 0; }
int hipModuleGetFunction(void** function, void* module, const char* name) {
  if (strcmp(name, "k")) return 500;
  *function = (void*)0x1234;
  return 0;
}
int hipStreamCreateWithFlags(void** stream, unsigned flags) { *stream = &fake; return flags == 1 ? 0 : 1; }
int hipStreamSynchronize(void* stream) { return 0; }
int hipEventCreateWithFlags(void** event, unsigned flags) { *event = &fake; return 0; }
int hipEventRecord(void* event, void* stream) { return 0; }
int hipEventSynchronize(void* event) { return SYNCHRONIZE; }
int hipEventElapsedTime(float* milliseconds, void* start, void* end) { *milliseconds = 0.5f; return 0; }
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* stream, void** parameters, void** extra) {
  if (LAUNCH) return LAUNCH;
  ++fake.launches;
  fake.grid[0] = gx; fake.grid[1] = gy; fake.grid[2] = gz;
  fake.block[0] = bx; fake.block[1] = by; fake.block[2] = bz;
  fake.shared_bytes = shared;
  memcpy(*(void**)parameters[1], *(void**)parameters[0], 8);
  return 0;
}
#if !defined OLD && !defined LACKS_OCCUPANCY
int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) {
  fake.occupancy_threads = threads; fake.occupancy_shared_bytes = shared;
  *blocks = 6;
  return OCCUPANCY;
}
#endif
#ifndef OLD
int hipModuleLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned shared, void* stream, void** parameters) {
  ++fake.cooperative;
  return hipModuleLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, 0);
}
#endif
)~~";

}  // namespace hone::device::hip
