// run_cli: from argv to an exit status. The bridge from Error to text, hone.error/1 and status codes is here and
// nowhere else.
#include "surface/cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>

#include "base/disk.h"
#include "base/json.h"
#include "base/text.h"
#include "sandbox/own_limits.h"
#include "surface/cli/commands.h"
#include "surface/cli/parser.h"

namespace hone::cli {

namespace {

// Set by the signal handler, read by whoever can stop in an orderly way.
volatile sig_atomic_t g_interrupted = 0;  // NOLINT: a signal handler has nowhere else to put it

void on_interrupt(int) { g_interrupted = 1; }

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);  // the terminal was closed
}

// A reader that left and a file that grew too large are errors of a write, with a name.
void take_faults_of_writes_as_errors() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

// A closed standard stream would lend its number to the next file that is opened, and a log would take progress for
// events. Opened the wrong way round, since whoever writes to a closed stream shall learn it.
void occupy_standard_streams() {
  constexpr std::array<int, 3> k_modes{O_WRONLY, O_RDONLY, O_RDONLY};
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) std::ignore = open("/dev/null", k_modes[static_cast<size_t>(fd)]);
  }
}

// A reader that has left, as in `hone log | head`, wanted no more.
bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

// An answer that could not be printed is no answer.
int status_after_printing(int status) {
  const bool printed = fflush(stdout) == 0 && ferror(stdout) == 0;
  if (printed || reader_is_gone()) return status;
  print_error(to_text(Error{ErrorCode::io,
                            "cannot write to standard output",
                            {},
                            "the answer is not complete",
                            "free space or open the stream, then run the same command again"}));
  return exit_code(ErrorCode::io);
}

void report_error(const Error& error, Output output) {
  if (output == Output::json) print_json(json::to_text(to_document(error)));
  print_error(to_text(error));
}

// A word that no terminal and no JSON document can show as it is, would end as a riddle further down.
Status check_words(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string shown = quote_untrusted(word, word.size() + 1);
    if (shown != word)
      return Error{ErrorCode::usage,
                   fmt::format("'{}' is no word of valid UTF-8 without control characters", shown),
                   {},
                   "logs, reports and JSON documents could not name it",
                   "rename the file or folder"};
  }
  return ok();
}

Result<int> run_words(const std::vector<std::string>& words, Output& output) {
  HONE_CHECK(sandbox::limits_suffice_for(sandbox::Purpose::any_command));
  HONE_CHECK(check_words(words));
  std::error_code gone;
  std::ignore = fs::current_path(gone);
  if (gone)
    return Error{ErrorCode::environment,
                 "the present folder is gone",
                 {},
                 "relative names lead nowhere",
                 "cd to one that exists"};
  const std::vector<Command> commands = all_commands();
  HONE_TRY(Parsed parsed, parse(commands, words));
  if (parsed.command == nullptr) {
    print(parsed.help);
    return 0;
  }
  Disk disk;
  SystemClock clock;
  Processes processes;
  Context context;
  context.arguments = std::move(parsed.arguments);
  context.output = output;
  context.command_line = "hone " + join(words, " ");
  context.disk = &disk;
  context.clock = &clock;
  context.processes = &processes;
  context.cancelled = [] { return g_interrupted != 0; };
  catch_interrupts();
  return parsed.command->run(context);
}

int run_guarded(const std::vector<std::string>& words) {
  Output output = std::find(words.begin(), words.end(), "--json") != words.end() ? Output::json : Output::text;
  try {
    const Result<int> status = run_words(words, output);
    if (status) return *status;
    report_error(status.error(), output);
    return exit_code(status.error().code);
  } catch (const std::exception& defect) {
    report_error({ErrorCode::internal,
                  std::string("a defect in hone: ") + defect.what(),
                  {},
                  "nothing that was recorded is lost",
                  "please report this with the command that you typed"},
                 output);
    return exit_code(ErrorCode::internal);
  }
}

}  // namespace

namespace {

std::optional<std::string> unless_empty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::string> place_of(const Error& error) {
  return error.where.empty() ? std::nullopt : std::optional(to_text(error.where));
}

void add_causes(const Error& error, std::vector<CauseDocument>& causes) {
  for (const Error& cause : error.causes) {
    causes.push_back({cause.what, place_of(cause), unless_empty(cause.why), unless_empty(cause.help)});
    add_causes(cause, causes);
  }
}

}  // namespace

ErrorDocument to_document(const Error& error) {
  ErrorDocument document;
  document.code = error.code;
  document.what = error.what;
  document.where = place_of(error);
  document.why = unless_empty(error.why);
  document.help = unless_empty(error.help);
  add_causes(error, document.causes);
  return document;
}

int run_cli(int argc, char** argv) {
  occupy_standard_streams();
  take_faults_of_writes_as_errors();
  return status_after_printing(run_guarded({argv + 1, argv + argc}));
}

}  // namespace hone::cli
