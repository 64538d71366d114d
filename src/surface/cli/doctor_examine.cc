// How `hone doctor` finds out.
#include "surface/cli/doctor_examine.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "device/ceilings.h"
#include "device/cpu/compiler.h"
#include "device/cpu/topology.h"
#include "device/header_roots.h"
#include "sandbox/spawn.h"
#include "surface/cli/device_record.h"
#include "surface/cli/doctor_accelerators.h"
#include "surface/selftest/gate.h"
#include "surface/selftest/summary.h"

namespace hone::cli {

namespace {

using device::cpu::Compiler;

std::string chosen_by() {
  for (const char* variable : {"HONE_CXX", "CXX"}) {
    const char* value = getenv(variable);
    if (value != nullptr && *value != '\0') return variable;
  }
  return "first on PATH";
}

// Whether a program with a parallel region builds: the library may be missing where the option is known.
bool builds_openmp(Processes& processes, const Compiler& compiler) {
  const auto scratch = TemporaryFolder::make(fs::temp_directory_path(), "hone-doctor-");
  if (!scratch) return false;
  hone::Command command{
      .argv = {compiler.path.string(), "-fopenmp", "-x", "c++", "-", "-o", (scratch->path() / "a.out").string()}};
  command.input = "#include <omp.h>\nint main() { return omp_get_max_threads() > 0 ? 0 : 1; }\n";
  const auto done = processes.run(command);
  return done && done->succeeded();
}

CompilerRecord in_use(Processes& processes, const Compiler& compiler) {
  return {compiler.version, compiler.path.string(), true, chosen_by(), builds_openmp(processes, compiler)};
}

// The one in use first, then what else is on PATH.
std::vector<CompilerRecord> compilers_of(Processes& processes, const Result<Compiler>& chosen) {
  std::vector<CompilerRecord> records;
  if (chosen) records.push_back(in_use(processes, *chosen));
  for (const char* name : {"g++", "clang++"}) {
    const auto path = find_program(name);
    if (!path || (chosen && chosen->path == *path)) continue;
    const auto done = processes.run({.argv = {path->string(), "--version"}});
    if (done && done->succeeded())
      records.push_back({device::cpu::describe_compiler(*path, done->output).version, path->string(), false, {}, {}});
  }
  return records;
}

std::optional<std::string> calibrated_at(const device::Identity& identity) {
  const auto ceilings = device::load_ceilings(identity.key().hex(), 1);
  return ceilings && *ceilings ? std::optional((*ceilings)->measured_at) : std::nullopt;
}

std::optional<std::string> last_selftest(const device::Identity& identity) {
  const auto kept = kept_result(identity.key().hex());
  return kept ? std::optional(sentence(*kept)) : std::nullopt;
}

DeviceEntry record_of(const device::cpu::Topology& topology, const device::Identity& identity) {
  DeviceEntry record(published_record(topology));
  record.kind = identity.kind;
  record.uuid = identity.uuid;
  record.key = identity.key().hex();
  record.cores = identity.cores;
  record.reason = "the last physical core, which leaves the first to the system; --cores chooses another";
  record.processors = topology.allowed;
  record.cache_bytes = identity.cache_bytes;
  record.trust = name_of(identity.trust);
  return record;
}

std::vector<DeviceEntry> devices_of(const Result<Compiler>& compiler) {
  const auto topology = device::cpu::read_topology();
  if (!topology) return {};
  const auto cores = device::cpu::choose_cores(*topology, {}, 1);
  if (!cores) return {};
  const std::string toolchain = compiler ? compiler->version : "";
  const std::string path = compiler ? compiler->path.string() : "";
  const device::Identity identity = device::cpu::identity_of(*topology, *cores, toolchain, path);
  DeviceEntry record = record_of(*topology, identity);
  if (compiler) record.calibrated_at = calibrated_at(identity);
  if (compiler) record.selftest = last_selftest(identity);
  return {record};
}

std::optional<std::string> git_version(Processes& processes) {
  const auto done = processes.run({.argv = {"git", "--version"}});
  if (!done || !done->succeeded()) return std::nullopt;
  return std::string(trim(done->output));
}

// DEVICE_KEY.json, or DEVICE_KEY-THREADS.json.
std::vector<StoredCalibration> stored_calibrations() {
  std::vector<StoredCalibration> stored;
  const auto files = list_files(user_data_folder() / "ceilings");
  if (!files) return stored;
  for (const fs::path& file : *files) {
    const auto words = split(file.stem().string(), '-');
    const int threads = words.size() > 1 ? std::max(1, atoi(words[1].c_str())) : 1;
    const auto ceilings = device::load_ceilings(words[0], threads);
    if (ceilings && *ceilings) stored.push_back({words[0], threads, (*ceilings)->measured_at});
  }
  return stored;
}

HeaderRootRecord examine_header_root(const std::string& name) {
  HeaderRootRecord record;
  record.name = name;
  record.variable = device::header_variable(name);
  const std::vector<fs::path> apart{user_cache_folder(), user_data_folder()};
  const auto found = device::find_header_root(name, apart);
  if (!found) {
    const std::vector<Error>& causes = found.error().causes;
    record.fault = causes.empty() ? found.error().what : causes.front().what;
    return record;
  }
  record.folder = found->root.folder;
  record.digest = found->root.digest;
  record.files = found->files;
  record.bytes = found->bytes;
  return record;
}

}  // namespace

std::vector<HeaderRootRecord> examine_header_roots() {
  std::vector<HeaderRootRecord> records;
  for (const std::string& name : device::names_of_header_roots()) records.push_back(examine_header_root(name));
  return records;
}

std::vector<LayerRecord> layer_records(sandbox::LayerSet active) {
  const sandbox::LayerSet missing = sandbox::missing_from(active);
  std::vector<LayerRecord> records;
  for (const sandbox::LayerRow& row : sandbox::layer_rows()) {
    LayerRecord record{std::string(name_of(row.layer)), active.has(row.layer), {}, {}};
    if (missing.has(row.layer)) {
      record.without = row.without;
      record.remedy = row.remedy;
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<Lack> lacks_of(const DoctorDocument& document) {
  std::vector<Lack> lacks;
  const auto used =
      std::find_if(document.compilers.begin(), document.compilers.end(), [](const auto& c) { return c.in_use; });
  if (document.devices.empty())
    lacks.push_back(
        {"device", Need::required, "the processor could not be read from /sys and /proc", "mount /sys and /proc"});
  if (used == document.compilers.end())
    lacks.push_back({"C++ compiler", Need::required, "kernels are compiled on this machine",
                     "apt-get install g++, or set HONE_CXX to one"});
  if (!document.git) lacks.push_back({"git", Need::required, "versions are kept as commits", "apt-get install git"});
  if (used != document.compilers.end() && !used->openmp.value_or(true))
    lacks.push_back({"OpenMP", Need::useful, "tasks with [limits] threads > 1 need it",
                     "apt-get install libgomp1 g++, or libomp-dev for clang++"});
  for (const LayerRecord& layer : document.confinement) {
    if (layer.remedy)
      lacks.push_back(
          {layer.name, Need::useful, layer.without.value_or("") + "; every verdict says so", *layer.remedy});
  }
  for (const HeaderRootRecord& root : document.header_roots) {
    if (root.fault)
      lacks.push_back({root.variable, Need::useful, *root.fault,
                       fmt::format("export {}=/path/to/its/include, or unset it", root.variable)});
  }
  for (Lack& lack : accelerator_lacks(document)) lacks.push_back(std::move(lack));
  return lacks;
}

DoctorDocument examine_machine(Processes& processes, const device::AcceleratorRequest& request) {
  const Result<Compiler> compiler = device::cpu::find_compiler(processes);
  DoctorDocument document;
  document.hone_version = HONE_VERSION;
  document.devices = devices_of(compiler);
  document.compilers = compilers_of(processes, compiler);
  document.git = git_version(processes);
  document.confinement = layer_records(sandbox::available_layers());
  document.data_folder = user_data_folder().string();
  document.cache_folder = user_cache_folder().string();
  document.calibrations = stored_calibrations();
  add_accelerators(device::list_accelerators(processes, request), request, processes, document);
  document.python = examine_python(processes);
  document.header_roots = examine_header_roots();
  document.missing = lacks_of(document);
  document.ready = std::none_of(document.missing.begin(), document.missing.end(),
                                [](const Lack& l) { return l.need == Need::required; });
  return document;
}

}  // namespace hone::cli
