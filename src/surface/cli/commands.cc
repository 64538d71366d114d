#include "surface/cli/commands.h"

namespace hone::cli {

// Defined in the command's own file.
Command audit_command();
Command apply_command();
Command calibrate_command();
Command check_command();
Command compare_command();
Command diff_command();
Command doctor_command();
Command export_command();
Command init_command();
Command log_command();
Command measure_command();
Command report_command();
Command resume_command();
Command run_command();
Command selftest_command();
Command status_command();
Command tune_command();
Command verify_command();

namespace {

struct CommandRow {
  std::string_view name;
  Command (*command)();
};

// In the order in which a newcomer meets them.
constexpr CommandRow k_commands[] = {
    {"init", init_command},           {"check", check_command},     {"doctor", doctor_command},
    {"calibrate", calibrate_command}, {"run", run_command},         {"resume", resume_command},
    {"status", status_command},       {"log", log_command},         {"verify", verify_command},
    {"measure", measure_command},     {"compare", compare_command}, {"tune", tune_command},
    {"diff", diff_command},           {"apply", apply_command},     {"export", export_command},
    {"report", report_command},       {"audit", audit_command},     {"selftest", selftest_command},
};

}  // namespace

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  for (const CommandRow& row : k_commands) commands.push_back(row.command());
  return commands;
}

}  // namespace hone::cli
