#include "surface/cli/query.h"

#include <fmt/format.h>

#include "loop/visit.h"
#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "surface/cli/terminal.h"
#include "task/read.h"

namespace hone::cli {

namespace {

struct Arms {
  Named candidate;
  std::optional<Named> incumbent;
  std::optional<std::string> hidden_file;
};

// Folders whose readers may not know the hidden cases.
std::vector<fs::path> workspaces_of(const Query& query, const Place& place) {
  std::vector<fs::path> folders{place.task.folder, place.campaign};
  if (const auto beside = task_beside(place.campaign)) folders.push_back(*beside);
  for (const std::string& word : {query.candidate, query.incumbent.value_or("")}) {
    if (fs::is_directory(word)) folders.emplace_back(word);
  }
  return folders;
}

// The contract is A's, and B must have the same one or none.
Status same_contract(const task::Task& contract, const std::string& word) {
  if (!fs::is_directory(word) || !path_exists(fs::path(word) / "task.toml")) return ok();
  HONE_TRY(const task::Task other, task::require_task(word));
  if (other.digest == contract.digest) return ok();
  return Error{ErrorCode::contract,
               fmt::format("A and B answer different contracts ({} and {})", contract.digest.short_hex(),
                           other.digest.short_hex()),
               {word + "/task.toml", 0, 0},
               "a ratio of two different problems means nothing",
               "give B the same task.toml and reference as A, or none"};
}

Result<Arms> arms_of(const Context& context, const Query& query, const Place& place) {
  Arms arms;
  HONE_TRY(arms.hidden_file, hidden_file(context, place.task, workspaces_of(query, place)));
  if (query.incumbent) {
    HONE_CHECK(same_contract(place.task, query.candidate));
    HONE_TRY(arms.incumbent, name_candidate(place.task, place.campaign, *query.incumbent));
  }
  HONE_TRY(arms.candidate, name_candidate(place.task, place.campaign, query.candidate));
  return arms;
}

// The campaign that could be asked; there is none without a baseline.
Result<std::optional<campaign::State>> campaign_at(const fs::path& folder) {
  if (!path_exists(folder / "log.jsonl")) return std::optional<campaign::State>();
  HONE_TRY(loop::ReadOnly read, loop::read_campaign(folder));
  if (read.state.versions.empty()) return std::optional<campaign::State>();
  return std::optional(std::move(read.state));
}

bool knows(const campaign::State& state, const Named& named) {
  return state.candidates.contains(named.candidate.digest.hex());
}

// Why the campaign cannot be asked; nothing when it can.
std::optional<std::string> stranger(const campaign::State& state, const Place& place, const Arms& arms) {
  if (place.task.digest.hex() != state.pins->task_digest) return "which works under another contract";
  if (!knows(state, arms.candidate)) return fmt::format("which does not know '{}'", arms.candidate.title);
  if (arms.incumbent && !knows(state, *arms.incumbent))
    return fmt::format("which does not know '{}'", arms.incumbent->title);
  return std::nullopt;
}

Result<campaign::Verdict> ask_inside(const Context& context, const Query& query, const Place& place, const Arms& arms) {
  HONE_TRY(const Bench bench, open_bench(context, place.task, query.calibration));
  const auto display = make_display(context.json() ? Verbosity::quiet : Verbosity::normal, *context.clock);
  display->phase(fmt::format("{} on {}", name_of(query.question), bench.reason));
  loop::VisitRequest request;
  request.campaign_folder = place.campaign;
  request.task_folder = task_beside(place.campaign).value_or(place.campaign);
  request.visitor = {context.command_line, context.arguments.has("again") ? loop::Reuse::anew : loop::Reuse::stored};
  request.hidden_file = arms.hidden_file;
  request.question = query.question;
  request.candidate = arms.candidate.candidate.digest.hex();
  if (arms.incumbent) request.incumbent = arms.incumbent->candidate.digest.hex();
  HONE_TRY(loop::Answer answer, loop::visit(request, {context.disk, context.clock, display.get(), bench.executor.get(),
                                                      bench.ceilings, context.cancelled}));
  if (answer.source == loop::AnswerSource::store)
    answer.verdict.notes.emplace_back("answered from the store; --again measures anew");
  return std::move(answer.verdict);
}

Result<campaign::Verdict> ask_outside(const Context& context, const Query& query, const Place& place,
                                      const Arms& arms) {
  if (context.arguments.has("again"))
    return Error{ErrorCode::usage,
                 "--again asks anew what a campaign has answered, and no campaign knows what this is about",
                 {},
                 "",
                 "leave --again out: outside of a campaign nothing is stored and everything is measured anew"};
  HONE_TRY(const Bench bench, open_bench(context, place.task, query.calibration));
  HONE_TRY(judge::JudgingJob job, job_about(place.task, query.question, arms.candidate.candidate, bench));
  job.hidden_file = arms.hidden_file;
  if (arms.incumbent) job.incumbent = judge::to_text(arms.incumbent->candidate);
  return ask(context, bench, job);
}

}  // namespace

Query query_about_candidate(const Context& context, campaign::Question question, Calibration calibration) {
  const std::string word = context.arguments.text_or(k_candidate_argument.name, ".");
  // A kernel file stands for the folder that it lies in.
  return {question, calibration, fs::is_regular_file(word) ? task_folder(word).string() : word, {}};
}

Result<Answered> answer_of(const Context& context, const Query& query) {
  HONE_TRY(Place place, place_of(context, query.incumbent.value_or(query.candidate)));
  HONE_TRY(const Arms arms, arms_of(context, query, place));
  HONE_TRY(const auto state, campaign_at(place.campaign));
  const auto strange = state ? stranger(*state, place, arms) : std::nullopt;
  const bool inside = state && !strange;
  HONE_TRY(campaign::Verdict verdict,
           inside ? ask_inside(context, query, place, arms) : ask_outside(context, query, place, arms));
  if (strange)
    verdict.notes.push_back(fmt::format("asked outside of the campaign in {}, {}: nothing is stored{}",
                                        place.campaign.string(), *strange, query.incumbent ? ", k = 1" : ""));
  return Answered{std::move(place.task), std::move(verdict)};
}

}  // namespace hone::cli
