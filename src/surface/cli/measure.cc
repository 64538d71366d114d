#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "surface/cli/query.h"
#include "surface/cli/terminal.h"
#include "views/published.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {k_candidate_argument};
constexpr OptionRow k_options[] = {k_again_option,  k_hidden_option, k_cores_option,
                                   k_device_option, k_clocks_option, k_tape_option};

// As JSON: the published benchmark record, the same object as reports/benchmark.json.
Result<int> run(Context& context) {
  HONE_TRY(const Answered answered,
           answer_of(context, query_about_candidate(context, campaign::Question::measure, Calibration::when_missing)));
  if (!context.json()) return print_verdict(context, answered.verdict);
  print_json(json::to_text(views::benchmark_of(answered.task, answered.verdict)));
  return exit_status(answered.verdict);
}

}  // namespace

Command measure_command() {
  return {"measure",
          "Times a candidate per case, with spread, floor and clock; no decision",
          "The candidate is checked first. A time says what this device did today; whether another candidate is "
          "faster, only compare can say. A campaign that knows it answers from its store. With --json the published "
          "benchmark record is printed.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
