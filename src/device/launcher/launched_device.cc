#include "device/launcher/launched_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "device/cuda/conditions.h"
#include "device/cuda/sanitizer.h"
#include "device/hip/describe.h"
#include "device/launcher/driver_mounts.h"
#include "device/launcher/duties.h"
#include "device/launcher/launched_arm.h"
#include "device/launcher/loading.h"
#include "device/launcher/sanitize.h"
#include "device/workshop.h"

namespace hone::device::launcher {

namespace {

Identity identity_of(const LauncherRequest& request, const DeviceFacts& facts, const Toolchain& toolchain) {
  Identity identity;
  identity.kind = request.backend;
  identity.name = facts.name;
  identity.uuid = facts.uuid;
  identity.memory_bytes = facts.memory_bytes;
  if (facts.last_cache_bytes > 0) identity.cache_bytes = {facts.last_cache_bytes};
  identity.trust = facts.trust;
  identity.launch_limits = facts.limits;
  identity.toolchain = toolchain.version;
  identity.compiler_path = toolchain.path.string();
  return identity;
}

// Whether NVML can say anything of it that bears on its times.
bool is_watchable(const Identity& identity) { return identity.kind == "cuda" && identity.trust == Trust::device_only; }

}  // namespace

Result<std::unique_ptr<Device>> LaunchedDevice::open(const LauncherRequest& request, std::unique_ptr<Launcher> launcher,
                                                     fs::path cache) {
  std::unique_ptr<LaunchedDevice> device(new LaunchedDevice(request, std::move(cache)));
  device->layers_ = launcher->layers();
  HONE_TRY(device->toolchain_, find_toolchain(request.backend, launcher->facts()));
  device->identity_ = identity_of(request, launcher->facts(), device->toolchain_);
  HONE_CHECK(device->build_duties());
  device->unused_ = std::move(launcher);
  device->watch_device();
  return std::unique_ptr<Device>(std::move(device));
}

// Host code is timed by the judge's clock on its own processor, and comes in any number of processes. A watch that does
// not start is no reason not to judge.
void LaunchedDevice::watch_device() {
  if (!is_watchable(identity_)) return;
  auto watch = cuda::Watch::start({identity_.uuid, {}, driver_mounts(), driver_environment()});
  if (!watch) return;
  watch_ = *std::move(watch);
  watch_->expect(1);
}

// A launcher that ended stays counted until the next one takes its place: the driver is slow to forget it.
void LaunchedDevice::expect_one_more() {
  const auto alive = std::ranges::count_if(
      launchers_, [](const auto& known) { return known.second != nullptr && known.second->is_alive(); });
  if (watch_ != nullptr) watch_->expect(static_cast<uint64_t>(alive) + 1);
}

std::optional<std::string> LaunchedDevice::conditions() const {
  if (identity_.kind == "hip") return std::string(hip::k_not_run);
  if (!is_watchable(identity_)) return std::nullopt;
  const auto words = watch_ == nullptr ? std::nullopt : watch_->reading();
  return words ? "the device: " + cuda::note_on(*words)
               : "NVML told nothing of the device's clocks, heat and load: no quad was discarded for them";
}

Status LaunchedDevice::build_duties() {
  CompileRequest request;
  request.files = {{"hone_duties", false, duties_text(request_.backend)}};
  request.sources = {"hone_duties"};
  HONE_TRY(const CompileOutcome built, launcher::compile(toolchain_, cache_, request));
  if (!built.artefact)
    return Error{ErrorCode::environment,
                 fmt::format("{} does not compile hone's own kernels: {}", toolchain_.version, built.messages),
                 {},
                 {},
                 "`hone doctor` lists the compilers"};
  HONE_TRY(duties_, read_built(built.artefact->folder / built.artefact->objects[0]));
  return ok();
}

Result<CompileOutcome> LaunchedDevice::compile(const CompileRequest& request) {
  return launcher::compile(toolchain_, cache_, request);
}

Result<std::shared_ptr<Launcher>> LaunchedDevice::start_launcher() {
  std::shared_ptr<Launcher> launcher = std::exchange(unused_, nullptr);
  if (launcher == nullptr) {
    HONE_TRY(launcher, Launcher::start(request_));
  }
  HONE_CHECK(load_duties(*launcher, duties_));
  return launcher;
}

// Host code gets a process of its own; device code shares one where the caller says so.
Result<std::shared_ptr<Launcher>> LaunchedDevice::launcher_for(const LoadRequest& request) {
  if (identity_.trust == Trust::host_code) return start_launcher();
  std::shared_ptr<Launcher>& known = launchers_[request.context];
  if (known == nullptr || !known->is_alive()) {
    known = nullptr;
    expect_one_more();
    HONE_TRY(known, start_launcher());
  }
  return known;
}

Result<LoadOutcome> LaunchedDevice::load(const LoadRequest& request) {
  HONE_TRY(const std::string binary, read_built(request.artefact.folder / request.artefact.objects[0]));
  HONE_TRY(const std::shared_ptr<Launcher> launcher, launcher_for(request));
  HONE_TRY(Loaded loaded, load_into(*launcher, binary, request));
  if (loaded.fault) return LoadOutcome{nullptr, std::move(loaded.fault)};
  return LoadOutcome{std::make_unique<LaunchedArm>(launcher, loaded.arm, request, identity_.trust, watch_),
                     std::nullopt};
}

// Only NVIDIA's driver has such a checker.
Result<std::vector<SanitizerRun>> LaunchedDevice::sanitize(std::span<const WatchedLaunch> launches, Nanoseconds limit) {
  if (identity_.kind != "cuda") return std::vector<SanitizerRun>();
  expect_one_more();
  return run_sanitizers({request_, duties_, cuda::find_sanitizer(cuda::environment_variables())}, launches, limit);
}

}  // namespace hone::device::launcher
