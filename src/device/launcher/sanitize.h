// Launches of a candidate below compute-sanitizer: for each of its tools a launcher of its own, in the profile
// "sanitizer", with buffers that are their content and nothing else, since a checker sees what lies outside of an
// allocation and not what lies outside of a payload. The launcher's protocol serves as it is.
// Owns nothing that outlives a call. Failure: none that could decide something: a tool that is absent, does not start,
// takes too long or does not finish is a state and a note. One thread, as Launcher.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/launcher/launcher.h"

namespace hone::device::launcher {

struct SanitizerSetup {
  LauncherRequest launcher;
  std::string duties;                            // the binary of hone's own kernels
  std::optional<std::filesystem::path> program;  // compute-sanitizer; absent: it is not on this machine
};

// Tool after tool, until one finds something; without any time all are disabled.
std::vector<SanitizerRun> run_sanitizers(const SanitizerSetup& setup, std::span<const WatchedLaunch> launches,
                                         Nanoseconds limit);
SanitizerRun run_sanitizer(const SanitizerSetup& setup, SanitizerTool tool, std::span<const WatchedLaunch> launches,
                           Nanoseconds limit);

}  // namespace hone::device::launcher
