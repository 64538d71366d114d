#include "device/cpu/cpu_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/text.h"
#include "device/cpu/cpu_arm.h"
#include "device/cpu/link.h"
#include "device/cpu/runner.h"
#include "device/workshop.h"
#include "sandbox/layers.h"
#include "sandbox/own_limits.h"

namespace hone::device::cpu {

namespace {

fs::path loads_folder(const BuildPlace& place) { return place.cache / "loads"; }

RunnerRequest runner_request(const LoadRequest& request, const fs::path& library, const std::vector<int>& cores) {
  RunnerRequest runner;
  runner.system = request.library_calls == LibraryCalls::allowed ? sandbox::System::whole : sandbox::System::runtime;
  runner.library = library;
  runner.entry = request.entry;
  runner.returns = request.artefact.returns;
  runner.steps = request.steps;
  runner.parameters = request.parameters;
  runner.sets = request.sets;
  runner.threads = request.threads;
  runner.cores = cores;
  runner.memory_limit_bytes = request.memory_limit_bytes;
  runner.start_deadline = request.start_deadline;
  return runner;
}

uint64_t pad_of(const LoadRequest& request, LayoutDice& dice) {
  return request.pad ? pad_bytes(*request.pad) : roll_pad_bytes(dice);
}

}  // namespace

CpuDevice::CpuDevice(Identity identity, Compiler compiler, BuildPlace place)
    : identity_(std::move(identity)),
      compiler_(std::move(compiler)),
      place_(std::move(place)),
      contents_(std::make_shared<ContentCache>()) {}

Result<std::unique_ptr<CpuDevice>> CpuDevice::open(Identity identity, fs::path cache, Processes& processes) {
  HONE_CHECK(sandbox::limits_suffice_for(sandbox::Purpose::judging));
  HONE_TRY(Compiler compiler, find_compiler(processes));
  identity.trust = Trust::host_code;
  identity.toolchain = compiler.version;
  identity.compiler_path = compiler.path.string();
  BuildPlace place{std::move(cache), identity.name};
  for (const fs::path& folder : {loads_folder(place), builds_folder(place.cache)}) sweep_left_overs(folder);
  return std::unique_ptr<CpuDevice>(new CpuDevice(std::move(identity), std::move(compiler), std::move(place)));
}

Result<CompileOutcome> CpuDevice::compile(const CompileRequest& request) {
  return cpu::compile(compiler_, place_, request);
}

Result<LoadOutcome> CpuDevice::load(const LoadRequest& request) {
  if (request.threads < 1 || static_cast<size_t>(request.threads) > identity_.cores.size())
    return Error{
        ErrorCode::environment,
        fmt::format("{} threads need as many cores; this device has {}", request.threads, identity_.cores.size()),
        {},
        {},
        "lower [limits] threads or give more cores"};
  LayoutDice dice(request.layout_seed);
  HONE_TRY(const Linked linked,
           link_for_load(compiler_, place_, request.artefact, request.threads, pad_of(request, dice)));
  if (!linked.library) {
    const std::string output = quote_untrusted(linked.messages, 64 << 10);
    return LoadOutcome{nullptr, Fault{FaultKind::load_failed, 0, "its objects cannot be linked", output}};
  }
  HONE_TRY(RunnerStart start, Runner::start(runner_request(request, *linked.library, identity_.cores), dice));
  if (start.fault) return LoadOutcome{nullptr, std::move(start.fault)};
  contents_->reserve_for(request);
  return LoadOutcome{std::make_unique<CpuArm>(std::move(start.runner), contents_), std::nullopt};
}

std::vector<std::string> CpuDevice::active_layers() const { return sandbox::names(sandbox::available_layers()); }

Result<Linked> link_for_load(const Compiler& compiler, const BuildPlace& place, const Artefact& artefact, int threads,
                             uint64_t pad_bytes) {
  HONE_CHECK(Disk().make_directories(loads_folder(place)));
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make(loads_folder(place), fmt::format("{}-", getpid())));
  HONE_TRY(LinkOutcome outcome, link({compiler, artefact.folder, artefact.objects, threads,
                                      pads_folder(compiler, place), pad_bytes, folder.path()}));
  return Linked{std::move(folder), std::move(outcome.library), std::move(outcome.messages)};
}

}  // namespace hone::device::cpu
