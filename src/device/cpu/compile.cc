#include "device/cpu/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/disk.h"
#include "base/text.h"
#include "device/cpu/link.h"
#include "device/cpu/object_symbols.h"
#include "device/cpu/returns.h"
#include "device/workshop.h"

namespace hone::device::cpu {

namespace {

constexpr size_t k_message_cap_bytes = 64 << 10;
constexpr const char* k_key_format = "hone.artefact/3";

CompileOutcome failed(CompileFault fault, const std::string& explanation, const std::string& messages) {
  return {std::nullopt, fault, quote_untrusted(messages, k_message_cap_bytes), Nanoseconds(0), explanation};
}

// ---- what is asked ----

std::vector<std::string> flags_of(const Compiler& compiler, const CompileRequest& request) {
  std::vector<std::string> flags{"-fPIC", "-fvisibility=default", "-fno-lto"};
  for (std::string& flag : task::flags_for(request.options, compiler.kind)) flags.push_back(std::move(flag));
  for (const auto& [name, value] : request.macros) flags.push_back(fmt::format("-D{}={}", name, value));
  if (request.threads > 1) flags.emplace_back("-fopenmp");
  for (std::string& flag : include_flags(request.header_roots)) flags.push_back(std::move(flag));
  return flags;
}

// The functions that will be called.
std::vector<std::string> entries_of(const CompileRequest& request) {
  std::vector<std::string> entries{request.entry};
  for (const LaunchedKernel& one : request.launches) {
    if (std::ranges::find(entries, one.entry) == entries.end()) entries.push_back(one.entry);
  }
  return entries;
}

std::string key_of(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request) {
  Sha256 hash;
  hash.add_field(k_key_format).add_field(compiler.path.string()).add_field(compiler.version_line);
  hash.add_field(place.cpu_model);
  for (const std::string& entry : entries_of(request)) hash.add_field("entry").add_field(entry);
  for (const std::string& flag : flags_of(compiler, request)) hash.add_field(flag);
  for (const std::string& source : request.sources) hash.add_field("source").add_field(source);
  for (const task::CandidateFile& file : request.files)
    hash.add_field("file").add_field(file.path).add_field(file.bytes);
  add_to_key(hash, request.header_roots);
  return hash.finish().hex();
}

bool is_c(const std::string& source) { return source.ends_with(".c"); }

std::string object_name(size_t index) { return fmt::format("{}.o", index); }
std::string text_name(size_t index) { return fmt::format("{}.i", index); }

// ---- building ----

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
CompilerRun run_of(std::vector<std::string> arguments, const CompileRequest& request, const Workshop& workshop,
                   Nanoseconds deadline) {
  CompilerRun run{std::move(arguments), workshop.source(), header_mounts(request.header_roots), deadline};
  run.lent.push_back({workshop.source(), sandbox::Access::read_only});
  run.lent.push_back({workshop.objects(), sandbox::Access::read_write});
  return run;
}

// Every source through one step, until the time `until`.
Result<Built> run_step(const Compiler& compiler, const CompileRequest& request, const Workshop& workshop,
                       const Step& step, Nanoseconds until) {
  Built built;
  for (size_t i = 0; i < request.sources.size(); ++i) {
    const Nanoseconds left = std::max(until - SystemClock().now(), Nanoseconds(1));
    std::vector<std::string> arguments = arguments_for(compiler, request, workshop, step, i);
    HONE_TRY(const auto outcome, run_compiler(compiler, run_of(std::move(arguments), request, workshop, left)));
    built.messages += outcome.output;
    if (outcome.how == sandbox::ConfinedOutcome::How::timed_out)
      return Built{CompileFault::timeout, built.messages, too_late_message(request.deadline)};
    if (!outcome.succeeded()) return Built{CompileFault::compile_error, built.messages, ""};
  }
  return built;
}

std::vector<std::string> names_of(const Step& step, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(step.output(i));
  return names;
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
std::optional<std::string> missing_entry(const std::vector<std::string>& functions, const std::string& entry) {
  if (std::find(functions.begin(), functions.end(), entry) != functions.end()) return std::nullopt;
  const std::string mangled = fmt::format("_Z{}{}", entry.size(), entry);
  const bool is_cpp =
      std::any_of(functions.begin(), functions.end(), [&](const auto& name) { return name.starts_with(mangled); });
  const char* hint = is_cpp ? "it is there as a C++ function: declare it extern \"C\""
                            : "declare it extern \"C\", not static and not inline";
  return fmt::format("the sources define no function '{}': {}", entry, hint);
}

std::optional<std::string> missing_entry(const std::vector<std::string>& objects, const CompileRequest& request) {
  const std::vector<std::string> functions = functions_of(objects);
  for (const std::string& entry : entries_of(request)) {
    if (auto missing = missing_entry(functions, entry)) return missing;
  }
  return std::nullopt;
}

using ReturnsByEntry = std::map<std::string, Returns>;

// A line an entry: what it returns, then its name.
std::string text_of(const ReturnsByEntry& returns) {
  std::string text;
  for (const auto& [entry, one] : returns) text += fmt::format("{} {}\n", name_of(one), entry);
  return text;
}

std::optional<ReturnsByEntry> read_returns(std::string_view text) {
  ReturnsByEntry returns;
  for (const std::string_view line : split_lines(text)) {
    const size_t space = line.find(' ');
    const auto one = value_of<Returns>(line.substr(0, space));
    if (!one || space == std::string_view::npos) return std::nullopt;
    returns.emplace(line.substr(space + 1), *one);
  }
  return returns;
}

ReturnsByEntry returns_of(std::span<const std::string> preprocessed, const CompileRequest& request) {
  ReturnsByEntry returns;
  for (const std::string& entry : entries_of(request)) returns[entry] = cpu::returns_of(preprocessed, entry);
  return returns;
}

// ---- the cache ----

constexpr const char* k_messages_file = "messages.txt";
constexpr const char* k_returns_file = "returns.txt";

// What a build leaves behind.
struct Product {
  std::vector<std::string> objects;
  ReturnsByEntry returns;
  std::string messages;
};

CompileOutcome outcome_at(const fs::path& folder, Product product) {
  Artefact artefact{digest_of(product.objects), product.returns, folder, names_of(k_compile, product.objects.size())};
  return {std::move(artefact), std::nullopt, std::move(product.messages), Nanoseconds(0)};
}

std::optional<CompileOutcome> cached(const fs::path& folder, const CompileRequest& request) {
  if (!path_exists(folder)) return std::nullopt;
  auto objects = read_built(folder, names_of(k_compile, request.sources.size()));
  auto messages = read_file(folder / k_messages_file);
  const auto said = read_file(folder / k_returns_file);
  const auto returns = said ? read_returns(*said) : std::nullopt;
  if (!objects || !messages || !returns) return std::nullopt;
  return outcome_at(folder, {std::move(*objects), *returns, std::move(*messages)});
}

Status store(const fs::path& folder, const Product& product) {
  std::vector<BuiltFile> files{{k_messages_file, product.messages}, {k_returns_file, text_of(product.returns)}};
  for (size_t i = 0; i < product.objects.size(); ++i) files.push_back({object_name(i), product.objects[i]});
  return store_artefact(folder, files);
}

Result<LinkOutcome> try_link(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request,
                             const Workshop& workshop) {
  HONE_TRY(const TemporaryFolder output, TemporaryFolder::make(workshop.folder.path(), "link-"));
  const auto names = names_of(k_compile, request.sources.size());
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
  auto bytes = read_built(workshop.objects(), names_of(step, request.sources.size()));
  if (bytes) return Outputs{std::move(*bytes), std::move(built)};
  if (bytes.error().code != ErrorCode::refused) return left_nothing(compiler, bytes.error());
  return Outputs{{}, {CompileFault::compile_error, std::move(built.messages), bytes.error().what}};
}

CompileOutcome failed(const Built& built) { return failed(*built.fault, built.explanation, built.messages); }

Result<CompileOutcome> build(const Compiler& compiler, const BuildPlace& place, const CompileRequest& request,
                             const fs::path& folder) {
  const Nanoseconds until = SystemClock().now() + request.deadline;
  HONE_TRY(const Workshop workshop, open_workshop(place.cache, request.files));
  HONE_TRY(Outputs compiled, outputs_of(compiler, request, workshop, k_compile, until));
  if (compiled.built.fault) return failed(compiled.built);
  const std::string& messages = compiled.built.messages;
  if (const auto missing = missing_entry(compiled.bytes, request))
    return failed(CompileFault::no_entry, *missing, messages);
  // Linked once for its messages alone: what is undefined is the author's error now, not a puzzle at load time.
  HONE_TRY(const LinkOutcome linked, try_link(compiler, place, request, workshop));
  if (!linked.library) return failed(CompileFault::compile_error, "", messages + linked.messages);
  HONE_TRY(const Outputs read, outputs_of(compiler, request, workshop, k_preprocess, until));
  if (read.built.fault) return failed(read.built);
  Product product{std::move(compiled.bytes), returns_of(read.bytes, request),
                  quote_untrusted(messages, k_message_cap_bytes)};
  // Its key says which headers it was built with.
  HONE_CHECK(require_unchanged(request.header_roots));
  HONE_CHECK(store(folder, product));
  return outcome_at(folder, std::move(product));
}

}  // namespace

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
