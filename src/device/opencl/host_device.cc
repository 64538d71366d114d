#include "device/opencl/host_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/disk.h"
#include "device/cpu/cpu_arm.h"
#include "device/launcher/driver_mounts.h"
#include "device/opencl/specialise.h"
#include "sandbox/layers.h"

namespace hone::device::opencl {

namespace {

constexpr uint64_t k_room_bytes = 2ull << 30;  // of address space, for a runtime with a compiler in it

// A runtime reads its kernel cache with the first launch of a kernel.
class HostArm final : public cpu::CpuArm {
 public:
  HostArm(std::unique_ptr<cpu::Runner> runner, std::shared_ptr<cpu::ContentCache> contents,
          TemporaryFolder kernel_cache)
      : CpuArm(std::move(runner), std::move(contents)), kernel_cache_(std::move(kernel_cache)) {}

 private:
  TemporaryFolder kernel_cache_;
};

fs::path loads_folder(const fs::path& cache) { return cache / "loads"; }

cpu::RunnerRequest runner_request(const LoadRequest& request, const fs::path& kernel_cache,
                                  const std::string& processor, const std::vector<int>& cores) {
  cpu::RunnerRequest runner;
  runner.system = sandbox::System::whole;
  runner.callee = cpu::CalleeKind::opencl;
  runner.library = request.artefact.folder / request.artefact.objects.front();
  runner.processor = processor;
  runner.steps = request.steps;
  runner.parameters = request.parameters;
  runner.sets = request.sets;
  runner.threads = request.threads;
  runner.cores = cores;
  runner.memory_limit_bytes = request.memory_limit_bytes + k_room_bytes;
  runner.room_bytes = k_room_bytes;
  runner.start_deadline = request.start_deadline;
  runner.environment = launcher::driver_environment();
  runner.environment["POCL_CACHE_DIR"] = kernel_cache.string();
  runner.environment["POCL_MAX_PTHREAD_COUNT"] = std::to_string(request.threads);
  runner.environment["POCL_SIGFPE_HANDLER"] = "0";
  runner.mounts = launcher::system_mounts();
  runner.mounts.push_back({kernel_cache, sandbox::Access::read_write});
  return runner;
}

}  // namespace

HostDevice::HostDevice(Identity identity, launcher::Toolchain toolchain, std::string processor, fs::path cache)
    : identity_(std::move(identity)),
      toolchain_(std::move(toolchain)),
      processor_(std::move(processor)),
      cache_(std::move(cache)),
      contents_(std::make_shared<cpu::ContentCache>()) {}

Result<std::unique_ptr<device::Device>> HostDevice::open(Identity host, const launcher::DeviceFacts& facts,
                                                         fs::path cache) {
  HONE_TRY(launcher::Toolchain toolchain, launcher::find_toolchain("opencl", facts));
  host.kind = "opencl";
  host.name = facts.name;
  host.trust = Trust::host_code;
  host.launch_limits = facts.limits;
  host.toolchain = toolchain.version;
  host.compiler_path = toolchain.path.string();
  sweep_left_overs(loads_folder(cache));
  return std::unique_ptr<device::Device>(
      new HostDevice(std::move(host), std::move(toolchain), facts.name, std::move(cache)));
}

Result<CompileOutcome> HostDevice::compile(const CompileRequest& request) {
  return launcher::compile(toolchain_, cache_, request);
}

Result<LoadOutcome> HostDevice::load(const LoadRequest& request) {
  const fs::path program = request.artefact.folder / request.artefact.objects.front();
  HONE_TRY(Specialised made, specialise(cache_, {processor_, toolchain_.version, program, request.artefact.digest,
                                                 request.steps, request.start_deadline}));
  if (auto* fault = std::get_if<Fault>(&made)) return LoadOutcome{nullptr, std::move(*fault)};
  HONE_CHECK(Disk().make_directories(loads_folder(cache_)));
  HONE_TRY(TemporaryFolder kernel_cache, TemporaryFolder::make(loads_folder(cache_), fmt::format("{}-", getpid())));
  HONE_CHECK(write_tree(kernel_cache.path(), std::get<std::vector<BuiltFile>>(made)));
  HONE_CHECK(sandbox::give_to_confined(kernel_cache.path()));
  cpu::LayoutDice dice(request.layout_seed);
  HONE_TRY(cpu::RunnerStart start,
           cpu::Runner::start(runner_request(request, kernel_cache.path(), processor_, identity_.cores), dice));
  if (start.fault) return LoadOutcome{nullptr, std::move(start.fault)};
  contents_->reserve_for(request);
  return LoadOutcome{std::make_unique<HostArm>(std::move(start.runner), contents_, std::move(kernel_cache)),
                     std::nullopt};
}

std::vector<std::string> HostDevice::active_layers() const { return sandbox::names(sandbox::available_layers()); }

}  // namespace hone::device::opencl
