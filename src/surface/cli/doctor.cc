#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "surface/cli/doctor_accelerators.h"
#include "surface/cli/doctor_examine.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

namespace {

std::string yes_no(bool value) { return value ? "yes" : "no"; }

std::string joined(const std::vector<int>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

std::string processor_text(const DeviceEntry& device) {
  std::vector<std::string> caches;
  for (const uint64_t bytes : device.cache_bytes) caches.push_back(human_bytes(bytes));
  std::string text =
      fmt::format("  {}: {} ({}, {:.1f} GB)\n", device.kind, device.name, device.arch_family, device.total_memory_gb);
  text += fmt::format("    processors {}, caches {}\n", joined(device.processors), join(caches, ", "));
  text += fmt::format("    default core {}: {}\n", joined(device.cores), device.reason);
  text += fmt::format("    calibrated: {}\n",
                      device.calibrated_at.value_or("not yet; `hone calibrate`, or the first run does it"));
  return text + fmt::format("    selftest: {}\n", device.selftest.value_or("not yet; `hone selftest`"));
}

std::string compiler_text(const CompilerRecord& compiler) {
  std::string text = fmt::format("  {} ({})", compiler.name, compiler.path);
  if (compiler.in_use) text += fmt::format(", in use: {}", compiler.chosen_by.value_or(""));
  if (compiler.openmp) text += fmt::format(", OpenMP: {}", yes_no(*compiler.openmp));
  return text + "\n";
}

std::string layers_text(const std::vector<LayerRecord>& layers) {
  std::vector<std::string> active;
  for (const LayerRecord& layer : layers) {
    if (layer.active) active.push_back(layer.name);
  }
  std::string text = fmt::format("  active: {}\n", join(active, ", "));
  for (const LayerRecord& layer : layers) {
    if (layer.remedy) text += fmt::format("  missing: {}; see below\n", layer.name);
  }
  return text;
}

std::string header_roots_text(const std::vector<HeaderRootRecord>& roots) {
  if (roots.empty()) return "";
  std::string text = "\nheader roots\n";
  for (const HeaderRootRecord& root : roots) {
    text += fmt::format("  {}: ", root.name);
    text += root.fault
                ? std::string("cannot be used; see below\n")
                : fmt::format("{} ({}, {}, {})\n", root.folder.value_or(""), counted(root.files.value_or(0), "file"),
                              human_bytes(root.bytes.value_or(0)), root.digest.value_or("").substr(0, 12));
  }
  return text;
}

Result<int> doctor(Context& context) {
  const DoctorDocument document = examine_machine(*context.processes, {});
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return document.ready ? 0 : exit_code(ErrorCode::environment);
}

}  // namespace

std::string to_text(const DoctorDocument& document) {
  std::string text = fmt::format("hone {}\n\ndevices\n", document.hone_version);
  for (const DeviceEntry& device : document.devices)
    text += device.place ? accelerator_text(device) : processor_text(device);
  text += absent_text(document);
  text += "\ncompilers\n";
  for (const CompilerRecord& compiler : document.compilers) text += compiler_text(compiler);
  text += tools_text(document) + platforms_text(document) + python_text(document);
  text += header_roots_text(document.header_roots);
  text +=
      fmt::format("\ngit\n  {}\n\nconfinement\n{}", document.git.value_or("none"), layers_text(document.confinement));
  text += fmt::format("\nfolders\n  calibrations {} ({} stored)\n  artefacts {}\n", document.data_folder,
                      document.calibrations.size(), document.cache_folder);
  if (!document.missing.empty()) text += "\nmissing\n";
  for (const Lack& lack : document.missing)
    text += fmt::format("  {} ({}): {}\n    do: {}\n", lack.what, name_of(lack.need), lack.why, lack.help);
  return text + (document.ready ? "\nready\n" : "\nNOT READY\n");
}

Command doctor_command() {
  return {"doctor",
          "What this machine offers, and what to type for what is missing",
          "Ends with 3 when something that hone needs is missing. Nothing is installed or changed.",
          {},
          {},
          doctor};
}

}  // namespace hone::cli
