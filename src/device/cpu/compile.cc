#include "device/cpu/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/disk.h"
#include "base/text.h"
#include "device/cpu/link.h"
#include "device/cpu/object_symbols.h"
#include "sandbox/run_confined.h"
#include "task/cpp_tokens.h"

namespace hone::device::cpu {

namespace {

constexpr size_t k_message_cap_bytes = 64 << 10;
constexpr uint64_t k_object_cap_bytes = 256ull << 20;
constexpr const char* k_key_format = "hone.artefact/1";

CompileOutcome failed(CompileFault fault, const std::string& explanation, const std::string& messages) {
  return {std::nullopt, fault, quote_untrusted(messages, k_message_cap_bytes), Nanoseconds(0), explanation};
}

// ---- what is asked ----

std::vector<std::string> flags_of(const Compiler& compiler, const CompileRequest& request) {
  std::vector<std::string> flags{"-fPIC", "-c", "-fvisibility=default", "-fno-lto"};
  for (std::string& flag : task::flags_for(request.options, compiler.kind)) flags.push_back(std::move(flag));
  for (const auto& [name, value] : request.macros) flags.push_back(fmt::format("-D{}={}", name, value));
  if (request.threads > 1) flags.emplace_back("-fopenmp");
  return flags;
}

std::string key_of(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request) {
  Sha256 hash;
  hash.add_field(k_key_format).add_field(compiler.path.string()).add_field(compiler.version_line);
  hash.add_field(place.cpu_model).add_field(request.entry);
  for (const std::string& flag : flags_of(compiler, request)) hash.add_field(flag);
  for (const std::string& source : request.sources) hash.add_field("source").add_field(source);
  for (const task::CandidateFile& file : request.files)
    hash.add_field("file").add_field(file.path).add_field(file.bytes);
  return hash.finish().hex();
}

bool is_c(const std::string& source) { return source.ends_with(".c"); }

std::string object_name(size_t index) { return fmt::format("{}.o", index); }

bool stays_inside(const fs::path& path) {
  const auto normal = path.lexically_normal();
  return !path.empty() && path.is_relative() && normal.begin()->string() != "..";
}

// ---- building ----

// What a small kernel's build needs at most; less is this machine's fault, and must not be blamed on a candidate.
constexpr uint64_t k_room_bytes = 16ull << 20;

Status enough_room(const fs::path& cache) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < k_room_bytes)
    return Error{ErrorCode::environment,
                 fmt::format("files may have {} at most here", human_bytes(limit.rlim_cur)),
                 {},
                 "a compiler could not write its output, and a candidate would be blamed for it",
                 "raise the limit: ulimit -f unlimited"};
  struct statvfs disk {};
  const bool known = statvfs(cache.c_str(), &disk) == 0;
  if (known && disk.f_bavail * disk.f_frsize < k_room_bytes)
    return Error{
        ErrorCode::environment,
        fmt::format("the file system of {} has {} left", cache.string(), human_bytes(disk.f_bavail * disk.f_frsize)),
        {},
        "a compiler could not write its output, and a candidate would be blamed for it",
        "free some space there, or set XDG_CACHE_HOME to another folder"};
  return ok();
}

// A build's folders: sources it may read, objects it may write.
struct Workshop {
  TemporaryFolder folder;
  fs::path source() const { return folder.path() / "source"; }
  fs::path objects() const { return folder.path() / "objects"; }
};

Status write_sources(Disk& disk, const Workshop& workshop, const CompileRequest& request) {
  for (const task::CandidateFile& file : request.files) {
    if (!stays_inside(file.path))
      return Error{ErrorCode::contract, fmt::format("'{}' leaves the candidate's folder", file.path)};
    const fs::path path = workshop.source() / file.path;
    HONE_CHECK(disk.make_directories(path.parent_path()));
    HONE_CHECK(write_file(disk, path, file.bytes));
  }
  return ok();
}

Result<Workshop> open_workshop(const BuildPlace& place, const CompileRequest& request) {
  Disk disk;
  HONE_CHECK(disk.make_directories(place.cache / "artefacts"));
  HONE_CHECK(disk.make_directories(builds_folder(place.cache)));
  HONE_CHECK(enough_room(place.cache));
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make(builds_folder(place.cache), fmt::format("{}-", getpid())));
  Workshop workshop{std::move(folder)};
  chmod(workshop.folder.path().c_str(), 0711);
  HONE_CHECK(disk.make_directories(workshop.source()));
  HONE_CHECK(disk.make_directories(workshop.objects()));
  HONE_CHECK(write_sources(disk, workshop, request));
  HONE_CHECK(sandbox::give_to_confined(workshop.objects()));
  return workshop;
}

