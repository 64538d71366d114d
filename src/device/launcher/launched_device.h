// LaunchedDevice: device/device.h for kernels that hone launches itself: CUDA, HIP, OpenCL. The judge's process opens
// no driver; everything happens in launcher processes, one for each context that loads ask for. A launcher that died is
// replaced by the next load. Ownership: the launchers. Failure: environment, where the backend does not start here.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "device/cuda/watch.h"
#include "device/device.h"
#include "device/launcher/launcher.h"
#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

class LaunchedDevice final : public Device {
 public:
  // `first` answers a request like that, and serves the first arms.
  static Result<std::unique_ptr<Device>> open(const LauncherRequest& request, std::unique_ptr<Launcher> first,
                                              std::filesystem::path cache);

  const Identity& identity() const override { return identity_; }
  Result<CompileOutcome> compile(const CompileRequest& request) override;
  Result<LoadOutcome> load(const LoadRequest& request) override;
  Result<std::vector<SanitizerRun>> sanitize(std::span<const WatchedLaunch> launches, Nanoseconds limit) override;
  std::vector<std::string> active_layers() const override { return sandbox::names(layers_); }
  std::optional<std::string> conditions() const override;

 private:
  LaunchedDevice(LauncherRequest request, std::filesystem::path cache)
      : request_(std::move(request)), cache_(std::move(cache)) {}
  Result<std::shared_ptr<Launcher>> launcher_for(const LoadRequest& request);
  Result<std::shared_ptr<Launcher>> start_launcher();
  Status build_duties();
  void watch_device();
  void expect_one_more();

  LauncherRequest request_;
  std::filesystem::path cache_;
  Toolchain toolchain_;
  Identity identity_;
  sandbox::LayerSet layers_;
  std::string duties_;  // their binary
  std::map<std::string, std::shared_ptr<Launcher>> launchers_;
  std::shared_ptr<Launcher> unused_;    // was started, and has not been given anything yet
  std::shared_ptr<cuda::Watch> watch_;  // null where nothing can be watched
};

}  // namespace hone::device::launcher
