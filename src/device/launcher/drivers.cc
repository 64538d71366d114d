#include "device/launcher/drivers.h"

#include <fmt/format.h>

#include "device/cuda/cuda_driver.h"
#include "device/opencl/opencl_driver.h"

namespace hone::device::launcher {

namespace {

Result<std::unique_ptr<Driver>> open_cuda(const std::string& uuid, Placing placing) {
  HONE_TRY(const cuda::CudaLibrary library, cuda::CudaLibrary::open());
  return cuda::open_driver(library, uuid, placing);
}

// Its allocations are what is asked for, whatever is around their content.
Result<std::unique_ptr<Driver>> open_opencl(const std::string& name, Placing) {
  HONE_TRY(const opencl::OpenclLibrary library, opencl::OpenclLibrary::open());
  return opencl::open_driver(library, name);
}

struct DriverRow {
  std::string_view backend;
  Result<std::unique_ptr<Driver>> (*open)(const std::string& uuid, Placing placing);
};

constexpr DriverRow k_drivers[] = {
    {"cuda", open_cuda},
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
