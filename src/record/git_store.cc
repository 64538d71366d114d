#include "record/git_store.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "record/tree_levels.h"

namespace hone::record {

namespace {

constexpr size_t k_id_digits = 40;
constexpr std::string_view k_no_object = "0000000000000000000000000000000000000000";
constexpr std::string_view k_plain_mode = "100644";
constexpr std::string_view k_executable_mode = "100755";
constexpr Nanoseconds k_poll_interval = std::chrono::milliseconds(5);  // a git call takes a few

constexpr std::string_view k_scratch_prefix = "scratch-";
constexpr std::string_view k_young_object_prefix = "tmp_obj_";  // git's own name for an object it is still writing

std::string young_prefix(const fs::path& store) { return store.filename().string() + ".new-"; }

bool is_id(std::string_view text) {
  return text.size() == k_id_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Error odd_output(std::string_view command, std::string_view output) {
  return {ErrorCode::io, fmt::format("git {} answered '{}'", command, quote_untrusted(output, 200))};
}

Status sync_file(Disk& disk, const fs::path& path) {
  HONE_TRY(const Fd fd, disk.open(path, O_RDONLY, 0));
  return disk.sync(fd.get());
}

// git init syncs nothing.
Status sync_everything(Disk& disk, const fs::path& folder) {
  HONE_TRY(const auto files, list_files(folder));
  for (const fs::path& file : files) HONE_CHECK(sync_file(disk, folder / file));
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_directory()) HONE_CHECK(sync_directory(disk, entry.path()));
  }
  return sync_directory(disk, folder);
}

// A git init that was killed leaves a folder that git init refuses, so it works under another name.
Status make_repository(Disk& disk, Processes& processes, const fs::path& folder) {
  HONE_CHECK(disk.make_directories(folder.parent_path()));
  HONE_TRY(const auto beside, TemporaryFolder::make(folder.parent_path(), young_prefix(folder)));
  const fs::path young = beside.path() / "store.git";
  HONE_CHECK(GitCommand(processes, young)
                 .run({"init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=hone"}));
  HONE_CHECK(sync_everything(disk, young));
  HONE_CHECK(disk.rename(young, folder));
  return sync_directory(disk, folder.parent_path());
}

}  // namespace

Result<GitStore> GitStore::open(Disk& disk, Processes& processes, const fs::path& folder) {
  const GitCommand git(processes, folder);
  if (!path_exists(git.git_dir())) HONE_CHECK(make_repository(disk, processes, git.git_dir()));
  return GitStore(disk, git);
}

// ---- writing objects
// --------------------------------------------------------------------------------------------------

// git syncs an object before it renames it into place, but not the folder that then holds it.
Status GitStore::sync_objects(std::span<const ObjectId> ids) {
  const fs::path objects = git_.git_dir() / "objects";
  std::set<std::string> prefixes;
  for (const ObjectId& id : ids) prefixes.insert(id.hex.substr(0, 2));
  for (const std::string& prefix : prefixes) HONE_CHECK(sync_directory(*disk_, objects / prefix));
  return sync_directory(*disk_, objects);
}

// Runs a git command that writes `count` objects and prints their ids, one a line.
Result<std::vector<ObjectId>> GitStore::write_objects(std::vector<std::string> arguments, std::string input,
                                                      size_t count, const Environment& environment) {
  const std::string name = arguments.front();
  HONE_TRY(const std::string output, git_.run(std::move(arguments), std::move(input), environment));
  std::vector<ObjectId> ids;
  for (std::string& line : split_lines(output)) ids.push_back({std::move(line)});
  if (ids.size() != count || !std::ranges::all_of(ids, is_id, &ObjectId::hex)) return odd_output(name, output);
  HONE_CHECK(sync_objects(ids));
  return ids;
}

namespace {

// One entry as mktree -z reads it.
std::string tree_entry(std::string_view mode, std::string_view type, const ObjectId& id, const std::string& path) {
  return fmt::format("{} {} {}\t{}", mode, type, id.hex, name_in_parent(path)) + '\0';
}

std::string_view mode_text(FileMode mode) { return mode == FileMode::executable ? k_executable_mode : k_plain_mode; }

}  // namespace

// One process for all files: their bytes go to a scratch folder that needs no durability.
Result<std::vector<ObjectId>> GitStore::write_blobs(std::span<const TreeFile> files) {
  if (files.empty()) return std::vector<ObjectId>{};
  HONE_TRY(const auto scratch, TemporaryFolder::make(git_.git_dir(), k_scratch_prefix));
  Disk plain;
  std::vector<std::string> arguments{"hash-object", "-w", "--no-filters", "--"};
  for (const TreeFile& file : files) {
    arguments.push_back((scratch.path() / std::to_string(arguments.size())).string());
    HONE_CHECK(write_file(plain, arguments.back(), file.bytes));
  }
  return write_objects(std::move(arguments), "", files.size());
}

