// The role "build-nvcc": source to PTX, and that to a cubin, by nvcc (device/launcher/toolchain.h). Going by the PTX
// means that the two of them are of one translation.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

namespace {

// The exit status of a program that prints where this one does; nothing where it has none.
std::optional<int> status_of(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  int status = 0;
  if (posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return std::nullopt;
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

int run(std::vector<std::string> arguments, std::span<char* const> flags) {
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const auto status = status_of(arguments);
  if (!status) return k_cannot_compile;
  return *status == 0 ? 0 : k_does_not_compile;
}

}  // namespace

int build_nvcc_main(int argc, char** argv) {
  if (argc < 3) return k_cannot_compile;
  const std::string nvcc = argv[0];
  const std::filesystem::path output = argv[2];
  const std::string ptx = output / k_ptx;
  const std::string cubin = output / k_cubin;
  const std::span<char* const> flags(argv + 3, argv + argc);
  if (const int failed = run({nvcc, "--ptx", "-x", "cu", k_whole_source, "-o", ptx}, flags); failed != 0) return failed;
  return run({nvcc, "--cubin", ptx, "-o", cubin}, flags);
}

}  // namespace hone::device::launcher
