#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "surface/cli/query.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {k_candidate_argument};
constexpr OptionRow k_options[] = {k_again_option,  k_hidden_option, k_cores_option,
                                   k_device_option, k_clocks_option, k_tape_option};

Result<int> run(Context& context) {
  HONE_TRY(const Answered answered,
           answer_of(context, query_about_candidate(context, campaign::Question::verify, Calibration::never)));
  return print_verdict(context, answered.verdict);
}

}  // namespace

Command verify_command() {
  return {"verify",
          "Checks a candidate against the contract's oracle: correctness only",
          "Twenty trials over all verify cases, stress distributions and hidden neighbour shapes included. 0 correct, "
          "1 not. A campaign that knows it answers from its store.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
