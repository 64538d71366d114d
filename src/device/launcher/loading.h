// Bringing binaries into a launcher: hone's own kernels first, then candidates'. Owns nothing.
// Failure: environment or io, as the launcher's; what is wrong with a candidate is a Fault. One thread.
#pragma once

#include <optional>
#include <string_view>

#include "device/launcher/launcher.h"

namespace hone::device::launcher {

struct Loaded {
  uint32_t arm = 0;
  std::optional<Fault> fault;
};

Result<Loaded> load_into(Launcher& launcher, std::string_view binary, const LoadRequest& request);
// A launcher takes nothing else before these.
Status load_duties(Launcher& launcher, std::string_view binary);

}  // namespace hone::device::launcher
