#include "device/cuda/places.h"

#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/process.h"
#include "base/text.h"

namespace hone::device::cuda {

namespace fs = std::filesystem;

namespace {

// Below these lies a Python environment's lib/pythonX.Y; a leading '$' is a variable, a "~" the home folder.
constexpr std::string_view k_python_roots[] = {"$VIRTUAL_ENV", "$CONDA_PREFIX", "~/.local",  "/usr/local",
                                               "/usr",         "/opt/venv",     "/opt/conda"};
// Of the packages "nvidia-cuda-nvrtc-cu12" and, from 13 on, "nvidia-cuda-nvrtc".
constexpr std::string_view k_python_packages[] = {"nvidia/cu1[3-9]/lib", "nvidia/cuda_nvrtc/lib"};
constexpr std::string_view k_site_folders[] = {"site-packages", "dist-packages"};

std::string value_of(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

// Directories that match, last first: "cuda-13.0" before "cuda-12.8".
std::vector<fs::path> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<fs::path> paths;
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  }
  globfree(&found);
  std::erase_if(paths, [](const fs::path& path) { return !fs::is_directory(path); });
  std::ranges::sort(paths, std::greater());
  return paths;
}

void append_new(std::vector<fs::path>& into, const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) {
    if (std::ranges::find(into, path) == into.end()) into.push_back(path);
  }
}

// The folder that a row of k_python_roots names; empty where its variable is not set.
std::string python_root(const Variables& variables, const fs::path& root, std::string_view row) {
  if (row.starts_with('$')) return value_of(variables, std::string(row.substr(1)));
  if (!row.starts_with('~')) return (root / row.substr(1)).string();
  const std::string home = value_of(variables, "HOME");
  return home.empty() ? "" : home + std::string(row.substr(1));
}

std::vector<fs::path> python_folders(const std::string& base) {
  std::vector<fs::path> folders;
  if (base.empty()) return folders;
  for (const std::string_view site : k_site_folders) {
    for (const std::string_view package : k_python_packages)
      append_new(folders, matches(base + "/lib/python3*/" + std::string(site) + "/" + std::string(package)));
  }
  return folders;
}

std::vector<fs::path> below(const std::vector<fs::path>& folders, const std::vector<std::string>& names) {
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    for (const std::string& name : names) append_new(found, matches((folder / name).string()));
  }
  return found;
}

}  // namespace

Variables environment_variables() {
  Variables variables;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
    const std::string_view text = *line;
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::vector<fs::path> toolkit_folders(const Variables& variables, const fs::path& root) {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string value = value_of(variables, name);
    if (!value.empty()) append_new(folders, matches(value));
  }
  append_new(folders, matches((root / "usr/local/cuda").string()));
  append_new(folders, matches((root / "usr/local/cuda-*").string()));
  return folders;
}

std::vector<fs::path> library_folders(const Variables& variables, const fs::path& root) {
  std::vector<fs::path> folders = below(toolkit_folders(variables, root), {"lib64", "targets/*-linux/lib"});
  for (const std::string_view row : k_python_roots)
    append_new(folders, python_folders(python_root(variables, root, row)));
  return folders;
}

std::vector<fs::path> program_folders(const Variables& variables, const fs::path& root) {
  std::vector<fs::path> folders = below(toolkit_folders(variables, root), {"bin"});
  for (const char* pattern : {"opt/nvidia/nsight-compute/*", "opt/nvidia/nsight-systems/*/bin"})
    append_new(folders, matches((root / pattern).string()));
  return folders;
}

std::optional<fs::path> find_toolkit_program(const std::string& name, const Variables& variables,
                                             const fs::path& root) {
  if (auto path = find_program(name)) return path;
  for (const fs::path& folder : program_folders(variables, root)) {
    if (auto path = find_program((folder / name).string())) return path;
  }
  return std::nullopt;
}

}  // namespace hone::device::cuda
