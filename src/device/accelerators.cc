#include "device/accelerators.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"
#include "device/describing.h"

namespace hone::device {

namespace {

// What a child needs of the environment to find and run drivers. Variables that hide devices are not among them.
constexpr const char* k_passed_on[] = {
    "LD_LIBRARY_PATH",   "CUDA_HOME",       "CUDA_PATH",          "VIRTUAL_ENV",    "CONDA_PREFIX",   "ROCM_PATH",
    "OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "POCL_CACHE_DIR", "XDG_CACHE_HOME", "TMPDIR",
};

// What hides or renumbers devices.
constexpr const char* k_hiding[] = {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                    "GPU_DEVICE_ORDINAL", "ONEAPI_DEVICE_SELECTOR"};

// Where NVIDIA's driver puts its OpenCL library; containers leave out the file that makes the loader find it.
constexpr const char* k_nvidia_opencl[] = {"lib/libnvidia-opencl.so.1",
                                           "lib64/libnvidia-opencl.so.1",
                                           "usr/lib/libnvidia-opencl.so.1",
                                           "usr/lib64/libnvidia-opencl.so.1",
                                           "usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1",
                                           "usr/lib/aarch64-linux-gnu/libnvidia-opencl.so.1"};

std::map<std::string, std::string> child_environment(const cuda::Variables& ours) {
  // As nvidia-smi counts, not fastest first.
  std::map<std::string, std::string> passed{{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}};
  for (const char* name : k_passed_on) {
    if (const auto found = ours.find(name); found != ours.end()) passed.insert(*found);
  }
  return passed;
}

Accelerators without(std::string_view what, std::string reason) {
  Accelerators none;
  none.absent.push_back({std::string(what), std::move(reason), ""});
  return none;
}

std::string failure_of(const Finished& done, Nanoseconds deadline) {
  if (done.timed_out) return fmt::format("its driver did not answer within {}", human_time(to_seconds(deadline)));
  if (done.exit_status > 128) return fmt::format("its driver crashed: {}", strsignal(done.exit_status - 128));
  return fmt::format("asking its driver failed with status {}", done.exit_status);
}

Accelerators ask_child(Processes& processes, const AcceleratorRequest& request, std::string_view what) {
  Command child{.argv = {request.program.string(), std::string(k_describe_role)}};
  child.environment = child_environment(request.variables);
  child.input = json::to_text(DescribeRequest{std::string(what), request.files});
  child.deadline = request.deadline;
  const auto done = processes.run(child);
  if (!done) return without(what, done.error().what);
  if (!done->succeeded()) return without(what, failure_of(*done, request.deadline));
  auto found = json::from_text<Accelerators>(done->output);
  return found ? *std::move(found) : without(what, "the answer about its driver cannot be read");
}

template <class T>
void append(std::vector<T>& into, std::vector<T>&& more) {
  std::ranges::move(more, std::back_inserter(into));
}

void append(Accelerators& into, Accelerators&& more) {
  append(into.devices, std::move(more.devices));
  append(into.platforms, std::move(more.platforms));
  append(into.compilers, std::move(more.compilers));
  append(into.absent, std::move(more.absent));
  append(into.notes, std::move(more.notes));
}

bool has_nvidia_opencl(const Accelerators& found) {
  return std::ranges::any_of(
      found.devices, [](const Accelerator& device) { return device.kind == "opencl" && device.vendor == "nvidia"; });
}

// NVIDIA's OpenCL library on the disk that no platform came of.
void note_unlisted_opencl(const std::filesystem::path& root, Accelerators& found) {
  if (has_nvidia_opencl(found)) return;
  for (const char* name : k_nvidia_opencl) {
    const std::string file = (root / name).string();
    if (!path_exists(file)) continue;
    found.absent.push_back({"NVIDIA's OpenCL", fmt::format("{} is here, but no OpenCL platform lists it", file),
                            fmt::format("export OCL_ICD_FILENAMES={}", file)});
    return;
  }
}

}  // namespace

std::vector<std::string> notes_on_hiding(const cuda::Variables& variables) {
  std::vector<std::string> notes;
  for (const char* name : k_hiding) {
    const auto set = variables.find(name);
    if (set == variables.end()) continue;
    notes.push_back(
        fmt::format("{} is set to '{}' and not followed: every device is listed, and the one that "
                    "judges is chosen by its uuid",
                    name, quote_untrusted(set->second, 256)));
  }
  return notes;
}

std::string uuid_text(std::span<const uint8_t, 16> bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

Accelerators list_accelerators(Processes& processes, const AcceleratorRequest& request) {
  Accelerators found;
  for (const std::string& what : described()) append(found, ask_child(processes, request, what));
  note_unlisted_opencl(request.root, found);
  append(found.notes, notes_on_hiding(request.variables));
  return found;
}

}  // namespace hone::device
