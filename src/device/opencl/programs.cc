#include "device/opencl/programs.h"

namespace hone::device::opencl {

namespace {

std::string build_log(const OpenclLibrary& cl, Program program, Device device) {
  size_t size = 0;
  if (cl.get_program_build_info(program, device, BuildInfo::log, 0, nullptr, &size) != ClStatus::success) return {};
  std::string log(size, '\0');
  cl.get_program_build_info(program, device, BuildInfo::log, log.size(), log.data(), nullptr);
  return std::string(log.c_str());
}

}  // namespace

Result<std::string> binary_of(const OpenclLibrary& cl, Program program) {
  size_t size = 0;
  HONE_CHECK(cl.check(cl.get_program_info(program, ProgramInfo::binary_sizes, sizeof size, &size, nullptr),
                      "read the size of the program"));
  std::string binary(size, '\0');
  char* at = binary.data();
  HONE_CHECK(
      cl.check(cl.get_program_info(program, ProgramInfo::binaries, sizeof at, &at, nullptr), "read the program"));
  return binary;
}

Result<Context> make_context(const OpenclLibrary& library, Device device) {
  ClStatus status = ClStatus::success;
  const Context context = library.create_context(nullptr, 1, &device, nullptr, nullptr, &status);
  HONE_CHECK(library.check(status, "make a context on the device"));
  return context;
}

Result<Program> program_of(const OpenclLibrary& library, Context context, Device device, std::string_view binary) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  ClStatus each = ClStatus::success;
  ClStatus status = ClStatus::success;
  const Program program = library.create_program_with_binary(context, 1, &device, &size, &bytes, &each, &status);
  HONE_CHECK(library.check(status, "load the program"));
  if (auto built = library.check(library.build_program(program, 1, &device, "", nullptr, nullptr), "link the program");
      !built) {
    library.release_program(program);
    return built.error();
  }
  return program;
}

Result<std::string> build_binary(const OpenclLibrary& library, Device device, const std::string& source,
                                 const std::string& options, std::string& log) {
  HONE_TRY(const Context context, make_context(library, device));
  ClStatus status = ClStatus::success;
  const char* text = source.data();
  const size_t size = source.size();
  const Program program = library.create_program_with_source(context, 1, &text, &size, &status);
  HONE_CHECK(library.check(status, "take the source"));
  status = library.build_program(program, 1, &device, options.c_str(), nullptr, nullptr);
  log = build_log(library, program, device);
  if (status == ClStatus::build_program_failure) return Error{ErrorCode::refused, "it does not compile"};
  HONE_CHECK(library.check(status, "build the program"));
  return binary_of(library, program);
}

}  // namespace hone::device::opencl
