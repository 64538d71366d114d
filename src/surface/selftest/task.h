// The task that `hone selftest` judges: a kernel whose time is proportional to a tunable and whose answer does not
// depend on it, in the language of the device that is asked about.
#pragma once

#include "base/clock.h"
#include "base/disk.h"
#include "task/types.h"

namespace hone::cli {

// Of a launch on this kind of device where nobody says how long it is to be: what a launch with its duties is most
// often made for.
Nanoseconds usual_length(task::Language language);

// Writes task.toml, the kernel (cpp, cuda or opencl) and reference.cpp. EXTRA = thousandths of additional work on top
// of about `length`. The reference and the numbers are the same in every language.
Status write_selftest_task(Disk& disk, const fs::path& folder, task::Language language, Nanoseconds length);

}  // namespace hone::cli
