#include "views/report_page.h"

#include <fmt/format.h>

#include "views/markdown.h"
#include "views/report_sections.h"
#include "views/views.h"

namespace hone::views {

namespace {

struct Section {
  std::string_view title;  // "" = part of the header
  std::string (*text)(const Story& story);
};

constexpr Section k_sections[] = {
    {"", header_section},
    {"What is proven", proof_section},
    {"Versions", versions_section},
    {"Times and floor", times_section},
    {"Experiments", experiments_section},
    {"What was searched", search_section},
    {"Parked branches and dead ends", parked_section},
    {"Comparisons and their error", ledger_section},
    {"Noise", noise_section},
    {"Trust", trust_section},
    {"What is left", remaining_section},
    {"Quoted output", foreign_text_section},
    {"Log", log_section},
};

struct Continuation {
  campaign::StopStatus status;
  std::string_view command;
};
constexpr Continuation k_continuations[] = {
    {campaign::StopStatus::max_iterations, "hone resume --max-iterations +5"},
    {campaign::StopStatus::plateau, "hone resume --max-iterations +5"},
    {campaign::StopStatus::budget, "hone resume --time 10m"},
    {campaign::StopStatus::exhausted, "hone resume --proposer manual"},
    {campaign::StopStatus::interrupted, "hone resume"},
};

}  // namespace

std::string command_to_go_on(const campaign::State& state) {
  std::string command = state.stopped ? "" : "hone resume";
  for (const Continuation& one : k_continuations) {
    if (state.stopped && one.status == state.terminal) command = one.command;
  }
  // The log keeps the hash of the hidden cases; where their file is, only its keeper knows.
  if (!command.empty() && state.pins && state.pins->hidden_cases) command += " --hidden FILE";
  return command;
}

std::string report_page(const Story& story) {
  std::string out;
  for (const Section& section : k_sections) {
    const std::string text = section.text(story);
    if (!text.empty() && !section.title.empty()) out += heading(2, section.title);
    out += text;
  }
  return out + fmt::format("View format {}: written by hone from log.jsonl; an edit here is lost.\n", k_view_format);
}

}  // namespace hone::views
