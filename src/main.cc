// hone: one binary. Started by a person it is the command line; started by itself it may be a judge, a runner or an oracle.
#include <string_view>

#include "device/cpu/roles.h"
#include "judge/judge_main.h"
#include "surface/cli/commands.h"

int main(int argc, char** argv) {
  if (const auto status = hone::device::cpu::run_role(argc, argv)) return *status;
  if (argc == 2 && std::string_view(argv[1]) == "judge") return hone::judge::judge_main();
  return hone::cli::run_cli(argc, argv);
}
