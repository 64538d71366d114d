// The sections of reports/report.md, each a function of the Story that ends with an empty line; "" when there is
// nothing to say. Order and titles stand in report_page.cc. Pure, no failure.
#pragma once

#include <string>

#include "views/story.h"

namespace hone::views {

// report_result.cc: what was reached and how it is known
std::string header_section(const Story& story);
std::string proof_section(const Story& story);
std::string versions_section(const Story& story);
std::string times_section(const Story& story);

// report_search.cc: what was tried
std::string experiments_section(const Story& story);
std::string search_section(const Story& story);
std::string parked_section(const Story& story);
std::string ledger_section(const Story& story);
std::string noise_section(const Story& story);

// report_trust.cc: under which conditions, and what remains
std::string trust_section(const Story& story);
std::string remaining_section(const Story& story);
std::string foreign_text_section(const Story& story);
std::string log_section(const Story& story);

}  // namespace hone::views
