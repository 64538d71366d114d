// Test support: AMD's HIP run time as far as hone calls it, in C: one MI300X. Macros change what it does:
//   XNACK=1     kernels reach host memory     OLD     a run time before HIP 6: no properties, no UUID
#pragma once

#include <string_view>

namespace hone::device::hip {

inline constexpr std::string_view k_fake_hip = R"~~(
#include <string.h>
#ifndef XNACK
#define XNACK 0
#endif
int hipInit(unsigned flags) { return 0; }
int hipDriverGetVersion(int* version) { *version = 60300000; return 0; }
int hipGetDeviceCount(int* count) { *count = 1; return 0; }
int hipDeviceGet(int* device, int index) { *device = index; return 0; }
int hipDeviceGetName(char* name, int room, int device) { strncpy(name, "AMD Instinct MI300X", room); return 0; }
int hipDeviceTotalMem(size_t* bytes, int device) { *bytes = 206000000000ul; return 0; }
int hipDeviceGetAttribute(int* value, int attribute, int index) {
  static const struct { int attribute, value; } known[] = {{19, 4194304}, {23, 9}, {56, 1024}, {57, 2048}, {61, 4},
                                                           {63, 304}, {65, XNACK}, {71, 65536}, {74, 65536},
                                                           {87, 64}, {10002, 65536}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) { *value = known[i].value; return 0; }
  return 1;
}
const char* hipGetErrorString(int status) { return status == 1 ? "invalid argument" : "unknown error"; }
#ifndef OLD
int hipDeviceGetUuid(char* uuid, int device) { memcpy(uuid, "8a3f6c2be17d9054", 16); return 0; }
int hipGetDevicePropertiesR0600(char* properties, int index) {
  strcpy(properties + 1160, "gfx942:sramecc+:xnack-");
  return 0;
}
#endif
)~~";

}  // namespace hone::device::hip