Result<ObjectId> GitStore::write_tree(std::span<const TreeFile> files) {
  HONE_CHECK(check_paths(files));
  HONE_TRY(const auto blobs, write_blobs(files));
  std::map<std::string, std::string> entries;  // by folder
  for (size_t i = 0; i < files.size(); ++i)
    entries[parent_of(files[i].path)] += tree_entry(mode_text(files[i].mode), "blob", blobs[i], files[i].path);
  std::vector<ObjectId> trees;
  for (const auto& folders : folders_by_depth(files)) {
    std::string input;
    for (const std::string& folder : folders) input += entries[folder] + '\0';
    HONE_TRY(trees, write_objects({"mktree", "-z", "--batch"}, std::move(input), folders.size()));
    for (size_t i = 0; i < folders.size(); ++i)
      entries[parent_of(folders[i])] += tree_entry("040000", "tree", trees[i], folders[i]);
  }
  return trees.front();
}

namespace {

// The whole identity of a commit is fixed but for the date, so that it depends on nothing but the event it follows.
Environment identity(int64_t date_s) {
  const std::string date = fmt::format("@{} +0000", date_s);
  return {{"GIT_AUTHOR_NAME", "hone"},    {"GIT_AUTHOR_EMAIL", "hone@localhost"},
          {"GIT_COMMITTER_NAME", "hone"}, {"GIT_COMMITTER_EMAIL", "hone@localhost"},
          {"GIT_AUTHOR_DATE", date},      {"GIT_COMMITTER_DATE", date}};
}

std::string full_message(const CommitText& text) {
  std::string message = text.message + "\n";
  if (!text.trailers.empty()) message += "\n";
  for (const Trailer& trailer : text.trailers) message += trailer.name + ": " + trailer.value + "\n";
  return message;
}

}  // namespace

Result<ObjectId> GitStore::commit_tree(const ObjectId& tree, std::span<const ObjectId> parents,
                                       const CommitText& text) {
  std::vector<std::string> arguments{"commit-tree", tree.hex};
  for (const ObjectId& parent : parents) arguments.insert(arguments.end(), {"-p", parent.hex});
  HONE_TRY(auto ids, write_objects(std::move(arguments), full_message(text), 1, identity(text.date_s)));
  return ids.front();
}

// ---- refs
// -------------------------------------------------------------------------------------------------------------

Result<Refs> GitStore::refs() const {
  HONE_TRY(const std::string output,
           git_.run({"for-each-ref", "--format=%(objectname) %(refname)", "refs/hone/"}, "", {}, Warnings::refused));
  Refs refs;
  for (const std::string& line : split_lines(output)) {
    if (line.size() <= k_id_digits + 1 || !is_id(line.substr(0, k_id_digits))) return odd_output("for-each-ref", line);
    refs[line.substr(k_id_digits + 1)] = {line.substr(0, k_id_digits)};
  }
  return refs;
}

