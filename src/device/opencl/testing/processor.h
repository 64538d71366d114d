// Test support: OpenCL on this machine's own processor (PoCL), where it is installed. Tests that need it are skipped
// with a reason where it is not.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "device/opencl/choose.h"

namespace hone::device::opencl {

// The first OpenCL device that is a processor, or why there is none.
inline Result<Chosen> find_processor(const OpenclLibrary& library) {
  HONE_TRY(const Chosen first, choose_device(library, ""));
  return choose_processor(library, library.text(first.device, DeviceInfo::name).value_or(""));
}

// Its name as a launcher is asked for it ("0.0"), or nothing.
inline std::optional<std::string> processor_here() {
  const auto library = OpenclLibrary::open();
  if (!library) return std::nullopt;
  const auto found = find_processor(*library);
  return found ? std::optional(found->name) : std::nullopt;
}

}  // namespace hone::device::opencl

#define HONE_NEEDS_PROCESSOR() \
  if (!hone::device::opencl::processor_here()) GTEST_SKIP() << "there is no OpenCL for this machine's processor"
