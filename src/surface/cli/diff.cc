#include "surface/cli/diff.h"

#include <unistd.h>

#include "base/text.h"
#include "surface/cli/home.h"
#include "surface/cli/reports.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"A", false, false, "what to compare: a folder, vK, best, baseline or a digest prefix; baseline by default"},
    {"B", false, false, "with what; best by default"},
};
constexpr OptionRow k_options[] = {k_task_option};
constexpr size_t k_longest_patch_bytes = 64 << 20;

// Source that somebody else may have written goes to a terminal escaped, to a file or a program as it is.
void print_patch(const std::string& patch) {
  print(isatty(STDOUT_FILENO) != 0 ? quote_untrusted(patch, k_longest_patch_bytes) : patch);
}

Result<int> diff(Context& context) {
  const fs::path folder = campaign_of_task(context);
  HONE_TRY(const ReadCampaign read, read_whole(folder));
  DiffDocument document;
  document.from = context.arguments.text_or("A", "baseline");
  document.to = context.arguments.text_or("B", "best");
  HONE_TRY(const Named from, name_candidate(read.task, folder, document.from));
  HONE_TRY(const Named to, name_candidate(read.task, folder, document.to));
  document.from_candidate = from.candidate.digest.hex();
  document.to_candidate = to.candidate.digest.hex();
  HONE_TRY(document.patch, diff_text(*context.processes, files_at_home(read.log.state, from.candidate),
                                     files_at_home(read.log.state, to.candidate)));
  if (!context.json()) return print_patch(document.patch), 0;
  document.patch = quote_untrusted(document.patch, k_longest_patch_bytes);
  print_json(json::to_text(document));
  return 0;
}

}  // namespace

Command diff_command() {
  return {"diff",
          "What a version changed, as a unified diff",
          "Without words: from the baseline to the best version.",
          k_arguments,
          k_options,
          diff};
}

}  // namespace hone::cli
