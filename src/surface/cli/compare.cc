#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "surface/cli/query.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"A", true, false, "the incumbent: a folder, vK, best, baseline or a digest prefix"},
    {"B", true, false, "the candidate: is it faster than A?"}};
constexpr OptionRow k_options[] = {k_again_option,  k_hidden_option, k_cores_option,
                                   k_device_option, k_clocks_option, k_tape_option};

Result<int> run(Context& context) {
  Query query{campaign::Question::compare, Calibration::when_missing, *context.arguments.text("B"),
              context.arguments.text("A")};
  HONE_TRY(const Answered answered, answer_of(context, query));
  return print_verdict(context, answered.verdict);
}

}  // namespace

Command compare_command() {
  return {"compare",
          "The paired decision: is B faster than A?",
          "Randomised quads in rounds, an exact signed-rank test against a gain of 1 %, and a confirmation in new "
          "processes with new content.\n"
          "In a campaign that knows both, its store answers what was compared before, and anything else is charged "
          "under the campaign's next k;\n"
          "nothing is promoted, and no run decides by it. Outside nothing is stored and k = 1.\n"
          "Status 0: proven faster; 1: not faster, or wrong; 4: inconclusive.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
