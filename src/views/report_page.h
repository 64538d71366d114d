// reports/report.md: the whole story of a campaign on one page, from its State and verdicts alone. Pure, no failure.
#pragma once

#include <string>

#include "views/story.h"

namespace hone::views {

std::string report_page(const Story& story);
// `hone resume …` that goes on from where the campaign stopped, or "" when there is nothing to resume.
std::string command_to_go_on(const campaign::State& state);

}  // namespace hone::views
