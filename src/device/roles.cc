#include "device/roles.h"

#include <string_view>

#include "device/cpu/runner_main.h"
#include "device/describing.h"

namespace hone::device {

namespace {

struct RoleRow {
  std::string_view name;
  int (*run)();
};

// Runner and oracle call one foreign function on buffers they were handed; what sets them apart is their profile and
// who drives them.
constexpr RoleRow k_roles[] = {
    {"runner", cpu::runner_main},
    {"oracle", cpu::runner_main},
    {k_describe_role, describe_main},
};

}  // namespace

std::optional<int> run_role(int argc, char** argv) {
  if (argc != 2) return std::nullopt;
  for (const RoleRow& role : k_roles) {
    if (argv[1] == role.name) return role.run();
  }
  return std::nullopt;
}

}  // namespace hone::device
