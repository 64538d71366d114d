// HostDevice: device/device.h for OpenCL on this machine's own cores. Its kernels are native code in the process that
// launches them, so its arms are runners like those of C++ (device/cpu/cpu_arm.h): the judge fills and reads their
// buffers, its clock counts, and they stand still outside their launches. Ownership and failure: as device.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/cpu/content_cache.h"
#include "device/device.h"
#include "device/launcher/driver.h"
#include "device/launcher/toolchain.h"

namespace hone::device::opencl {

class HostDevice final : public device::Device {
 public:
  // `host` is what the cores are called and how they are pinned; `facts` what a launcher saw of the OpenCL device.
  static Result<std::unique_ptr<device::Device>> open(Identity host, const launcher::DeviceFacts& facts,
                                                      std::filesystem::path cache);

  const Identity& identity() const override { return identity_; }
  Result<CompileOutcome> compile(const CompileRequest& request) override;
  Result<LoadOutcome> load(const LoadRequest& request) override;
  std::vector<std::string> active_layers() const override;

 private:
  HostDevice(Identity identity, launcher::Toolchain toolchain, std::string processor, std::filesystem::path cache);

  Identity identity_;
  launcher::Toolchain toolchain_;
  std::string processor_;
  std::filesystem::path cache_;
  std::shared_ptr<cpu::ContentCache> contents_;
};

}  // namespace hone::device::opencl