std::vector<std::string> arguments_for(const Compiler& compiler, const CompileRequest& request,
                                       const Workshop& workshop, size_t index) {
  const std::string& source = request.sources[index];
  std::vector<std::string> arguments = flags_of(compiler, request);
  const std::string object = (workshop.objects() / object_name(index)).string();
  const std::vector<std::string> rest{"-I.", is_c(source) ? "-xc" : "-std=c++20", source, "-o", object};
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return arguments;
}

struct Built {
  std::optional<CompileFault> fault;
  std::string messages;
  std::string explanation;
};

std::string too_late_message(Nanoseconds deadline) {
  return fmt::format("the build took longer than {}", human_time(to_seconds(deadline)));
}

Result<Built> build_all(const Compiler& compiler, const CompileRequest& request, const Workshop& workshop) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + request.deadline;
  Built built;
  for (size_t i = 0; i < request.sources.size(); ++i) {
    // The compiler works inside the source folder, so that its lines read "kernel.cpp:12:3: error".
    HONE_TRY(const auto outcome,
             sandbox::run_confined({.confinement = confined_compiler(
                                        compiler, arguments_for(compiler, request, workshop, i), workshop.source(),
                                        {{workshop.source(), sandbox::Access::read_only},
                                         {workshop.objects(), sandbox::Access::read_write}}),
                                    .deadline = std::max(until - clock.now(), Nanoseconds(1))}));
    built.messages += outcome.output;
    if (outcome.how == sandbox::ConfinedOutcome::How::timed_out)
      return Built{CompileFault::timeout, built.messages, too_late_message(request.deadline)};
    if (!outcome.succeeded()) return Built{CompileFault::compile_error, built.messages, ""};
  }
  return built;
}

// Objects were written by a process that read hostile files: no link is followed, nothing but a file is read.
Result<std::string> read_object(const fs::path& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!fd || fstat(fd.get(), &info) != 0) return io_error("read the object", path, errno);
  if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > k_object_cap_bytes)
    return Error{ErrorCode::refused,
                 fmt::format("its object is no file of at most {}", human_bytes(k_object_cap_bytes))};
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  if (pread(fd.get(), bytes.data(), bytes.size(), 0) != info.st_size) return io_error("read the object", path, EIO);
  return bytes;
}

Result<std::vector<std::string>> read_objects(const fs::path& folder, size_t count) {
  std::vector<std::string> objects;
  for (size_t i = 0; i < count; ++i) {
    HONE_TRY(std::string bytes, read_object(folder / object_name(i)));
    objects.push_back(std::move(bytes));
  }
  return objects;
}

Digest digest_of(const std::vector<std::string>& objects) {
  Sha256 hash;
  for (const std::string& bytes : objects) hash.add_field(bytes);
  return hash.finish();
}

// ---- the entry ----

std::vector<std::string> functions_of(const std::vector<std::string>& objects) {
  std::vector<std::string> all;
  for (const std::string& bytes : objects) {
    for (std::string& name : exported_functions(bytes_of(bytes))) all.push_back(std::move(name));
  }
  return all;
}

// Absent when the entry is there. A C++ name of the same function is the usual reason, and worth a hint.
std::optional<std::string> missing_entry(const std::vector<std::string>& objects, const std::string& entry) {
  const std::vector<std::string> functions = functions_of(objects);
  if (std::find(functions.begin(), functions.end(), entry) != functions.end()) return std::nullopt;
  const std::string mangled = fmt::format("_Z{}{}", entry.size(), entry);
  const bool is_cpp =
      std::any_of(functions.begin(), functions.end(), [&](const auto& name) { return name.starts_with(mangled); });
  const char* hint = is_cpp ? "it is there as a C++ function: declare it extern \"C\""
                            : "declare it extern \"C\", not static and not inline";
  return fmt::format("the sources define no function '{}': {}", entry, hint);
}

// ---- the cache ----

Artefact artefact_at(const fs::path& folder, const CompileRequest& request, const std::vector<std::string>& objects) {
  Artefact artefact{digest_of(objects), returns_of(request), folder, {}};
  for (size_t i = 0; i < objects.size(); ++i) artefact.objects.push_back(object_name(i));
  return artefact;
}

std::optional<CompileOutcome> cached(const fs::path& folder, const CompileRequest& request) {
  if (!path_exists(folder)) return std::nullopt;
  const auto objects = read_objects(folder, request.sources.size());
  const auto messages = read_file(folder / "messages.txt");
  if (!objects || !messages) return std::nullopt;
  return CompileOutcome{artefact_at(folder, request, *objects), std::nullopt, *messages, Nanoseconds(0)};
}

