#include "surface/cli/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "surface/cli/home.h"
#include "surface/cli/user_repository.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"FORM", true, false, "patch (for git am and git apply) or branch (a new branch in your repository)"},
    {"VERSION", false, false, "vK, best, baseline or a version's digest prefix; best by default"},
};
constexpr OptionRow k_options[] = {
    k_task_option,
    {"--output", "FILE", "standard output", "where the patch goes", "as git diff does"},
    {"--name", "BRANCH", "hone/TASK-vK", "the new branch", "says which task and which version it holds"},
    {"--force", "", "", "make the branch although HEAD has other bytes than the campaign knows"},
};
constexpr size_t k_longest_patch_bytes = 64 << 20;

Result<ExportForm> form_of(const std::string& word) {
  if (const auto form = value_of<ExportForm>(word)) return *form;
  const std::vector<std::string> known{"patch", "branch"};
  return Error{ErrorCode::usage,
               fmt::format("there is no form '{}'{}", word, did_you_mean(word, known)),
               {},
               "",
               "one of: patch, branch"};
}

std::vector<record::TreeFile> below(const std::string& prefix, std::vector<record::TreeFile> files) {
  for (record::TreeFile& file : files) file.path = prefix + file.path;
  return files;
}

Status write_patch(Context& context, const Home& home, const fs::path& folder, ExportDocument& document) {
  HONE_TRY(const auto prefix, UserRepository::prefix_of(*context.processes, folder));
  const std::string place = prefix.value_or("");
  HONE_TRY(const std::string patch,
           mail_text(*context.processes, below(place, home.before), below(place, home.after), commit_text(home)));
  document.file = context.arguments.text("output");
  if (document.file) return write_file(*context.disk, *document.file, patch);
  document.patch = context.json() || isatty(STDOUT_FILENO) != 0 ? quote_untrusted(patch, k_longest_patch_bytes) : patch;
  return ok();
}

// A branch on top of HEAD must not take back what HEAD has and the campaign never saw.
Status check_head(const UserRepository& repository, const std::string& head, const Home& home) {
  const KnownBytes known = known_bytes(home.state);
  for (const record::TreeFile& file : home.after) {
    HONE_TRY(const auto bytes, repository.file_in(head, file.path));
    if (!bytes || *bytes == file.bytes || is_known(known, file.path, *bytes)) continue;
    return Error{ErrorCode::refused,
                 fmt::format("{} was changed at HEAD in a way the campaign does not know", file.path),
                 {},
                 "the new branch would take that change back",
                 "use `hone export patch` and merge it, or repeat with --force"};
  }
  return ok();
}

Status make_branch(Context& context, const Home& home, const fs::path& folder, ExportDocument& document) {
  HONE_TRY(const UserRepository repository, UserRepository::find(*context.processes, folder));
  const std::string usual = fmt::format("hone/{}-{}", home.state.opened->task_name, title_of(home.version));
  document.branch = context.arguments.text_or("name", usual);
  HONE_CHECK(repository.check_new_branch(*document.branch));
  HONE_TRY(const std::string head, repository.head());
  if (!context.arguments.has("force")) HONE_CHECK(check_head(repository, head, home));
  HONE_TRY(document.commit, repository.add_branch(*document.branch, head, home.after, commit_text(home)));
  return ok();
}

std::string to_text(const ExportDocument& document) {
  if (document.patch) return *document.patch;
  if (document.file) return fmt::format("{} as a patch in {}\n", document.version, *document.file);
  return fmt::format("{} on the new branch {} ({})\n", document.version, *document.branch,
                     document.commit->substr(0, 12));
}

Result<int> run_export(Context& context) {
  HONE_TRY(const ExportForm form, form_of(*context.arguments.text("FORM")));
  const fs::path campaign = campaign_of_task(context);
  HONE_TRY(const Home home, open_home(campaign, context.arguments.text_or("VERSION", "best")));
  if (home.version.demoted && !context.arguments.has("force"))
    return Error{ErrorCode::refused,
                 fmt::format("{} was demoted: {}", title_of(home.version), home.version.demotion),
                 {},
                 "",
                 "export another version, or repeat with --force"};
  ExportDocument document;
  document.form = form;
  document.version = title_of(home.version);
  document.candidate = home.version.candidate;
  const fs::path folder = users_folder(context, campaign);
  HONE_CHECK(form == ExportForm::patch ? write_patch(context, home, folder, document)
                                       : make_branch(context, home, folder, document));
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return 0;
}

}  // namespace

Command export_command() {
  return {"export",
          "The result as a patch, or as a new branch of your repository",
          "Paths are those of your repository when the task is in one. A branch starts at HEAD; your branches, index "
          "and files stay as they are.",
          k_arguments,
          k_options,
          run_export};
}

}  // namespace hone::cli
