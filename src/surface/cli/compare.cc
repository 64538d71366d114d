#include <fmt/format.h>

#include "surface/cli/asking.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"A", true, false, "the incumbent: a folder, vK, best, baseline or a digest prefix"},
    {"B", true, false, "the candidate: is it faster than A?"}};
constexpr OptionRow k_options[] = {k_cores_option, k_device_option, k_tape_option};

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

Result<int> run(Context& context) {
  const std::string a = *context.arguments.text("A");
  const std::string b = *context.arguments.text("B");
  HONE_TRY(const Place place, place_of(context, a));
  HONE_CHECK(same_contract(place.task, b));
  HONE_TRY(const Named incumbent, name_candidate(place.task, place.campaign, a));
  HONE_TRY(const Named candidate, name_candidate(place.task, place.campaign, b));
  HONE_TRY(const Bench bench, open_bench(context, place.task, Calibration::when_missing));
  HONE_TRY(judge::JudgingJob job, job_about(place.task, campaign::Question::compare, candidate.candidate, bench));
  job.incumbent = judge::to_text(incumbent.candidate);
  HONE_TRY(const auto verdict, ask(context, bench, job));
  return print_verdict(context, verdict);
}

}  // namespace

Command compare_command() {
  return {"compare",
          "The paired decision: is B faster than A?",
          "Randomised quads in rounds, an exact signed-rank test against a gain of 1 %, and a confirmation in new "
          "processes with new content.\n"
          "Outside a campaign nothing is stored and k = 1. Status 0: proven faster; 1: not faster, or wrong; 4: "
          "inconclusive.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
