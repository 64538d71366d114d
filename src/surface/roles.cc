#include "surface/roles.h"

#include <string_view>

#include "device/roles.h"
#include "judge/judge_main.h"

namespace hone::surface {

std::optional<int> run_role(int argc, char** argv) {
  if (const auto status = device::run_role(argc, argv)) return status;
  if (argc == 2 && std::string_view(argv[1]) == "judge") return judge::judge_main();
  return std::nullopt;
}

}  // namespace hone::surface
