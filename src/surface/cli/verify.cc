#include "surface/cli/asking.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"CANDIDATE", false, false, "a folder, vK, best, baseline or a digest prefix; the present folder by default"}};
constexpr OptionRow k_options[] = {k_cores_option, k_device_option, k_tape_option};

Result<int> run(Context& context) {
  const std::string word = context.arguments.text_or("CANDIDATE", ".");
  HONE_TRY(const Place place, place_of(context, word));
  HONE_TRY(const Named named, name_candidate(place.task, place.campaign, word));
  HONE_TRY(const Bench bench, open_bench(context, place.task, Calibration::never));
  HONE_TRY(const judge::JudgingJob job, job_about(place.task, campaign::Question::verify, named.candidate, bench));
  HONE_TRY(const auto verdict, ask(context, bench, job));
  return print_verdict(context, verdict);
}

}  // namespace

Command verify_command() {
  return {"verify",
          "Checks a candidate against the contract's oracle: correctness only",
          "Twenty trials over all verify cases, stress distributions and hidden neighbour shapes included. 0 correct, "
          "1 not.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
