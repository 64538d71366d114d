#include "device/cpu/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/disk.h"
#include "base/text.h"
#include "device/cpu/link.h"
#include "device/cpu/object_symbols.h"
#include "device/cpu/returns.h"
#include "sandbox/own_limits.h"

namespace hone::device::cpu {

namespace {

constexpr size_t k_message_cap_bytes = 64 << 10;
constexpr uint64_t k_output_cap_bytes = 256ull << 20;
constexpr const char* k_key_format = "hone.artefact/2";

CompileOutcome failed(CompileFault fault, const std::string& explanation, const std::string& messages) {
  return {std::nullopt, fault, quote_untrusted(messages, k_message_cap_bytes), Nanoseconds(0), explanation};
}

// ---- what is asked ----

std::vector<std::string> flags_of(const Compiler& compiler, const CompileRequest& request) {
  std::vector<std::string> flags{"-fPIC", "-fvisibility=default", "-fno-lto"};
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
std::string text_name(size_t index) { return fmt::format("{}.i", index); }

bool stays_inside(const fs::path& path) {
  const auto normal = path.lexically_normal();
  return !path.empty() && path.is_relative() && normal.begin()->string() != "..";
}

// ---- building ----

// What a small kernel's build needs at most; less is this machine's fault, and must not be blamed on a candidate.
constexpr uint64_t k_room_bytes = 16ull << 20;

Status enough_room(const fs::path& cache) {
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
  HONE_CHECK(sandbox::limits_suffice_for(sandbox::Purpose::judging));
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

// A source becomes an object, and then the text that the compiler read for it: under the same flags, so that nothing
// reads differently.
struct Step {
  std::vector<std::string> flags;
  std::string (*output)(size_t);
};
const Step k_compile{{"-c"}, object_name};
const Step k_preprocess{{"-E", "-P"}, text_name};

std::vector<std::string> arguments_for(const Compiler& compiler, const CompileRequest& request,
                                       const Workshop& workshop, const Step& step, size_t index) {
  const std::string& source = request.sources[index];
  std::vector<std::string> arguments = flags_of(compiler, request);
  arguments.insert(arguments.end(), step.flags.begin(), step.flags.end());
  const std::string output = (workshop.objects() / step.output(index)).string();
  const std::vector<std::string> rest{"-I.", is_c(source) ? "-xc" : "-std=c++20", source, "-o", output};
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

// The compiler works inside the source folder, so that its lines read "kernel.cpp:12:3: error".
CompilerRun run_of(std::vector<std::string> arguments, const Workshop& workshop, Nanoseconds deadline) {
  return {std::move(arguments),
          workshop.source(),
          {{workshop.source(), sandbox::Access::read_only}, {workshop.objects(), sandbox::Access::read_write}},
          deadline};
}

// Every source through one step, until the time `until`.
Result<Built> run_step(const Compiler& compiler, const CompileRequest& request, const Workshop& workshop,
                       const Step& step, Nanoseconds until) {
  Built built;
  for (size_t i = 0; i < request.sources.size(); ++i) {
    const Nanoseconds left = std::max(until - SystemClock().now(), Nanoseconds(1));
    HONE_TRY(const auto outcome,
             run_compiler(compiler, run_of(arguments_for(compiler, request, workshop, step, i), workshop, left)));
    built.messages += outcome.output;
    if (outcome.how == sandbox::ConfinedOutcome::How::timed_out)
      return Built{CompileFault::timeout, built.messages, too_late_message(request.deadline)};
    if (!outcome.succeeded()) return Built{CompileFault::compile_error, built.messages, ""};
  }
  return built;
}

// Outputs were written by a process that read hostile files: no link is followed, nothing but a file is read.
Result<std::string> read_output(const fs::path& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!fd || fstat(fd.get(), &info) != 0) return io_error("read the output", path, errno);
  if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > k_output_cap_bytes)
    return Error{ErrorCode::refused,
                 fmt::format("what its compiler wrote is no file of at most {}", human_bytes(k_output_cap_bytes))};
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  if (pread(fd.get(), bytes.data(), bytes.size(), 0) != info.st_size) return io_error("read the output", path, EIO);
  return bytes;
}

Result<std::vector<std::string>> read_outputs(const fs::path& folder, const Step& step, size_t count) {
  std::vector<std::string> outputs;
  for (size_t i = 0; i < count; ++i) {
    HONE_TRY(std::string bytes, read_output(folder / step.output(i)));
    outputs.push_back(std::move(bytes));
  }
  return outputs;
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

constexpr const char* k_messages_file = "messages.txt";
constexpr const char* k_returns_file = "returns.txt";

// What a build leaves behind.
struct Product {
  std::vector<std::string> objects;
  Returns returns = Returns::status;
  std::string messages;
};

CompileOutcome outcome_at(const fs::path& folder, Product product) {
  Artefact artefact{digest_of(product.objects), product.returns, folder, {}};
  for (size_t i = 0; i < product.objects.size(); ++i) artefact.objects.push_back(object_name(i));
  return {std::move(artefact), std::nullopt, std::move(product.messages), Nanoseconds(0)};
}

std::optional<CompileOutcome> cached(const fs::path& folder, const CompileRequest& request) {
  if (!path_exists(folder)) return std::nullopt;
  auto objects = read_outputs(folder, k_compile, request.sources.size());
  auto messages = read_file(folder / k_messages_file);
  const auto said = read_file(folder / k_returns_file);
  const auto returns = said ? value_of<Returns>(*said) : std::nullopt;
  if (!objects || !messages || !returns) return std::nullopt;
  return outcome_at(folder, {std::move(*objects), *returns, std::move(*messages)});
}

Status store(const fs::path& folder, const Product& product) {
  Disk disk;
  const fs::path cache = folder.parent_path().parent_path();
  HONE_TRY(const TemporaryFolder fresh, TemporaryFolder::make(builds_folder(cache), fmt::format("{}-", getpid())));
  const fs::path ready = fresh.path() / "ready";
  HONE_CHECK(disk.make_directories(ready));
  for (size_t i = 0; i < product.objects.size(); ++i)
    HONE_CHECK(write_file(disk, ready / object_name(i), product.objects[i]));
  HONE_CHECK(write_file(disk, ready / k_messages_file, product.messages));
  HONE_CHECK(write_file(disk, ready / k_returns_file, name_of(product.returns)));
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

Error left_nothing(const Compiler& compiler, Error cause) {
  return Error{ErrorCode::environment,
               fmt::format("{} ended well and left no output", compiler.path.string()),
               {},
               "",
               "set HONE_CXX to a working g++ or clang++"}
      .because(std::move(cause));
}

// One step's outputs, or why the candidate has none.
struct Outputs {
  std::vector<std::string> bytes;
  Built built;
};

Result<Outputs> outputs_of(const Compiler& compiler, const CompileRequest& request, const Workshop& workshop,
                           const Step& step, Nanoseconds until) {
  HONE_TRY(Built built, run_step(compiler, request, workshop, step, until));
  if (built.fault) return Outputs{{}, std::move(built)};
  auto bytes = read_outputs(workshop.objects(), step, request.sources.size());
  if (bytes) return Outputs{std::move(*bytes), std::move(built)};
  if (bytes.error().code != ErrorCode::refused) return left_nothing(compiler, bytes.error());
  return Outputs{{}, {CompileFault::compile_error, std::move(built.messages), bytes.error().what}};
}

CompileOutcome failed(const Built& built) { return failed(*built.fault, built.explanation, built.messages); }

Result<CompileOutcome> build(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request,
                             const fs::path& folder) {
  const Nanoseconds until = SystemClock().now() + request.deadline;
  HONE_TRY(const Workshop workshop, open_workshop(place, request));
  HONE_TRY(Outputs compiled, outputs_of(compiler, request, workshop, k_compile, until));
  if (compiled.built.fault) return failed(compiled.built);
  const std::string& messages = compiled.built.messages;
  if (const auto missing = missing_entry(compiled.bytes, request.entry))
    return failed(CompileFault::no_entry, *missing, messages);
  // Linked once for its messages alone: what is undefined is the author's error now, not a puzzle at load time.
  HONE_TRY(const LinkOutcome linked, try_link(compiler, place, request, workshop));
  if (!linked.library) return failed(CompileFault::compile_error, "", messages + linked.messages);
  HONE_TRY(const Outputs read, outputs_of(compiler, request, workshop, k_preprocess, until));
  if (read.built.fault) return failed(read.built);
  Product product{std::move(compiled.bytes), returns_of(read.bytes, request.entry),
                  quote_untrusted(messages, k_message_cap_bytes)};
  HONE_CHECK(store(folder, product));
  return outcome_at(folder, std::move(product));
}

}  // namespace

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
