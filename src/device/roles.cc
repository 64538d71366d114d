#include "device/roles.h"

#include <string_view>

#include "device/cpu/runner_main.h"
#include "device/cuda/clock_lock.h"
#include "device/cuda/watch_main.h"
#include "device/describing.h"
#include "device/launcher/launcher_main.h"
#include "device/launcher/toolchain.h"
#include "device/opencl/specialise.h"

namespace hone::device {

namespace {

struct RoleRow {
  std::string_view name;
  int (*run)();
};

struct BuildRow {
  std::string_view name;
  int (*run)(int argc, char** argv);  // what comes after the name
};

// Runner and oracle call one foreign function on buffers they were handed; what sets them apart is their profile and
// who drives them.
constexpr RoleRow k_roles[] = {
    {"runner", cpu::runner_main}, {"oracle", cpu::runner_main},     {"launcher", launcher::launcher_main},
    {"watch", cuda::watch_main},  {k_describe_role, describe_main}, {cuda::k_hold_clocks_role, cuda::hold_clocks_main},
};

constexpr BuildRow k_builds[] = {
    {"build-cuda", launcher::build_cuda_main},      {"build-nvcc", launcher::build_nvcc_main},
    {"build-hip", launcher::build_hip_main},        {"build-opencl", launcher::build_opencl_main},
    {"specialise-opencl", opencl::specialise_main},
};

}  // namespace

std::optional<int> run_role(int argc, char** argv) {
  if (argc < 2) return std::nullopt;
  for (const BuildRow& build : k_builds) {
    if (argv[1] == build.name) return build.run(argc - 2, argv + 2);
  }
  if (argc != 2) return std::nullopt;
  for (const RoleRow& role : k_roles) {
    if (argv[1] == role.name) return role.run();
  }
  return std::nullopt;
}

}  // namespace hone::device
