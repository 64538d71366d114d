#include <fmt/format.h>

#include "base/text.h"
#include "stats/rule.h"
#include "views/figures.h"
#include "views/markdown.h"
#include "views/report_sections.h"
#include "views/words.h"

namespace hone::views {

namespace {

std::vector<std::string> experiment_row(const campaign::Experiment& experiment) {
  const campaign::ExperimentStarted& started = experiment.started;
  return {std::to_string(started.experiment),
          std::to_string(started.tier),
          inline_text(started.change),
          inline_text(started.hypothesis),
          inline_text(started.expected),
          experiment.decided ? std::string(name_of(experiment.decided->outcome)) : "-",
          delta_text(experiment),
          own_status(experiment),
          experiment.decided ? inline_text(experiment.decided->reason) : ""};
}

}  // namespace

std::string experiments_section(const Story& story) {
  if (story.attempts.empty()) return "None.\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const Attempt& attempt : story.attempts) rows.push_back(experiment_row(*attempt.experiment));
  return "Changes, hypotheses and reasons are the proposer's words, shown escaped.\n\n" +
         table({"Experiment", "Tier", "Change", "Hypothesis", "Expected", "Outcome", "Delta", "Status", "Reason"},
               rows) +
         "\n";
}

namespace {

std::string outcome_counts(const std::map<std::string, uint64_t>& searched) {
  std::vector<std::string> parts;
  for (const auto& [outcome, count] : searched) parts.push_back(fmt::format("{} {}", count, inline_text(outcome)));
  return join(parts, ", ");
}

std::vector<std::string> search_row(const Attempt& attempt) {
  const campaign::Searched& searched = *attempt.experiment->searched;
  return {std::to_string(searched.experiment),
          inline_text(attempt.experiment->started.group),
          std::to_string(searched.configurations),
          outcome_counts(attempt.searched),
          searched.best_ratio ? fmt::format("{:.3f}", *searched.best_ratio) : "-",
          human_time(searched.device_seconds)};
}

}  // namespace

std::string search_section(const Story& story) {
  std::vector<std::vector<std::string>> rows;
  for (const Attempt& attempt : story.attempts) {
    if (attempt.experiment->searched) rows.push_back(search_row(attempt));
  }
  if (rows.empty()) return "";
  return "A search is evidence for the proposer, never a verdict. Best ratio = time over the incumbent's time.\n\n" +
         table({"Experiment", "Group", "Configurations", "Outcomes", "Best ratio", "Device time"}, rows) + "\n";
}

namespace {

std::string parked_line(const campaign::Experiment& experiment) {
  const campaign::Parked& parked = *experiment.parked;
  const std::string gain = parked.expected_gain ? signed_percent(*parked.expected_gain) : "unknown";
  const std::string fate = experiment.unparked ? "no longer parked: " + inline_text(*experiment.unparked)
                                               : fmt::format("expires after experiment {}", parked.expires_after);
  return bullet(fmt::format("Experiment {} ({}), parked: {}; enables {}; expected gain {}; {}", parked.experiment,
                            short_digest(parked.candidate), inline_text(parked.reason), inline_text(parked.enables),
                            gain, fate));
}

}  // namespace

std::string parked_section(const Story& story) {
  std::string out;
  for (const campaign::Experiment& experiment : story.state->experiments) {
    if (experiment.parked) out += parked_line(experiment);
  }
  for (const auto& [context, group] : story.state->dead_ends)
    out += bullet(fmt::format("Dead end from {}: {}", short_digest(context), inline_text(group)));
  return out.empty() ? "" : out + "\n";
}

namespace {

const campaign::Judged* judgement_of(const campaign::State& state, const std::string& job) {
  for (const auto* list : {&state.judgements, &state.visits.judgements}) {
    for (const campaign::Judged& one : *list) {
      if (one.job == job) return &one;
    }
  }
  return nullptr;
}

// What was asked between runs moves nothing, whatever the answer is.
std::string outcome_text(const campaign::State& state, const campaign::Judged& judged) {
  return fmt::format("{}{}", name_of(judged.outcome), state.is_visit(judged.job) ? " (asked between runs)" : "");
}

std::vector<std::string> ledger_row(const campaign::State& state, const campaign::ComparisonCharged& charged) {
  const campaign::Judged* judged = judgement_of(state, charged.job);
  const bool has_speedup = judged != nullptr && judged->speedup && judged->speedup_interval;
  return {std::to_string(charged.k),
          fmt::format("{:.2g}", charged.alpha),
          short_digest(charged.candidate),
          short_digest(charged.incumbent),
          judged != nullptr ? outcome_text(state, *judged) : "no verdict",
          has_speedup ? speedup_text(*judged->speedup) + " " + interval_text(*judged->speedup_interval) : "-"};
}

// A false promotion has to pass stage 1 (the sum of its looks' levels) and then the confirmation at the comparison's
// own level.
double charged_error(const std::vector<campaign::ComparisonCharged>& ledger) {
  double stage1 = 0;
  for (const stats::Look& look : stats::Rule{}.looks) stage1 += look.alpha;
  double confirmation = 0;
  for (const campaign::ComparisonCharged& one : ledger) confirmation += one.alpha;
  return stage1 * confirmation;
}

}  // namespace

std::string ledger_section(const Story& story) {
  const campaign::State& state = *story.state;
  if (state.ledger.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const campaign::ComparisonCharged& charged : state.ledger) rows.push_back(ledger_row(state, charged));
  return fmt::format("{} comparisons. The probability of any false promotion among them is at most {:.2g} %.\n\n",
                     state.comparisons, 100 * charged_error(state.ledger)) +
         table({"k", "alpha", "Candidate", "Against", "Outcome", "Speed-up"}, rows) + "\n";
}

namespace {

std::vector<std::string> noise_row(const Attempt& attempt) {
  const campaign::Comparison& comparison = *attempt.verdict->comparison;
  return {std::to_string(attempt.experiment->started.experiment), optional_percent(comparison.round_noise),
          fmt::format("{} + {}", comparison.stage1_rounds, comparison.confirmation_rounds),
          std::to_string(comparison.discarded_quads), optional_percent(comparison.smallest_promotable_gain)};
}

}  // namespace

std::string noise_section(const Story& story) {
  std::vector<std::vector<std::string>> rows;
  for (const Attempt& attempt : story.attempts) {
    if (attempt.verdict && attempt.verdict->comparison) rows.push_back(noise_row(attempt));
  }
  if (rows.empty()) return "";
  return "Noise = standard deviation of the log ratio over rounds.\n\n" +
         table({"Experiment", "Noise of a round", "Rounds", "Discarded quads", "Smallest promotable gain"}, rows) +
         "\n";
}

}  // namespace hone::views
