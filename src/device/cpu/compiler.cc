#include "device/cpu/compiler.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "device/cpu/topology.h"

namespace hone::device::cpu {

namespace {

constexpr const char* k_variables[] = {"HONE_CXX", "CXX"};
constexpr const char* k_names[] = {"g++", "clang++"};

Error absent_choice(const char* variable, const char* value) {
  return Error{ErrorCode::environment,
               fmt::format("{} names '{}', which is no program here", variable, value),
               {},
               {},
               fmt::format("name one program without options, for example: export {}=g++", variable)};
}

Error no_compiler() {
  return Error{ErrorCode::environment,
               "there is no C++ compiler (g++ or clang++) on PATH",
               {},
               "kernels are compiled on this machine",
               "install one, for example: apt-get install g++"};
}

Result<std::filesystem::path> find_path() {
  for (const char* variable : k_variables) {
    const char* value = getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    if (auto path = find_program(value)) return *path;
    return absent_choice(variable, value);
  }
  for (const char* name : k_names) {
    if (auto path = find_program(name)) return *path;
  }
  return no_compiler();
}

// The first word that looks like a version: "12.2.0".
std::string version_number(std::string_view line) {
  for (const std::string& word : split(line, ' ')) {
    const bool numeric = !word.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
    if (numeric && word.find('.') != std::string::npos) return word;
  }
  // "14.0.6-1~deb": digits up to whatever follows.
  for (const std::string& word : split(line, ' ')) {
    if (!word.empty() && word.front() >= '0' && word.front() <= '9')
      return word.substr(0, word.find_first_not_of("0123456789."));
  }
  return "unknown";
}

bool is_in_the_system(const std::filesystem::path& path) {
  const std::string text = path.string();
  return text.starts_with("/usr/") || text.starts_with("/bin/");
}

// Every load of every round links anew. gold takes a quarter of the time that the usual linker spends on libstdc++'s
// symbols. Only for the system's own compilers: others bring library folders in which gold has been seen to give up.
std::string quickest_linker_flag(const std::filesystem::path& compiler) {
  const auto gold = find_program("ld.gold");
  return gold && is_in_the_system(*gold) && is_in_the_system(compiler) ? "-fuse-ld=gold" : "";
}

}  // namespace

Compiler describe_compiler(const std::filesystem::path& path, std::string_view version_text) {
  const std::string line(version_text.substr(0, version_text.find('\n')));
  const bool clang = line.find("clang") != std::string::npos;
  Compiler compiler{path, clang ? task::Compiler::clang : task::Compiler::gcc, {}, line, {}, {}};
  compiler.version = fmt::format("{} {}", clang ? "clang++" : "g++", version_number(line));
  return compiler;
}

namespace {

constexpr auto k_version_deadline = std::chrono::seconds(20);
constexpr size_t k_quoted_bytes = 512;

Error no_version(const std::filesystem::path& path, const Finished& finished) {
  std::string how = fmt::format("ended with {} and printed no version", finished.exit_status);
  if (finished.timed_out) how = "did not answer in time and was stopped";
  const std::string said = quote_untrusted(finished.errors, k_quoted_bytes);
  return {ErrorCode::environment,
          fmt::format("'{} --version' {}{}{}", path.string(), how, said.empty() ? "" : ": ", said),
          {},
          "candidates are built with it",
          "find out why that command fails here, or set HONE_CXX to another g++ or clang++"};
}

}  // namespace

Result<Compiler> find_compiler(Processes& processes) {
  HONE_TRY(const std::filesystem::path found, find_path());
  const auto path = std::filesystem::absolute(found);
  HONE_TRY(const Finished finished,
           processes.run({.argv = {path.string(), "--version"}, .deadline = k_version_deadline}));
  if (!finished.succeeded() || finished.output.empty()) return no_version(path, finished);
  Compiler compiler = describe_compiler(path, finished.output);
  compiler.linker_flag = quickest_linker_flag(compiler.path);
  compiler.cores = allowed_processors();
  return compiler;
}

namespace {

sandbox::Confinement confinement_of(const Compiler& compiler, const CompilerRun& run) {
  sandbox::Confinement confinement;
  confinement.profile = sandbox::Profile::build;
  confinement.program = compiler.path;
  confinement.argv = run.arguments;
  confinement.argv.insert(confinement.argv.begin(), compiler.path.string());
  // A compiler cache in front of the compiler would need a home; ours is keyed by content already.
  confinement.environment = {{"PATH", "/usr/bin:/bin"}, {"LANG", "C"}, {"CCACHE_DISABLE", "1"}};
  confinement.folder = run.folder;
  confinement.cores = compiler.cores;
  confinement.mounts = run.lent;
  const auto prefix = compiler.path.parent_path().parent_path();
  if (!is_in_the_system(compiler.path)) confinement.mounts.push_back({prefix, sandbox::Access::read_only});
  return confinement;
}

Result<sandbox::ConfinedOutcome> run_until(Nanoseconds until, const Compiler& compiler, const CompilerRun& run) {
  return sandbox::run_confined({.confinement = confinement_of(compiler, run),
                                .deadline = std::max(until - SystemClock().now(), Nanoseconds(1))});
}

// EAGAIN, as drivers of compilers quote it. A candidate can have it printed too, so it is a reason to look and no
// proof.
bool wanted_processes(const sandbox::ConfinedOutcome& outcome) {
  return !outcome.succeeded() && outcome.output.find("Resource temporarily unavailable") != std::string::npos;
}

// Compiles, assembles and links an empty text, which takes every part of a compiler and none of a candidate.
CompilerRun on_nothing(const CompilerRun& run) {
  CompilerRun nothing = run;
  nothing.arguments = {"-shared", "-nostdlib", "-x", "c++", "/dev/null", "-o", "/dev/null"};
  return nothing;
}

Error no_processes(const Compiler& compiler, const std::string& output) {
  return {ErrorCode::environment,
          fmt::format("{} could not start its parts: {}", compiler.path.string(),
                      quote_untrusted(trim(output), k_quoted_bytes)),
          {},
          "this machine gives no more processes, and a candidate would be blamed for it",
          "end some, or raise the limit: ulimit -u 4096"};
}

}  // namespace

Result<sandbox::ConfinedOutcome> run_compiler(const Compiler& compiler, const CompilerRun& run) {
  const Nanoseconds until = SystemClock().now() + run.deadline;
  HONE_TRY(auto outcome, run_until(until, compiler, run));
  if (!wanted_processes(outcome)) return outcome;
  HONE_TRY(const auto nothing, run_until(until, compiler, on_nothing(run)));
  if (wanted_processes(nothing)) return no_processes(compiler, nothing.output);
  return run_until(until, compiler, run);
}

}  // namespace hone::device::cpu
