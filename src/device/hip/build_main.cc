// The role "build-hip": source to a code object, by hiprtc (device/launcher/toolchain.h).
#include <fmt/format.h>

#include "base/disk.h"
#include "device/hip/hiprtc_library.h"
#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

namespace {

using hip::HiprtcLibrary;
using hip::HiprtcProgram;
using hip::HiprtcStatus;

int say(const std::string& text, int status) {
  fmt::print(stderr, "{}", text);
  return status;
}

// A program's log or its code; empty where there is none.
std::string part_of(HiprtcProgram program, HiprtcStatus (*size_of)(HiprtcProgram, size_t*),
                    HiprtcStatus (*read)(HiprtcProgram, char*)) {
  size_t size = 0;
  if (size_of(program, &size) != HiprtcStatus::success || size == 0) return {};
  std::string part(size, '\0');
  return read(program, part.data()) == HiprtcStatus::success ? part : std::string();
}

HiprtcStatus compile(const HiprtcLibrary& library, HiprtcProgram program, int argc, char** argv) {
  const std::vector<const char*> flags(argv, argv + argc);
  return library.compile_program(program, argc, flags.data());
}

}  // namespace

int build_hip_main(int argc, char** argv) {
  const auto source = read_file(k_whole_source);
  if (argc < 3 || !source) return k_cannot_compile;
  const auto library = HiprtcLibrary::open({argv[0]});
  if (!library) return say(to_text(library.error()), k_cannot_compile);
  HiprtcProgram program = nullptr;
  if (const Status made = library->check(
          library->create_program(&program, source->c_str(), k_whole_source, 0, nullptr, nullptr), "take the source");
      !made)
    return say(to_text(made.error()), k_cannot_compile);
  const HiprtcStatus status = compile(*library, program, argc - 3, argv + 3);
  fmt::print(stderr, "{}", part_of(program, library->get_program_log_size, library->get_program_log).c_str());
  if (status == HiprtcStatus::compilation) return k_does_not_compile;
  if (const Status compiled = library->check(status, "compile"); !compiled)
    return say(to_text(compiled.error()), k_cannot_compile);
  const std::string code = part_of(program, library->get_code_size, library->get_code);
  Disk disk;
  return !code.empty() && write_file(disk, fs::path(argv[2]) / k_code_object, code) ? 0 : k_cannot_compile;
}

}  // namespace hone::device::launcher
