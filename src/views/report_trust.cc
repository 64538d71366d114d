#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "diagnose/remaining.h"
#include "sandbox/layers.h"
#include "views/figures.h"
#include "views/markdown.h"
#include "views/report_page.h"
#include "views/report_sections.h"
#include "views/words.h"

namespace hone::views {

namespace {

struct TrustLine {
  std::string_view trust;
  std::string_view meaning;
};
constexpr TrustLine k_trust_lines[] = {
    {"device-only",
     "device-only: the candidate has no host code; times are device events, checked against the judge's own clock."},
    {"host-code",
     "host-code: the candidate runs as native code in a confined process that is frozen outside its own launches; "
     "times are the "
     "judge's own clock around each launch."},
};

std::string trust_text(const std::string& trust) {
  for (const TrustLine& line : k_trust_lines) {
    if (line.trust == trust) return std::string(line.meaning);
  }
  return inline_text(trust);
}

// What is not there, and what that means for this verdict.
std::string absent_layers(const std::vector<std::string>& active) {
  const sandbox::LayerSet missing = sandbox::missing_from(sandbox::set_of(active));
  const auto names = sandbox::names(missing);
  std::string out = bullet("Confinement absent: " + (names.empty() ? "none" : join(names, ", ")));
  for (const sandbox::LayerRow& row : sandbox::layer_rows()) {
    if (missing.has(row.layer)) out += bullet(fmt::format("Without {}: {}", name_of(row.layer), row.without));
  }
  return out;
}

std::string active_layers(const std::vector<std::string>& active) {
  return active.empty() ? "none" : inline_text(join(active, ", "), k_text_cap_bytes);
}

std::string cores_text(const std::vector<int>& cores) {
  std::vector<std::string> parts;
  for (const int core : cores) parts.push_back(std::to_string(core));
  return join(parts, ", ");
}

std::string pins_text(const campaign::Pins& pins) {
  std::string out = bullet("Toolchain: " + inline_text(pins.toolchain));
  out += bullet("Compile options of the contract: " + (pins.flags.empty() ? "none" : inline_text(pins.flags)));
  if (pins.headers) out += bullet("Headers outside the task: " + inline_text(*pins.headers));
  if (!pins.cores.empty()) out += bullet("Pinned to cores: " + cores_text(pins.cores));
  out += bullet(fmt::format("Judge {}, rule {}, hone {}", inline_text(pins.judge_version),
                            short_digest(pins.rule_digest), inline_text(pins.hone_version)));
  return out;
}

std::string selftest_text(const campaign::State& state) {
  const auto said = state.session ? state.session->selftest : std::nullopt;
  return bullet("Selftest of the judge on this device: " +
                (said ? inline_text(*said) : std::string("none when the session began; `hone selftest` runs one")));
}

std::string correctness_text(const campaign::Correctness& one) {
  return bullet(
      fmt::format("Correctness of the best version: {} trials over {} cases, {} elements compared, {} launches "
                  "checked against the oracle, {} against their pair",
                  one.trials, one.cases, one.elements_compared, one.launches_checked_against_oracle,
                  one.launches_checked_against_pair));
}

}  // namespace

std::string trust_section(const Story& story) {
  std::string out;
  if (const Step* best = story.best()) {
    const campaign::Verdict& verdict = best->verdict;
    out += bullet("Trust level: " + trust_text(verdict.trust));
    out += bullet("Confinement in force: " + active_layers(verdict.layers));
    out += absent_layers(verdict.layers);
    if (verdict.correctness) out += correctness_text(*verdict.correctness);
    for (const std::string& note : verdict.notes) out += bullet("Note: " + inline_text(note));
  }
  if (story.state->pins) out += pins_text(*story.state->pins) + selftest_text(*story.state);
  return out.empty() ? "" : out + "\n";
}

namespace {

std::string tier_list(const std::vector<int>& tiers) {
  std::vector<std::string> parts;
  for (const int tier : tiers) parts.push_back(std::to_string(tier));
  return parts.empty() ? "none" : join(parts, ", ");
}

std::set<int> tried_tiers(const campaign::State& state) {
  std::set<int> tried;
  for (const campaign::Experiment& one : state.experiments) tried.insert(one.started.tier);
  return tried;
}

// Tiers of the diagnosis, and those that the contract's own tunables name.
std::vector<int> known_tiers(const Story& story, const std::set<int>& tried) {
  std::set<int> tiers = tried;
  if (story.state->diagnosis)
    tiers.insert(story.state->diagnosis->tier_order.begin(), story.state->diagnosis->tier_order.end());
  for (const task::Parameter& parameter : story.task->parameters) tiers.insert(parameter.tier);
  return {tiers.begin(), tiers.end()};
}

std::string distance_text(const std::optional<double>& gap) {
  return gap ? fmt::format("{} of the floor reached, {} left", percent(1 - *gap), percent(*gap))
             : "no floor is known; `hone calibrate` measures one";
}

diagnose::Remaining what_is_left(const Story& story) {
  const std::set<int> tried = tried_tiers(*story.state);
  diagnose::Diagnosis diagnosis;
  if (const auto fraction = final_figures(story).best.fraction_of_floor()) diagnosis.gap_fraction = 1 - *fraction;
  diagnosis.tiers = known_tiers(story, tried);
  if (story.state->diagnosis) diagnosis.flags = story.state->diagnosis->warnings;
  return diagnose::what_remains(diagnosis, tried, story.task->work.kind);
}

std::string redesign_text(const diagnose::Remaining& left) {
  if (!left.algorithmic_redesign) return "";
  std::string out =
      bullet(fmt::format("Suggestion: algorithmic redesign (tier 3); the gap is more than {} and no flag is open",
                         percent(diagnose::k_redesign_gap_fraction, 0)));
  for (const std::string& pattern : left.patterns) out += bullet("Pattern of tier 3: " + pattern);
  return out;
}

}  // namespace

std::string remaining_section(const Story& story) {
  if (!story.best()) return "";
  const diagnose::Remaining left = what_is_left(story);
  std::string out = bullet("Distance: " + distance_text(left.gap_fraction));
  out += bullet("Tiers tried: " + tier_list(left.tiers_tried));
  out += bullet("Tiers not tried: " + tier_list(left.tiers_untried));
  out += bullet(fmt::format("Parked branches: {}", story.state->parked.size()));
  for (const std::string& flag : left.open_flags) out += bullet("Open flag: " + inline_text(flag));
  out += redesign_text(left);
  const std::string command = command_to_go_on(*story.state);
  return out + (command.empty() ? "" : bullet(fmt::format("To go on: `{} -C FOLDER`", command))) + "\n";
}

std::string foreign_text_section(const Story& story) {
  std::string out;
  for (const Attempt& attempt : story.attempts) {
    if (!attempt.verdict || attempt.verdict->details.empty()) continue;
    out += quoted_block(attempt.verdict->details,
                        fmt::format("output of experiment {}, {}", attempt.experiment->started.experiment,
                                    name_of(attempt.verdict->outcome)));
  }
  return out;
}

namespace {

std::string seconds_text(double seconds) { return seconds > 0 ? human_time(seconds) : "none"; }

}  // namespace

std::string log_section(const Story& story) {
  const campaign::State& state = *story.state;
  std::string out =
      bullet(fmt::format("Events: {}, head {}", state.sequence, state.head.empty() ? "unknown" : state.head));
  out += bullet(fmt::format("Sessions: {}, device time: {}", state.sessions, seconds_text(state.spent_device_seconds)));
  if (state.wall_seconds > 0)
    out += bullet(fmt::format("Time: {} in all, {} of it hone's own", human_time(state.wall_seconds),
                              percent(state.own_seconds / state.wall_seconds)));
  return out + "\n";
}

}  // namespace hone::views
