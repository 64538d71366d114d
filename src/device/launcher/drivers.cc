#include "device/launcher/drivers.h"

#include <fmt/format.h>

#include "device/cuda/cuda_driver.h"
#include "device/hip/hip_driver.h"
#include "device/opencl/opencl_driver.h"

namespace hone::device::launcher {

namespace {

Result<std::unique_ptr<Driver>> open_cuda(const std::string& uuid, Placing placing) {
  HONE_TRY(const cuda::CudaLibrary library, cuda::CudaLibrary::open());
  return cuda::open_driver(library, uuid, placing);
}

// Only CUDA's has a checker to place allocations for.
Result<std::unique_ptr<Driver>> open_opencl(const std::string& name, Placing) {
  HONE_TRY(const opencl::OpenclLibrary library, opencl::OpenclLibrary::open());
  return opencl::open_driver(library, name);
}

Result<std::unique_ptr<Driver>> open_hip(const std::string& uuid, Placing) {
  HONE_TRY(const hip::HipLibrary library, hip::HipLibrary::open());
  return hip::open_driver(library, uuid);
}

struct DriverRow {
  std::string_view backend;
  Result<std::unique_ptr<Driver>> (*open)(const std::string& uuid, Placing placing);
};

constexpr DriverRow k_drivers[] = {
    {"cuda", open_cuda},
    {"hip", open_hip},
    {"opencl", open_opencl},
};

}  // namespace

Result<std::unique_ptr<Driver>> open_driver(std::string_view backend, const std::string& uuid, Placing placing) {
  for (const DriverRow& row : k_drivers) {
    if (row.backend == backend) return row.open(uuid, placing);
  }
  return Error{ErrorCode::environment, fmt::format("this hone has no driver for '{}'", backend)};
}

}  // namespace hone::device::launcher
