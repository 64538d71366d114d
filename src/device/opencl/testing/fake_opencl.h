// Test support: the OpenCL loader with one platform of one device, as far as hone describes it, in C; every other
// function is there and answers 0. Macros change what it is:
//   NO_PLATFORM             the loader finds none          TYPE=n      2 CPU, 4 GPU (4)
//   NAME="..." VENDOR="..."                                SVM=n       shared virtual memory (0)
//   NVIDIA                  with the vendor's own figures  CRASHES     when asked for platforms
//   SILENT                  it says nothing of work-groups DIMENSIONS=n of its work-items (3)
#pragma once

#include <string_view>

namespace hone::device::opencl {

inline constexpr std::string_view k_fake_opencl = R"~~(
#include <signal.h>
#include <string.h>
#ifndef TYPE
#define TYPE 4
#endif
#ifndef NAME
#define NAME "gfx942"
#endif
#ifndef VENDOR
#define VENDOR "Advanced Micro Devices, Inc."
#endif
#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif
#ifndef SVM
#define SVM 0
#endif
typedef unsigned long long word;
static int put(const void* from, size_t size, size_t room, void* to, size_t* out) {
  if (out) *out = size;
  if (!to) return 0;
  if (room < size) return -30;
  memcpy(to, from, size);
  return 0;
}
#define TEXT(text) put(text, sizeof text, room, to, size)
#define NUMBER(type, value) { type v = (value); return put(&v, sizeof v, room, to, size); }
int clGetPlatformIDs(unsigned room, void** platforms, unsigned* count) {
#ifdef CRASHES
  raise(SIGSEGV);
#endif
#ifdef NO_PLATFORM
  return -1001;
#endif
  if (count) *count = 1;
  if (platforms) platforms[0] = (void*)1;
  return 0;
}
int clGetPlatformInfo(void* platform, unsigned what, size_t room, void* to, size_t* size) {
  if (what == 0x901) return TEXT("OpenCL 2.1 fake");
  if (what == 0x902) return TEXT("Fake Platform");
  if (what == 0x903) return TEXT(VENDOR);
  return -30;
}
int clGetDeviceIDs(void* platform, word types, unsigned room, void** devices, unsigned* count) {
  if (!(types & TYPE)) return -1;
  if (count) *count = 1;
  if (devices) devices[0] = (void*)2;
  return 0;
}
int clGetDeviceInfo(void* device, unsigned what, size_t room, void* to, size_t* size) {
  switch (what) {
    case 0x1000: NUMBER(word, TYPE)
    case 0x1002: NUMBER(unsigned, 304)
#ifndef SILENT
    case 0x1004: NUMBER(size_t, 1024)
    case 0x1005: {
      size_t items[] = {1024, 512, 256, 1};
      return put(items, DIMENSIONS * sizeof *items, room, to, size);
    }
    case 0x1023: NUMBER(word, 65536)
#endif
    case 0x101e: NUMBER(word, 4194304)
    case 0x101f: NUMBER(word, 200000000000ull)
    case 0x1027: NUMBER(unsigned, 1)
    case 0x102b: return TEXT(NAME);
    case 0x102c: return TEXT(VENDOR);
    case 0x102d: return TEXT("3625.0 (HSA1.1,LC)");
    case 0x102f: return TEXT("OpenCL 2.0 ");
    case 0x1053: NUMBER(word, SVM)
#ifdef NVIDIA
    case 0x106a: return TEXT("0123456789abcde");
    case 0x4000: NUMBER(unsigned, 9)
    case 0x4001: NUMBER(unsigned, 0)
    case 0x4002: NUMBER(unsigned, 65536)
    case 0x4003: NUMBER(unsigned, 32)
#else
    case 0x4038: return TEXT("AMD Instinct MI300X");
    case 0x4043: NUMBER(unsigned, 64)
#endif
  }
  return -30;
}
#define NOTHING(name) int name(void) { return 0; }
NOTHING(clCreateContext) NOTHING(clReleaseContext) NOTHING(clCreateCommandQueue) NOTHING(clReleaseCommandQueue)
NOTHING(clCreateBuffer) NOTHING(clCreateSubBuffer) NOTHING(clReleaseMemObject) NOTHING(clCreateProgramWithSource)
NOTHING(clCreateProgramWithBinary) NOTHING(clBuildProgram) NOTHING(clGetProgramInfo) NOTHING(clGetProgramBuildInfo)
NOTHING(clReleaseProgram) NOTHING(clCreateKernel) NOTHING(clSetKernelArg) NOTHING(clGetKernelInfo)
NOTHING(clGetKernelArgInfo) NOTHING(clGetKernelWorkGroupInfo) NOTHING(clReleaseKernel) NOTHING(clEnqueueReadBuffer)
NOTHING(clEnqueueWriteBuffer) NOTHING(clEnqueueCopyBuffer) NOTHING(clEnqueueFillBuffer)
NOTHING(clEnqueueNDRangeKernel) NOTHING(clWaitForEvents) NOTHING(clGetEventInfo) NOTHING(clGetEventProfilingInfo)
NOTHING(clReleaseEvent) NOTHING(clFlush) NOTHING(clFinish)
)~~";

}  // namespace hone::device::opencl
