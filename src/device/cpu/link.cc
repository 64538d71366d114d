#include "device/cpu/link.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/text.h"

namespace hone::device::cpu {

namespace {

constexpr Nanoseconds k_link_deadline = std::chrono::seconds(60);

// A folder in which a confined tool may write, whoever it runs as.
Status open_to_confined(const fs::path& folder) {
  chmod(folder.c_str(), 0711);
  return sandbox::give_to_confined(folder);
}

std::string pad_source(uint64_t pad_bytes) {
  return fmt::format(".text\n.skip {}\n.section .note.GNU-stack,\"\",%progbits\n", pad_bytes);
}

Status assemble_pad(const LinkRequest& request, const fs::path& pad) {
  Disk disk;
  HONE_CHECK(disk.make_directories(request.pads_folder));
  HONE_TRY(const TemporaryFolder work, TemporaryFolder::make(request.pads_folder, ".pad-"));
  HONE_CHECK(write_file(disk, work.path() / "pad.s", pad_source(request.pad_bytes)));
  HONE_CHECK(open_to_confined(work.path()));
  const CompilerRun run{
      {"-c", "pad.s", "-o", "pad.o"}, work.path(), {{work.path(), sandbox::Access::read_write}}, k_link_deadline};
  const auto outcome = run_compiler(request.compiler, run);
  if (!outcome) return outcome.error();
  if (!outcome->succeeded())
    return Error{ErrorCode::environment,
                 "the assembler refused a file of padding: " + quote_untrusted(outcome->output, 1000)};
  HONE_TRY(const std::string bytes, read_file(work.path() / "pad.o"));
  return write_file(disk, pad, bytes);
}

Result<fs::path> pad_object(const LinkRequest& request) {
  const fs::path pad = request.pads_folder / fmt::format("pad-{}.o", request.pad_bytes);
  if (!path_exists(pad)) HONE_CHECK(assemble_pad(request, pad));
  return pad;
}

std::vector<std::string> arguments_for(const LinkRequest& request, const fs::path& pad, const fs::path& library) {
  std::vector<std::string> arguments{"-shared", "-o", library.string(), pad.string()};
  for (const std::string& object : request.objects) arguments.push_back(object);
  // Everything is resolved before the first launch, and nothing may be left for the loader to find elsewhere.
  for (const char* flag : {"-Wl,-z,now", "-Wl,-z,defs", "-Wl,-z,noexecstack", "-Wl,--build-id=none", "-lm"})
    arguments.emplace_back(flag);
  if (!request.compiler.linker_flag.empty()) arguments.push_back(request.compiler.linker_flag);
  if (request.threads > 1) arguments.emplace_back("-fopenmp");
  return arguments;
}

}  // namespace

Result<LinkOutcome> link(const LinkRequest& request) {
  HONE_TRY(const fs::path pad, pad_object(request));
  HONE_CHECK(open_to_confined(request.output_folder));
  const fs::path library = request.output_folder / "kernel.so";
  const CompilerRun run{arguments_for(request, pad, library),
                        request.objects_folder,
                        {{request.objects_folder, sandbox::Access::read_only},
                         {pad, sandbox::Access::read_only},
                         {request.output_folder, sandbox::Access::read_write}},
                        k_link_deadline};
  const auto outcome = run_compiler(request.compiler, run);
  if (!outcome) return outcome.error();
  if (!outcome->succeeded()) return LinkOutcome{std::nullopt, outcome->output};
  return LinkOutcome{library, outcome->output};
}

}  // namespace hone::device::cpu
