#include "views/story.h"

#include <fmt/format.h>

namespace hone::views {

namespace {

Result<std::string> read_named(const ReadBlob& read_blob, const std::string& hex, const std::string& of_what) {
  const auto digest = Digest::from_hex(hex);
  if (!digest)
    return Error{ErrorCode::refused, fmt::format("{} names the blob '{}', which is no digest", of_what, hex)};
  auto bytes = read_blob(*digest);
  if (!bytes)
    return Error{ErrorCode::refused, fmt::format("the blob of {} cannot be read", of_what)}.because(bytes.error());
  return bytes;
}

Result<campaign::Verdict> read_verdict(const ReadBlob& read_blob, const std::string& hex, const std::string& of_what) {
  HONE_TRY(const std::string text, read_named(read_blob, hex, of_what));
  auto verdict = json::from_text<campaign::Verdict>(text);
  if (!verdict)
    return Error{ErrorCode::refused, fmt::format("the blob of {} is no verdict", of_what)}.because(verdict.error());
  return verdict;
}

Status count_steps(const ReadBlob& read_blob, const campaign::Searched& searched,
                   std::map<std::string, uint64_t>& counts) {
  HONE_TRY(const std::string text, read_named(read_blob, searched.steps, "a search"));
  HONE_TRY(const auto steps, json::from_text<std::vector<campaign::SearchStep>>(text));
  for (const campaign::SearchStep& step : steps) ++counts[step.outcome];
  return ok();
}

Result<Attempt> read_attempt(const campaign::Experiment& experiment, const ReadBlob& read_blob) {
  Attempt attempt{&experiment, {}, {}};
  const std::string name = fmt::format("experiment {}", experiment.started.experiment);
  if (experiment.decided && experiment.decided->verdict) {
    HONE_TRY(attempt.verdict, read_verdict(read_blob, *experiment.decided->verdict, name));
  }
  if (experiment.searched) HONE_CHECK(count_steps(read_blob, *experiment.searched, attempt.searched));
  return attempt;
}

Status read_confirmation(Story& story, const ReadBlob& read_blob) {
  const auto& confirmed = story.state->final_confirmation;
  if (!confirmed || !story.best() || confirmed->candidate != story.best()->version->candidate) return ok();
  HONE_TRY(story.confirmation, read_verdict(read_blob, confirmed->verdict, "the final confirmation"));
  return ok();
}

}  // namespace

Result<Story> read_story(const campaign::State& state, const task::Task& task, const ReadBlob& read_blob) {
  Story story{&state, &task, {}, {}, {}};
  for (const campaign::Version& version : state.versions) {
    HONE_TRY(auto verdict, read_verdict(read_blob, version.verdict, fmt::format("v{}", version.number)));
    story.steps.push_back({&version, std::move(verdict)});
  }
  for (const campaign::Experiment& experiment : state.experiments) {
    HONE_TRY(auto attempt, read_attempt(experiment, read_blob));
    story.attempts.push_back(std::move(attempt));
  }
  HONE_CHECK(read_confirmation(story, read_blob));
  return story;
}

}  // namespace hone::views
