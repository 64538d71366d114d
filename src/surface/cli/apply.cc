#include "surface/cli/apply.h"

#include <fmt/format.h>

#include "surface/cli/home.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"VERSION", false, false, "vK, best, baseline or a version's digest prefix; best by default"}};
constexpr OptionRow k_options[] = {
    k_task_option,
    {"--force", "", "", "overwrite files that were edited since, and take a version that was demoted"},
};

Error edited(const fs::path& file, std::string why) {
  return {ErrorCode::refused,
          "this file would be overwritten, and its bytes are not known to the campaign",
          {file.string()},
          std::move(why),
          "save it and repeat with --force, or take the result with `hone export patch`"};
}

// A file may go when the campaign has its bytes, whatever else happens.
Status check_expendable(const fs::path& file, const record::TreeFile& next, const KnownBytes& known) {
  std::error_code ignored;
  const fs::file_status present = fs::symlink_status(file, ignored);
  if (!fs::exists(present)) return ok();
  if (!fs::is_regular_file(present)) return edited(file, "it is a link or no regular file");
  HONE_TRY(const std::string bytes, read_file(file));
  if (bytes == next.bytes || is_known(known, next.path, bytes)) return ok();
  return edited(file, "it is neither as the contract found it nor as a version has it");
}

Status check_allowed(const Home& home, const fs::path& folder) {
  if (home.version.demoted)
    return Error{ErrorCode::refused,
                 fmt::format("{} was demoted: {}", title_of(home.version), home.version.demotion),
                 {},
                 "",
                 "apply another version, or repeat with --force"};
  const KnownBytes known = known_bytes(home.state);
  for (const record::TreeFile& file : home.after) HONE_CHECK(check_expendable(folder / file.path, file, known));
  return ok();
}

// Each file whole or not at all. One that is as it should be is left alone, so that an apply that was cut short is
// completed by repeating it.
Result<FileChange> put(Disk& disk, const fs::path& path, const record::TreeFile& file) {
  std::error_code ignored;
  const fs::file_status present = fs::symlink_status(path, ignored);
  const bool executable = (present.permissions() & fs::perms::owner_exec) != fs::perms::none;
  const bool wants_executable = file.mode == record::FileMode::executable;
  if (fs::is_regular_file(present) && executable == wants_executable) {
    const auto bytes = read_file(path);
    if (bytes && *bytes == file.bytes) return FileChange::unchanged;
  }
  HONE_CHECK(disk.make_directories(path.parent_path()));
  HONE_CHECK(write_file(disk, path, file.bytes, Durable::yes, wants_executable ? 0755 : 0644));
  return FileChange::written;
}

std::string to_text(const ApplyDocument& document) {
  std::string text =
      fmt::format("{} ({}) in {}\n", document.version, document.candidate.substr(0, 12), document.folder);
  for (const AppliedFile& file : document.files) text += fmt::format("  {}: {}\n", file.path, name_of(file.change));
  return text;
}

// A variant.toml that another version left must not outlive it.
void replace_leftover_variant(Home& home, const fs::path& folder) {
  for (const record::TreeFile& file : home.after) {
    if (file.path == "variant.toml") return;
  }
  if (path_exists(folder / "variant.toml"))
    home.after.push_back({"variant.toml", record::FileMode::plain, task::canonical_text({})});
}

Result<int> apply(Context& context) {
  const fs::path campaign = campaign_of_task(context);
  HONE_TRY(Home home, open_home(campaign, context.arguments.text_or("VERSION", "best")));
  const fs::path folder = users_folder(context, campaign);
  if (!path_exists(folder / "task.toml"))
    return Error{ErrorCode::usage,
                 fmt::format("there is no task in {} to apply {} to", folder.string(), title_of(home.version)),
                 {},
                 "",
                 "name the task's folder with --task"};
  replace_leftover_variant(home, folder);
  if (!context.arguments.has("force")) HONE_CHECK(check_allowed(home, folder));
  ApplyDocument document;
  document.version = title_of(home.version);
  document.candidate = home.version.candidate;
  document.folder = fs::absolute(folder).lexically_normal().string();
  for (const record::TreeFile& file : home.after) {
    HONE_TRY(const FileChange change, put(*context.disk, folder / file.path, file));
    document.files.push_back({file.path, change});
  }
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return 0;
}

}  // namespace

Command apply_command() {
  return {"apply",
          "Writes a version's files into the task's folder",
          "Files that were edited since the campaign began are not overwritten unless --force says so. What a version "
          "chooses besides\n"
          "its source (tunables, compile options) is written as variant.toml beside the kernel. git's index and "
          "branches stay as they are.",
          k_arguments,
          k_options,
          apply};
}

}  // namespace hone::cli
