#include "device/launcher/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/disk.h"
#include "base/text.h"
#include "device/cuda/built.h"
#include "device/hip/built.h"
#include "device/launcher/driver_mounts.h"
#include "device/workshop.h"
#include "sandbox/run_confined.h"
#include "task/compile_options.h"

namespace hone::device::launcher {

namespace {

constexpr size_t k_message_cap_bytes = 64 << 10;
constexpr const char* k_key_format = "hone.device-artefact/3";
constexpr const char* k_messages_file = "messages.txt";

using Outputs = std::span<const std::string>;

struct BackendRow {
  std::string_view backend;
  task::Compiler options;
  sandbox::Profile profile;
  std::vector<std::string> outputs;  // of a build, the binary first
  std::vector<std::string> (*flags)(const Toolchain& toolchain);
  // What is wrong with outputs that a compiler made without a complaint, and what they say of their kernels.
  std::optional<BuildFault> (*fault)(Outputs outputs, std::span<const LaunchedKernel> launches);
  std::vector<KernelResources> (*resources)(Outputs outputs);
};

std::vector<std::string> cuda_flags(const Toolchain& toolchain) {
  std::vector<std::string> flags{"--gpu-architecture=" + toolchain.target, "--std=c++17", "-lineinfo"};
  for (const fs::path& folder : toolchain.headers) flags.push_back("-I" + folder.string());
  return flags;
}

std::vector<std::string> hip_flags(const Toolchain& toolchain) {
  std::vector<std::string> flags{"--offload-arch=" + toolchain.target, "-std=c++17"};
  for (const fs::path& folder : toolchain.headers) flags.push_back("-I" + folder.string());
  return flags;
}

std::vector<std::string> opencl_flags(const Toolchain&) { return {"-cl-std=CL1.2", "-cl-kernel-arg-info"}; }

cuda::Built built_of(Outputs outputs) { return {outputs[0], outputs[1]}; }

std::optional<BuildFault> cuda_fault(Outputs outputs, std::span<const LaunchedKernel> launches) {
  return cuda::fault_in(built_of(outputs), launches);
}
std::vector<KernelResources> cuda_resources(Outputs outputs) { return cuda::resources_in(built_of(outputs)); }

std::optional<BuildFault> hip_fault(Outputs outputs, std::span<const LaunchedKernel> launches) {
  return hip::fault_in(outputs[0], launches);
}
std::vector<KernelResources> hip_resources(Outputs outputs) { return hip::resources_in(outputs[0]); }

// Of OpenCL the driver knows both, when it loads the program.
std::optional<BuildFault> no_fault(Outputs, std::span<const LaunchedKernel>) { return std::nullopt; }
std::vector<KernelResources> no_resources(Outputs) { return {}; }

const BackendRow k_backends[] = {
    {"cuda", task::Compiler::cuda, sandbox::Profile::build, {k_cubin, k_ptx}, cuda_flags, cuda_fault, cuda_resources},
    {"hip", task::Compiler::hip, sandbox::Profile::build, {k_code_object}, hip_flags, hip_fault, hip_resources},
    {"opencl", task::Compiler::opencl, sandbox::Profile::launcher, {k_program}, opencl_flags, no_fault, no_resources},
};

const BackendRow& row_of(const Toolchain& toolchain) {
  return *std::find_if(std::begin(k_backends), std::end(k_backends),
                       [&](const BackendRow& row) { return row.backend == toolchain.backend; });
}

std::vector<std::string> flags_of(const Toolchain& toolchain, const CompileRequest& request) {
  const BackendRow& row = row_of(toolchain);
  std::vector<std::string> flags = row.flags(toolchain);
  for (std::string& flag : task::flags_for(request.options, row.options)) flags.push_back(std::move(flag));
  for (const auto& [name, value] : request.macros) flags.push_back(fmt::format("-D{}={}", name, value));
  flags.emplace_back("-I.");
  for (std::string& flag : include_flags(request.header_roots)) flags.push_back(std::move(flag));
  return flags;
}

std::string key_of(const Toolchain& toolchain, const CompileRequest& request) {
  Sha256 hash;
  hash.add_field(k_key_format).add_field(toolchain.path.string()).add_field(toolchain.version);
  for (const std::string& flag : flags_of(toolchain, request)) hash.add_field(flag);
  for (const std::string& source : request.sources) hash.add_field("source").add_field(source);
  for (const task::CandidateFile& file : request.files)
    hash.add_field("file").add_field(file.path).add_field(file.bytes);
  add_to_key(hash, request.header_roots);
  return hash.finish().hex();
}

std::string whole_source(const CompileRequest& request) {
  std::string text;
  for (const std::string& source : request.sources) text += fmt::format("#include \"{}\"\n", source);
  return text;
}

CompileOutcome failed(CompileFault fault, const std::string& explanation, const std::string& messages) {
  return {std::nullopt, fault, quote_untrusted(messages, k_message_cap_bytes), Nanoseconds(0), explanation};
}

// What a build leaves behind.
struct Product {
  std::vector<std::string> outputs;
  std::vector<KernelResources> resources;
  std::string messages;
};

// One build serves contracts that ask different things of it, so each is held against it anew.
CompileOutcome outcome_of(const fs::path& folder, const Toolchain& toolchain, const CompileRequest& request,
                          Product product) {
  const BackendRow& row = row_of(toolchain);
  if (auto fault = row.fault(product.outputs, request.launches))
    return {std::nullopt, fault->fault, std::move(product.messages), Nanoseconds(0), std::move(fault->explanation)};
  Artefact artefact{digest_of(product.outputs), {}, folder, row.outputs, std::move(product.resources)};
  return {std::move(artefact), std::nullopt, std::move(product.messages), Nanoseconds(0)};
}

std::optional<CompileOutcome> cached(const fs::path& folder, const Toolchain& toolchain,
                                     const CompileRequest& request) {
  if (!path_exists(folder)) return std::nullopt;
  auto outputs = read_built(folder, row_of(toolchain).outputs);
  auto messages = read_file(folder / k_messages_file);
  const auto text = read_file(folder / k_resources);
  auto resources = text ? resources_from(*text) : Result<std::vector<KernelResources>>(text.error());
  if (!outputs || !messages || !resources) return std::nullopt;
  return outcome_of(folder, toolchain, request, {std::move(*outputs), std::move(*resources), std::move(*messages)});
}

Status store(const fs::path& folder, const Toolchain& toolchain, const Product& product) {
  std::vector<BuiltFile> files{{k_messages_file, product.messages}, {k_resources, resources_text(product.resources)}};
  for (size_t i = 0; i < product.outputs.size(); ++i)
    files.push_back({row_of(toolchain).outputs[i], product.outputs[i]});
  return store_artefact(folder, files);
}

// ---- the confined process ----

bool is_in_the_system(const fs::path& path) {
  const std::string text = path.string();
  return text.starts_with("/usr/") || text.starts_with("/lib");
}

// A compiler that the system did not bring is lent with what stands beside it.
std::vector<sandbox::Mount> compiler_mounts(const Toolchain& toolchain) {
  std::vector<fs::path> folders = toolchain.headers;
  if (toolchain.path.has_parent_path()) folders.push_back(toolchain.path.parent_path().parent_path());
  std::vector<sandbox::Mount> mounts;
  for (const fs::path& folder : folders)
    if (!is_in_the_system(folder) && path_exists(folder)) mounts.push_back({folder, sandbox::Access::read_only});
  return mounts;
}

sandbox::Confinement confinement_of(const Toolchain& toolchain, const CompileRequest& request,
                                    const Workshop& workshop) {
  sandbox::Confinement confinement;
  confinement.profile = row_of(toolchain).profile;
  confinement.argv = {"hone", toolchain.role, toolchain.path.string(), toolchain.target, workshop.objects().string()};
  for (std::string& flag : flags_of(toolchain, request)) confinement.argv.push_back(std::move(flag));
  confinement.environment = driver_environment();
  confinement.folder = workshop.source();
  confinement.cores = toolchain.cores;
  confinement.mounts = {{workshop.source(), sandbox::Access::read_only},
                        {workshop.objects(), sandbox::Access::read_write}};
  for (sandbox::Mount& mount : compiler_mounts(toolchain)) confinement.mounts.push_back(std::move(mount));
  for (sandbox::Mount& mount : header_mounts(request.header_roots)) confinement.mounts.push_back(std::move(mount));
  if (confinement.profile != sandbox::Profile::launcher) return confinement;
  for (sandbox::Mount& mount : driver_mounts()) confinement.mounts.push_back(std::move(mount));
  return confinement;
}

CompileOutcome fault_of(const sandbox::ConfinedOutcome& outcome, const CompileRequest& request) {
  if (outcome.how == sandbox::ConfinedOutcome::How::timed_out)
    return failed(CompileFault::timeout,
                  fmt::format("the build took longer than {}", human_time(to_seconds(request.deadline))),
                  outcome.output);
  const bool refused = outcome.ending && outcome.ending->how == sandbox::Ending::How::exited &&
                       outcome.ending->value == k_does_not_compile;
  return failed(CompileFault::compile_error, refused ? "" : "its compiler failed", outcome.output);
}

Result<CompileOutcome> build(const Toolchain& toolchain, const fs::path& cache, const CompileRequest& request,
                             const fs::path& folder) {
  std::vector<task::CandidateFile> files = request.files;
  files.push_back({k_whole_source, false, whole_source(request)});
  HONE_TRY(const Workshop workshop, open_workshop(cache, files));
  HONE_TRY(const auto outcome, sandbox::run_confined({.confinement = confinement_of(toolchain, request, workshop),
                                                      .deadline = request.deadline}));
  if (!outcome.succeeded()) return fault_of(outcome, request);
  auto outputs = read_built(workshop.objects(), row_of(toolchain).outputs);
  if (!outputs) return failed(CompileFault::compile_error, outputs.error().what, outcome.output);
  auto resources = row_of(toolchain).resources(*outputs);
  Product product{std::move(*outputs), std::move(resources), quote_untrusted(outcome.output, k_message_cap_bytes)};
  // Its key says which headers it was built with.
  HONE_CHECK(require_unchanged(request.header_roots));
  HONE_CHECK(store(folder, toolchain, product));
  return outcome_of(folder, toolchain, request, std::move(product));
}

}  // namespace

Result<CompileOutcome> compile(const Toolchain& toolchain, const fs::path& cache, const CompileRequest& request) {
  const SystemClock clock;
  const Nanoseconds begin = clock.now();
  const fs::path folder = cache / "artefacts" / key_of(toolchain, request);
  if (auto known = cached(folder, toolchain, request)) return *std::move(known);
  HONE_TRY(CompileOutcome outcome, build(toolchain, cache, request, folder));
  outcome.took = clock.now() - begin;
  return outcome;
}

}  // namespace hone::device::launcher