Status store(const fs::path& folder, const std::vector<std::string>& objects, const std::string& messages) {
  Disk disk;
  const fs::path cache = folder.parent_path().parent_path();
  HONE_TRY(const TemporaryFolder fresh, TemporaryFolder::make(builds_folder(cache), fmt::format("{}-", getpid())));
  const fs::path ready = fresh.path() / "ready";
  HONE_CHECK(disk.make_directories(ready));
  for (size_t i = 0; i < objects.size(); ++i) HONE_CHECK(write_file(disk, ready / object_name(i), objects[i]));
  HONE_CHECK(write_file(disk, ready / "messages.txt", messages));
  // Somebody else may have built the same content in the meantime: either folder will do.
  const Status renamed = disk.rename(ready, folder);
  return renamed || path_exists(folder) ? ok() : renamed;
}

Result<LinkOutcome> try_link(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request,
                             const Workshop& workshop) {
  HONE_TRY(const TemporaryFolder output, TemporaryFolder::make(workshop.folder.path(), "link-"));
  std::vector<std::string> names;
  for (size_t i = 0; i < request.sources.size(); ++i) names.push_back(object_name(i));
  return link({compiler, workshop.objects(), names, request.threads, pads_folder(compiler, place), 0, output.path()});
}

Result<CompileOutcome> build(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request,
                             const fs::path& folder) {
  HONE_TRY(const Workshop workshop, open_workshop(place, request));
  HONE_TRY(const Built built, build_all(compiler, request, workshop));
  if (built.fault) return failed(*built.fault, built.explanation, built.messages);
  auto read = read_objects(workshop.objects(), request.sources.size());
  if (!read && read.error().code == ErrorCode::refused)
    return failed(CompileFault::compile_error, read.error().what, built.messages);
  if (!read)
    return Error{ErrorCode::environment,
                 fmt::format("{} ended well and left no object", compiler.path.string()),
                 {},
                 "",
                 "set HONE_CXX to a working g++ or clang++"}
        .because(read.error());
  const std::vector<std::string>& objects = *read;
  if (const auto missing = missing_entry(objects, request.entry))
    return failed(CompileFault::no_entry, *missing, built.messages);
  // Linked once for its messages alone: what is undefined is the author's error now, not a puzzle at load time.
  HONE_TRY(const LinkOutcome linked, try_link(compiler, place, request, workshop));
  if (!linked.library) return failed(CompileFault::compile_error, "", built.messages + linked.messages);
  const std::string messages = quote_untrusted(built.messages, k_message_cap_bytes);
  HONE_CHECK(store(folder, objects, messages));
  return CompileOutcome{artefact_at(folder, request, objects), std::nullopt, messages, Nanoseconds(0)};
}

// The token that opens what the one at `close` closes.
size_t opening_of(std::span<const task::CppToken> tokens, size_t close) {
  size_t depth = 0;
  for (size_t at = close + 1; at-- > 0;) {
    if (tokens[at].is(")")) ++depth;
    if (tokens[at].is("(") && --depth == 0) return at;
  }
  return 0;
}

// Whether the words in front of a function's name, back to the end of what stands before it, say "void". Attributes
// and casts stand in parentheses and say nothing of what it returns.
bool returns_void(std::span<const task::CppToken> tokens, size_t name) {
  for (size_t at = name; at-- > 0;) {
    if (tokens[at].is(")")) at = opening_of(tokens, at);
    if (tokens[at].is(";") || tokens[at].is("{") || tokens[at].is("}") || tokens[at].is("*") || tokens[at].is("="))
      return false;
    if (tokens[at].is("void")) return true;
  }
  return false;
}

bool declares_void(std::string_view text, std::string_view entry) {
  const std::vector<task::CppToken> tokens = task::cpp_tokens(text);
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].is(entry) && tokens[at + 1].is("(") && returns_void(tokens, at)) return true;
  }
  return false;
}

}  // namespace

Returns returns_of(const CompileRequest& request) {
  const auto says_void = [&](const task::CandidateFile& file) { return declares_void(file.bytes, request.entry); };
  return std::any_of(request.files.begin(), request.files.end(), says_void) ? Returns::nothing : Returns::status;
}

fs::path builds_folder(const fs::path& cache) { return cache / "builds"; }

fs::path pads_folder(const Compiler& compiler, const BuildPlace& place) {
  return place.cache / "pads" / sha256(compiler.path.string() + "\n" + compiler.version_line).short_hex();
}

Result<CompileOutcome> compile(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request) {
  const fs::path folder = place.cache / "artefacts" / key_of(compiler, place, request);
  if (auto hit = cached(folder, request)) return std::move(*hit);
  const SystemClock clock;
  const Nanoseconds start = clock.now();
  auto outcome = build(compiler, place, request, folder);
  if (outcome) outcome->took = clock.now() - start;
  return outcome;
}

}  // namespace hone::device::cpu
