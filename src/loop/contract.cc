#include "loop/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "task/read.h"

namespace hone::loop {

namespace {

Status add_folder(const fs::path& root, const std::string& folder, std::set<std::string>& paths) {
  HONE_TRY(const auto files, list_files(root / folder));
  for (const fs::path& file : files) paths.insert((fs::path(folder) / file).string());
  return ok();
}

Result<std::set<std::string>> contract_paths(const task::Task& task) {
  std::set<std::string> paths{"task.toml"};
  for (const auto* list : {&task.kernel.sources, &task.kernel.editable, &task.oracle.sources})
    paths.insert(list->begin(), list->end());
  for (const task::Argument& argument : task.arguments) {
    if (argument.fill.kind == task::FillKind::file) paths.insert(argument.fill.file);
  }
  if (!task.oracle.golden.empty()) HONE_CHECK(add_folder(task.folder, task.oracle.golden, paths));
  if (path_exists(task.folder / "variant.toml")) paths.insert("variant.toml");
  return paths;
}

bool is_executable(const fs::path& path) {
  std::error_code ignored;
  return (fs::status(path, ignored).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

Status write_contract_file(Store& store, const fs::path& folder, const campaign::FileReference& file) {
  const fs::path path = folder / file.path;
  HONE_TRY(const std::string bytes, store.get(file.blob));
  if (const auto present = read_file(path); present && *present == bytes) return ok();
  HONE_CHECK(store.disk().make_directories(path.parent_path()));
  return write_file(store.disk(), path, bytes, Durable::no, file.executable ? 0755 : 0644);
}

}  // namespace

Result<std::vector<campaign::FileReference>> freeze(Store& store, const task::Task& task) {
  HONE_TRY(const auto paths, contract_paths(task));
  std::vector<campaign::FileReference> files;
  for (const std::string& path : paths) {
    HONE_TRY(const std::string bytes, read_file(task.folder / path));
    HONE_TRY(const std::string blob, store.put(bytes));
    files.push_back({path, is_executable(task.folder / path), blob});
  }
  return files;
}

Result<task::Task> thaw(Store& store) {
  const fs::path folder = store.folder() / "contract";
  std::set<fs::path> wanted;
  for (const campaign::FileReference& file : store.state().opened->contract) {
    HONE_CHECK(write_contract_file(store, folder, file));
    wanted.insert(file.path);
  }
  HONE_TRY(const auto present, list_files(folder));
  for (const fs::path& file : present) {
    if (!wanted.contains(file)) HONE_CHECK(store.disk().remove(folder / file));
  }
  return task::require_task(folder);
}

namespace {

// A campaign may come from elsewhere: its paths must not lead out of the folder that they are written to.
bool leads_outside(const fs::path& path) {
  return path.empty() || path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

Status lay_out(const fs::path& folder, const campaign::State& state, const fs::path& scratch) {
  Disk disk;
  for (const campaign::FileReference& file : state.opened->contract) {
    if (leads_outside(file.path))
      return Error{ErrorCode::refused, fmt::format("the contract names a file outside of it: {}", file.path)};
    HONE_TRY(const std::string bytes, read_blob(folder, file.blob));
    HONE_CHECK(disk.make_directories((scratch / file.path).parent_path()));
    HONE_CHECK(write_file(disk, scratch / file.path, bytes));
  }
  return ok();
}

}  // namespace

Result<task::Task> unpack_contract(const fs::path& folder, const campaign::State& state, const fs::path& into) {
  if (!state.opened)
    return Error{
        ErrorCode::usage, fmt::format("the campaign in {} has no contract yet", folder.string()), {}, "", "hone run"};
  HONE_CHECK(lay_out(folder, state, into));
  return task::require_task(into);
}

Result<task::Task> read_contract(const fs::path& folder, const campaign::State& state) {
  HONE_TRY(const TemporaryFolder scratch, TemporaryFolder::make(fs::temp_directory_path(), "hone-contract-"));
  HONE_TRY(task::Task task, unpack_contract(folder, state, scratch.path()));
  task.folder = folder / "contract";
  return task;
}

Result<campaign::CandidateAdded> record_candidate(Store& store, const task::Candidate& candidate,
                                                  std::optional<std::string> parent, std::string origin) {
  campaign::CandidateAdded added{candidate.digest.hex(),
                                 std::move(parent),
                                 std::move(origin),
                                 {},
                                 candidate.variant.values,
                                 candidate.variant.options,
                                 task::own_launches(candidate.variant)};
  for (const task::CandidateFile& file : candidate.files) {
    HONE_TRY(const std::string blob, store.put(file.bytes));
    added.files.push_back({file.path, file.executable, blob});
  }
  return added;
}

Result<task::Candidate> restore_candidate(const campaign::State& state, const std::string& digest,
                                          const BlobReader& read) {
  const campaign::CandidateAdded* added = state.find_candidate(digest);
  if (added == nullptr) return Error{ErrorCode::usage, fmt::format("no candidate {} in this campaign", digest)};
  std::vector<task::CandidateFile> files;
  for (const campaign::FileReference& file : added->files) {
    HONE_TRY(std::string bytes, read(file.blob));
    files.push_back({file.path, file.executable, std::move(bytes)});
  }
  return task::make_candidate(std::move(files), {added->values, added->options, added->launches.value_or("")});
}

fs::path default_campaign_folder(const fs::path& task_folder) {
  fs::path absolute = fs::absolute(task_folder).lexically_normal();
  if (absolute.filename().empty()) absolute = absolute.parent_path();
  return absolute.parent_path() / (absolute.filename().string() + ".hone");
}

}  // namespace hone::loop
