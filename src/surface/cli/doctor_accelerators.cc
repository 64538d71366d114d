#include "surface/cli/doctor_accelerators.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "device/backends.h"
#include "device/choose.h"
#include "device/pci.h"
#include "surface/cli/device_record.h"

namespace hone::cli {

namespace {

// Whose devices a library serves. What is not in the table is missed wherever it is absent.
struct ServedRow {
  std::string_view what;
  std::string_view vendor;
  std::string_view why;
};

constexpr ServedRow k_served[] = {
    {"cuda", "nvidia", "there is an NVIDIA GPU, but its driver shows no device"},
    {"hip", "amd", "there is an AMD GPU, but HIP shows no device"},
    {"NVRTC", "nvidia", "it compiles CUDA kernels in a fraction of nvcc's time"},
    {"hiprtc", "amd", "it compiles HIP kernels"},
};

// What a person misses without a tool, by its role.
struct RoleRow {
  std::string_view role;
  std::string_view why;
};

constexpr RoleRow k_roles[] = {
    {"compiler", "it compiles kernels for the GPU"},
    {"profiler", "it shows why a kernel is slow"},
    {"sanitizer", "it finds accesses out of bounds and races"},
};

bool is_kind(std::string_view what) {
  return std::ranges::any_of(device::backends(), [&](const device::BackendRow& row) { return row.folder == what; });
}

bool serves_somebody(const DoctorDocument& document, std::string_view vendor) {
  return std::ranges::find(document.gpu_vendors, vendor) != document.gpu_vendors.end();
}

std::vector<std::string> vendors_of(const device::Accelerators& found, const std::vector<std::string>& on_bus) {
  std::set<std::string> vendors(on_bus.begin(), on_bus.end());
  for (const device::Accelerator& device : found.devices) vendors.insert(device.vendor);
  vendors.erase("cpu");
  vendors.erase("none");
  return {vendors.begin(), vendors.end()};
}

// OpenCL without a platform is no loss where CUDA serves the same GPU.
std::optional<Lack> lack_of(const DoctorDocument& document, const device::Absence& absence) {
  if (absence.what == "opencl") return std::nullopt;
  const auto row = std::ranges::find(k_served, absence.what, &ServedRow::what);
  if (row == std::end(k_served)) return Lack{absence.what, Need::useful, absence.reason, absence.help};
  if (!serves_somebody(document, row->vendor)) return std::nullopt;
  return Lack{absence.what, Need::useful, fmt::format("{}: {}", row->why, absence.reason), absence.help};
}

std::optional<Lack> lack_of(const DoctorDocument& document, const ToolRecord& tool) {
  const bool is_library = std::ranges::find(k_served, tool.name, &ServedRow::what) != std::end(k_served);
  if (tool.path || is_library || !serves_somebody(document, tool.vendor)) return std::nullopt;
  const auto row = std::ranges::find(k_roles, tool.role, &RoleRow::role);
  return Lack{tool.name, Need::useful, row == std::end(k_roles) ? "" : std::string(row->why), tool.help.value_or("")};
}

std::string joined_facts(const std::vector<std::optional<std::string>>& facts) {
  std::vector<std::string> known;
  for (const auto& fact : facts) {
    if (fact && !fact->empty()) known.push_back(*fact);
  }
  return join(known, ", ");
}

template <class T>
std::optional<std::string> fact(std::string_view form, const std::optional<T>& value) {
  return value ? std::optional(fmt::format(fmt::runtime(form), *value)) : std::nullopt;
}

std::optional<std::string> mig_fact(const DeviceEntry& device) {
  if (!device.mig) return std::nullopt;
  return *device.mig ? "MIG on" : "MIG off";
}

std::optional<std::string> cache_fact(const DeviceEntry& device) {
  if (device.cache_bytes.empty()) return std::nullopt;
  // OpenCL says a cache's size, not which one it is.
  const bool is_l2 = device.kind != "opencl";
  return (is_l2 ? "L2 " : "cache ") + human_bytes(device.cache_bytes.back());
}

}  // namespace

DeviceEntry record_of(const device::Accelerator& accelerator) {
  DeviceEntry record(published_record(accelerator));
  record.kind = accelerator.kind;
  record.uuid = accelerator.uuid;
  record.reason = "chosen by name: --device " + device::place_of(accelerator);
  if (accelerator.l2_bytes) record.cache_bytes = {*accelerator.l2_bytes};
  record.trust = name_of(accelerator.trust);
  record.place = device::place_of(accelerator);
  record.driver = accelerator.driver;
  record.compute_mode = accelerator.compute_mode;
  record.mig = accelerator.mig;
  record.max_clock_mhz = accelerator.max_clock_mhz;
  record.power_limit_watts = accelerator.power_limit_watts;
  record.limits = accelerator.limits;
  record.runs_kernels = device::has_backend(record.kind);
  record.notes = accelerator.notes;
  return record;
}

void add_accelerators(device::Accelerators found, const device::AcceleratorRequest& request, Processes& processes,
                      DoctorDocument& document) {
  for (const device::Accelerator& accelerator : found.devices) document.devices.push_back(record_of(accelerator));
  document.gpu_vendors = vendors_of(found, device::gpu_vendors_on_pci(request.root));
  document.backends = device::backend_kinds();
  document.tools = examine_tools(processes, found, request);
  document.opencl_platforms = std::move(found.platforms);
  document.absent = std::move(found.absent);
  document.notes = std::move(found.notes);
}

std::vector<Lack> accelerator_lacks(const DoctorDocument& document) {
  std::vector<Lack> lacks;
  const auto add = [&](std::optional<Lack> lack) {
    if (lack) lacks.push_back(*std::move(lack));
  };
  for (const device::Absence& absence : document.absent) add(lack_of(document, absence));
  for (const ToolRecord& tool : document.tools) add(lack_of(document, tool));
  return lacks;
}

std::string accelerator_text(const DeviceEntry& device) {
  std::string text = fmt::format("  {}: {} ({})\n", device.place.value_or(""), device.name,
                                 joined_facts({device.arch_family, fmt::format("{:.1f} GB", device.total_memory_gb)}));
  text += fmt::format("    uuid {}\n", device.uuid);
  text += fmt::format(
      "    {}\n", joined_facts({fact("{} multiprocessors", device.multiprocessor_count), cache_fact(device),
                                fact("up to {} MHz", device.max_clock_mhz), fact("{} W", device.power_limit_watts)}));
  text += fmt::format("    {}\n", joined_facts({fact("driver {}", device.driver), "trust " + device.trust,
                                                fact("compute mode {}", device.compute_mode), mig_fact(device)}));
  for (const std::string& note : device.notes) text += fmt::format("    note: {}\n", note);
  return text + (device.runs_kernels ? "" : "    hone runs no kernels on it yet\n");
}

std::string absent_text(const DoctorDocument& document) {
  std::string text;
  for (const device::Absence& absence : document.absent) {
    if (!is_kind(absence.what)) continue;
    text += fmt::format("  {}: none: {}\n", absence.what, absence.reason);
    if (!absence.help.empty()) text += fmt::format("    do: {}\n", absence.help);
  }
  for (const std::string& note : document.notes) text += fmt::format("  note: {}\n", note);
  return text + fmt::format("  this hone runs kernels on: {}\n", join(document.backends, ", "));
}

std::string tools_text(const DoctorDocument& document) {
  if (document.tools.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"  tool", "is a", "for", "version", "path, or what to type"}};
  for (const ToolRecord& tool : document.tools)
    rows.push_back({"  " + tool.name, tool.role, tool.vendor, tool.version.value_or("-"),
                    tool.path.value_or("none: " + tool.help.value_or(""))});
  return "\nGPU tools\n" + align_table(rows);
}

std::string platforms_text(const DoctorDocument& document) {
  if (document.opencl_platforms.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"  platform", "version", "devices"}};
  for (const device::OpenclPlatform& platform : document.opencl_platforms)
    rows.push_back(
        {fmt::format("  {}: {}", platform.index, platform.name), platform.version, join(platform.devices, "; ")});
  return "\nOpenCL platforms\n" + align_table(rows);
}

std::string python_text(const DoctorDocument& document) {
  if (!document.python) return "\nPython\n  none: apt-get install python3\n";
  const PythonRecord& python = *document.python;
  std::vector<std::string> packages;
  for (const PythonPackage& package : python.packages)
    packages.push_back(fmt::format("{} {}", package.name, package.version.value_or("of an unknown version")));
  std::string text = fmt::format("\nPython\n  {} ({})\n", python.version, python.path);
  if (!packages.empty()) text += fmt::format("  packages: {}\n", join(packages, ", "));
  if (!python.absent.empty()) text += fmt::format("  not here: {}\n", join(python.absent, ", "));
  return text;
}

}  // namespace hone::cli
