// hone: one binary. Started by a person it is the command line; started by itself it is a judge, a runner or an oracle.
#include "surface/cli/commands.h"
#include "surface/roles.h"

int main(int argc, char** argv) {
  if (const auto status = hone::surface::run_role(argc, argv)) return *status;
  return hone::cli::run_cli(argc, argv);
}
