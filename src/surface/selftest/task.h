// The task that `hone selftest` judges: a kernel whose time is proportional to a tunable and whose answer does not
// depend on it.
#pragma once

#include "base/disk.h"

namespace hone::cli {

// Writes task.toml, kernel.cpp and reference.cpp. EXTRA = thousandths of additional work.
Status write_selftest_task(Disk& disk, const fs::path& folder);

}  // namespace hone::cli
