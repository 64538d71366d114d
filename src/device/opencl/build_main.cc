// The role "build-opencl": source to the device's own binary (device/launcher/toolchain.h).
#include <fmt/format.h>

#include "base/disk.h"
#include "base/text.h"
#include "device/launcher/toolchain.h"
#include "device/opencl/programs.h"

namespace hone::device::launcher {

namespace {

Result<std::string> build(const std::string& device, const std::string& source, const std::string& flags,
                          std::string& log) {
  HONE_TRY(const auto library, opencl::OpenclLibrary::open());
  HONE_TRY(const opencl::Chosen chosen, opencl::choose_device(library, device));
  return opencl::build_binary(library, chosen.device, source, flags, log);
}

}  // namespace

int build_opencl_main(int argc, char** argv) {
  const auto source = read_file(k_whole_source);
  if (argc < 3 || !source) return k_cannot_compile;
  std::string log;
  const auto binary = build(argv[1], *source, join(std::vector<std::string>(argv + 3, argv + argc), " "), log);
  fmt::print(stderr, "{}", log);
  if (!binary && binary.error().code == ErrorCode::refused) return k_does_not_compile;
  if (!binary) {
    fmt::print(stderr, "{}", to_text(binary.error()));
    return k_cannot_compile;
  }
  Disk disk;
  return write_file(disk, fs::path(argv[2]) / k_program, *binary) ? 0 : k_cannot_compile;
}

}  // namespace hone::device::launcher
