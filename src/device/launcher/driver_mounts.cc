#include "device/launcher/driver_mounts.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

namespace hone::device::launcher {

namespace {

namespace fs = std::filesystem;

constexpr const char* k_nodes[] = {"/dev/nvidiactl",      "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
                                   "/dev/nvidia-modeset", "/dev/kfd",        "/dev/dri"};
constexpr int k_most_nvidia_devices = 64;
constexpr const char* k_folders[] = {"/sys", "/etc/OpenCL", "/opt/rocm"};
// Where libraries are found, as the user says it.
constexpr const char* k_variables[] = {"LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"};

void lend(const std::string& path, sandbox::Access access, std::vector<sandbox::Mount>& mounts) {
  if (fs::exists(path)) mounts.push_back({path, access});
}

}  // namespace

std::vector<sandbox::Mount> system_mounts() {
  std::vector<sandbox::Mount> mounts;
  for (const char* folder : k_folders) lend(folder, sandbox::Access::read_only, mounts);
  return mounts;
}

std::vector<sandbox::Mount> driver_mounts() {
  std::vector<sandbox::Mount> mounts = system_mounts();
  for (const char* node : k_nodes) lend(node, sandbox::Access::read_write, mounts);
  for (int i = 0; i < k_most_nvidia_devices; ++i)
    lend(fmt::format("/dev/nvidia{}", i), sandbox::Access::read_write, mounts);
  return mounts;
}

std::map<std::string, std::string> driver_environment() {
  std::map<std::string, std::string> environment{{"LANG", "C.UTF-8"},
                                                 {"PATH", "/usr/bin:/bin"},
                                                 {"HOME", "/tmp"},
                                                 {"CUDA_CACHE_DISABLE", "1"},
                                                 {"POCL_CACHE_DIR", "/tmp"}};
  for (const char* variable : k_variables) {
    if (const char* value = getenv(variable)) environment[variable] = value;
  }
  return environment;
}

}  // namespace hone::device::launcher