Result<std::optional<ObjectId>> GitStore::read_ref(const std::string& name) const {
  HONE_TRY(const Refs all, refs());
  const auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

namespace {

std::string shown(const std::optional<ObjectId>& id) { return id ? id->hex : "nothing"; }

Error moved(const RefMove& move, const std::optional<ObjectId>& found) {
  return {ErrorCode::contract,
          fmt::format("{} was moved by someone else", move.name),
          {},
          fmt::format("it should be at {} and is at {}", shown(move.before), shown(found)),
          fmt::format("put it back: git update-ref {} {}", move.name, shown(move.before))};
}

// The moves that are still to be made.
Result<std::vector<RefMove>> pending_moves(std::span<const RefMove> moves, const Refs& refs) {
  std::vector<RefMove> pending;
  for (const RefMove& move : moves) {
    const auto found = refs.find(move.name);
    const auto now = found == refs.end() ? std::nullopt : std::optional(found->second);
    if (now == move.after) continue;
    if (now != move.before) return moved(move, now);
    pending.push_back(move);
  }
  return pending;
}

}  // namespace

Status GitStore::move_refs(std::span<const RefMove> moves) {
  HONE_TRY(const Refs now, refs());
  HONE_TRY(const auto pending, pending_moves(moves, now));
  std::string input;
  for (const RefMove& move : pending) {
    const std::string before = move.before ? move.before->hex : std::string(k_no_object);
    input += fmt::format("update {} {} {}\n", move.name, move.after.hex, before);
  }
  if (!input.empty()) HONE_CHECK(git_.run({"update-ref", "--stdin"}, std::move(input)));
  for (const RefMove& move : moves) HONE_CHECK(sync_directory(*disk_, (git_.git_dir() / move.name).parent_path()));
  return ok();
}

// ---- reading
// ----------------------------------------------------------------------------------------------------------

namespace {

struct ListedFile {
  FileMode mode;
  std::string id;
  std::string path;
};

// "100644 blob ID\tPATH" of ls-tree -z.
Result<ListedFile> listed_file(const std::string& entry) {
  const size_t tab = entry.find('\t');
  const auto fields = split(entry.substr(0, tab), ' ');
  if (tab == std::string::npos || fields.size() != 3 || !is_id(fields[2])) return odd_output("ls-tree", entry);
  return ListedFile{fields[0] == k_executable_mode ? FileMode::executable : FileMode::plain, fields[2],
                    entry.substr(tab + 1)};
}

// Takes "ID blob SIZE\nBYTES\n" from the front of what cat-file --batch printed.
Result<std::string> take_object(std::string_view& output, const std::string& id) {
  const std::string_view heading = output.substr(0, output.find('\n'));
  const std::string expected = id + " blob ";
  uint64_t size = 0;
  const auto parsed = heading.starts_with(expected)
                          ? std::from_chars(heading.data() + expected.size(), heading.data() + heading.size(), size)
                          : std::from_chars_result{nullptr, std::errc::invalid_argument};
  if (parsed.ec != std::errc() || output.size() < heading.size() + 2 + size) return odd_output("cat-file", heading);
  std::string bytes(output.substr(heading.size() + 1, size));
  output.remove_prefix(heading.size() + 2 + size);
  return bytes;
}

}  // namespace

Result<std::vector<TreeFile>> GitStore::read_tree(const ObjectId& commit_or_tree) const {
  HONE_TRY(const std::string listing, git_.run({"ls-tree", "-r", "-z", commit_or_tree.hex}));
  std::vector<ListedFile> listed;
  std::string wanted;
  for (const std::string& entry : split(listing, '\0')) {
    if (entry.empty()) continue;
    HONE_TRY(listed.emplace_back(), listed_file(entry));
    wanted += listed.back().id + "\n";
  }
  HONE_TRY(const std::string objects, git_.run({"cat-file", "--batch"}, std::move(wanted)));
  std::string_view rest = objects;
  std::vector<TreeFile> files;
  for (ListedFile& file : listed) {
    HONE_TRY(std::string bytes, take_object(rest, file.id));
    files.push_back({std::move(file.path), file.mode, std::move(bytes)});
  }
  return files;
}

Result<std::string> GitStore::diff(const ObjectId& from, const ObjectId& to) const {
  return git_.run({"diff-tree", "-p", "-r", "--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff",
                   "--no-textconv", from.hex, to.hex});
}

Result<std::string> GitStore::format_patch(const ObjectId& base, const ObjectId& tip) const {
  return git_.run({"format-patch", "--stdout", "--no-signature", "--zero-commit", "--binary", "--full-index",
                   "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", base.hex + ".." + tip.hex});
}

// ---- leftovers
// --------------------------------------------------------------------------------------------------------

namespace {

Status wait_for_orphans(const GitCommand& git, Clock& clock, Nanoseconds patience) {
  const Nanoseconds until = clock.now() + patience;
  while (git.is_running_somewhere()) {
    if (clock.now() >= until)
      return Error{ErrorCode::environment,
                   "a git of a hone that died is still at work in the store",
                   {},
                   {},
                   "wait for it, or stop it"};
    clock.sleep(k_poll_interval);
  }
  return ok();
}

bool is_leftover_file(const fs::path& file) {
  return file.extension() == ".lock" || file.filename().string().starts_with(k_young_object_prefix);
}

// Folders directly below `parent` whose names begin so.
std::vector<fs::path> folders_named(const fs::path& parent, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.is_directory() && entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  return found;
}

Status remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  return error ? Status(io_error("remove", folder, error.value())) : ok();
}

}  // namespace

Result<std::vector<fs::path>> GitStore::remove_leftovers(const Owner& spawner, Clock& clock, Nanoseconds patience) {
  if (is_alive(spawner))
    return Error{ErrorCode::environment,
                 fmt::format("the process {} that works in the store is still alive", spawner.pid)};
  HONE_CHECK(wait_for_orphans(git_, clock, patience));
  const fs::path& store = git_.git_dir();
  std::vector<fs::path> removed = folders_named(store, k_scratch_prefix);
  for (fs::path& young : folders_named(store.parent_path(), young_prefix(store))) removed.push_back(std::move(young));
  for (const fs::path& folder : removed) HONE_CHECK(remove_folder(folder));
  HONE_TRY(const auto files, list_files(store));
  for (const fs::path& file : files) {
    if (!is_leftover_file(file)) continue;
    HONE_CHECK(disk_->remove(store / file));
    removed.push_back(store / file);
  }
  return removed;
}

}  // namespace hone::record
