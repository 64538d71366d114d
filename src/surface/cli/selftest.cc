#include "base/json.h"
#include "surface/cli/command.h"
#include "surface/cli/workplace.h"
#include "surface/selftest/cheats.h"
#include "surface/selftest/gate.h"
#include "surface/selftest/summary.h"

namespace hone::cli {

namespace {

constexpr OptionRow k_options[] = {
    {"--runs", "N", "5", "comparisons of identical kernels", "about a minute with the ladder"},
    {"--long", "", "",
     "the release gate: 300 exact copies, 300 renamed ones, 50 under load, the ladder 20 times; about an hour"},
    {"--journal", "FILE", "", "where answers are kept; a second run goes on there (a file of hone's own)"},
    {"--length", "TIME", "",
     "how long a launch of the compared kernels takes, about: 5us, 200us (300us, on a device 40us)"},
    {"--cheats", "", "", "try to fool the judge: every cheat of the corpus, and the honest candidates beside them"},
    {"--only", "TEXT", "", "with --cheats: those whose name contains TEXT"},
    k_cores_option,
    k_device_option,
    k_clocks_option};

template <class Document>
int print_document(const Context& context, const Document& document) {
  if (context.json()) {
    print_json(json::to_text(document));
  } else {
    print(to_text(document));
  }
  return document.passed ? 0 : 1;
}

Status fit_together(const Arguments& arguments) {
  const auto fault = [](const char* what) { return Status(Error{ErrorCode::usage, what}); };
  if (arguments.has("cheats") && arguments.has("long"))
    return fault("--cheats and --long are two selftests: ask for one");
  if (arguments.has("only") && !arguments.has("cheats")) return fault("--only chooses among cheats: add --cheats");
  if (arguments.has("cheats") && (arguments.has("journal") || arguments.has("length")))
    return fault("--journal and --length are for comparisons of identical kernels: leave --cheats out");
  if (arguments.has("runs") && (arguments.has("long") || arguments.has("cheats")))
    return fault("--runs is for the short selftest: the others have numbers of their own");
  return ok();
}

// The short one keeps its answers only where it is told to.
std::optional<fs::path> journal_of(const Arguments& arguments) {
  if (const auto named = arguments.text("journal")) return fs::path(*named);
  return arguments.has("long") ? std::optional(user_data_folder() / "selftest" / "journal.jsonl") : std::nullopt;
}

Result<int> run(Context& context) {
  const Arguments& arguments = context.arguments;
  HONE_CHECK(fit_together(arguments));
  if (arguments.has("cheats")) {
    HONE_TRY(const CheatsDocument document, try_cheats(context, arguments.text_or("only", "")));
    return print_document(context, document);
  }
  HONE_TRY(const auto runs, arguments.count("runs"));
  if (runs == 0u) return Error{ErrorCode::usage, "--runs takes a number from 1"};
  const Sizes sizes = arguments.has("long") ? k_long_sizes : Sizes{.exact = runs.value_or(Sizes{}.exact)};
  HONE_TRY(const auto length, arguments.duration("length"));
  HONE_TRY(const SelftestDocument document, run_gate(context, sizes, journal_of(arguments), length));
  HONE_CHECK(keep_result(*context.disk, document));
  return print_document(context, document);
}

}  // namespace

Command selftest_command() {
  return {"selftest",
          "The judge's own release gate on this machine",
          "Compares identical kernels (none may be promoted), resamples the machine's noise at the boundary of 1 %, "
          "climbs a ladder of\n"
          "injected gains (0.5, 1, 2, 5 %) and swaps the labels. Status 1: promotions here are not to be trusted.\n"
          "--long does all of it until chance is ruled out, and can be interrupted at any time. With --device the "
          "compared\n"
          "kernels are of its language. --cheats asks about "
          "candidates that try\n"
          "to fool the judge (tests/cheats): status 1 when one of them is believed, or an honest one is not.",
          {},
          k_options,
          run};
}

}  // namespace hone::cli
