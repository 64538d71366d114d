// Keeps a campaign's folder out of the user's `git status` through .git/info/exclude, which no commit contains. Best
// effort: a folder outside of any repository, or one that git cannot name, needs nothing.
#pragma once

#include "base/disk.h"
#include "base/process.h"

namespace hone::loop {

void exclude_from_git(Processes& processes, Disk& disk, const fs::path& campaign_folder);

}  // namespace hone::loop
