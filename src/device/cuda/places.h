// Where CUDA's toolkit may lie besides the loader's and the shell's own search paths: CUDA_HOME, CUDA_PATH,
// /usr/local/cuda*, the nvidia packages of Python environments, and for programs /opt/nvidia/nsight-*. Reads directory
// names alone; what is not there is left out. `root` and `variables` stand in for the machine in tests.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hone::device::cuda {

using Variables = std::map<std::string, std::string>;  // the environment

Variables environment_variables();

// Folders that exist, nearest first: what the environment names, then newer versions before older ones.
std::vector<std::filesystem::path> toolkit_folders(const Variables& variables, const std::filesystem::path& root = "/");
std::vector<std::filesystem::path> library_folders(const Variables& variables, const std::filesystem::path& root = "/");
std::vector<std::filesystem::path> program_folders(const Variables& variables, const std::filesystem::path& root = "/");

// A program of the toolkit: on PATH, else in the nearest of those folders.
std::optional<std::filesystem::path> find_toolkit_program(const std::string& name, const Variables& variables,
                                                          const std::filesystem::path& root = "/");

}  // namespace hone::device::cuda
