// The role "build-cuda": source to a cubin and its PTX, by NVRTC (device/launcher/toolchain.h).
#include <fmt/format.h>

#include "base/disk.h"
#include "device/cuda/nvrtc_library.h"
#include "device/launcher/toolchain.h"

namespace hone::device::launcher {

namespace {

using cuda::NvrtcLibrary;
using cuda::NvrtcProgram;
using cuda::NvrtcStatus;

int say(const std::string& text, int status) {
  fmt::print(stderr, "{}", text);
  return status;
}

// One of a program's texts or binaries; empty where there is none.
std::string part_of(NvrtcProgram program, NvrtcStatus (*size_of)(NvrtcProgram, size_t*),
                    NvrtcStatus (*read)(NvrtcProgram, char*)) {
  size_t size = 0;
  if (size_of(program, &size) != NvrtcStatus::success || size == 0) return {};
  std::string part(size, '\0');
  return read(program, part.data()) == NvrtcStatus::success ? part : std::string();
}

bool put(const fs::path& file, std::string_view bytes) {
  Disk disk;
  return write_file(disk, file, std::string(bytes)).has_value();
}

NvrtcStatus compile(const NvrtcLibrary& library, NvrtcProgram program, int argc, char** argv) {
  const std::vector<const char*> flags(argv, argv + argc);
  return library.compile_program(program, argc, flags.data());
}

}  // namespace

int build_cuda_main(int argc, char** argv) {
  const auto source = read_file(k_whole_source);
  if (argc < 3 || !source) return k_cannot_compile;
  const auto library = NvrtcLibrary::open({argv[0]});
  if (!library) return say(to_text(library.error()), k_cannot_compile);
  NvrtcProgram program = nullptr;
  if (library->create_program(&program, source->c_str(), k_whole_source, 0, nullptr, nullptr) != NvrtcStatus::success)
    return k_cannot_compile;
  const NvrtcStatus status = compile(*library, program, argc - 3, argv + 3);
  fmt::print(stderr, "{}", part_of(program, library->get_program_log_size, library->get_program_log).c_str());
  if (status == NvrtcStatus::compilation) return k_does_not_compile;
  if (status != NvrtcStatus::success)
    return say(fmt::format("{}\n", library->get_error_string(status)), k_cannot_compile);
  const std::string cubin = part_of(program, library->get_cubin_size, library->get_cubin);
  const std::string ptx = part_of(program, library->get_ptx_size, library->get_ptx);
  const fs::path output = argv[2];
  return !cubin.empty() && put(output / k_cubin, cubin) && put(output / k_ptx, ptx.c_str()) ? 0 : k_cannot_compile;
}

}  // namespace hone::device::launcher
