// experiments/README.md: the optimisation log of the tier face, with the published header block, table and final line,
// and hone's own status in one column more. Pure, no failure.
#pragma once

#include <string>

#include "views/story.h"

namespace hone::views {

std::string iteration_log(const Story& story);

}  // namespace hone::views
