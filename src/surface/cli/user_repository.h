// The git repository that the user's task folder is in. It is read, and it may gain objects and one new branch: no
// branch that is there, no index and no file of a work tree changes. Plumbing only, with a private index, no hooks and
// no filters. Ownership: Processes must outlive it. Failure: usage when the folder is in no repository or a branch
// exists; environment without git; io with git's own words. Not thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/disk.h"
#include "base/process.h"
#include "base/result.h"
#include "record/git_store.h"

namespace hone::cli {

class UserRepository {
 public:
  static Result<UserRepository> find(Processes& processes, const fs::path& folder);
  // "kernels/softmax/", or "" when the task is the repository; nothing when it is in none.
  static Result<std::optional<std::string>> prefix_of(Processes& processes, const fs::path& folder);

  Result<std::string> head() const;  // commit
  // Bytes of a file of the task folder in a commit; nothing when it is not there.
  Result<std::optional<std::string>> file_in(const std::string& commit, const std::string& path) const;

  Status check_new_branch(const std::string& name) const;
  // A commit on top of `parent` in which these files of the task folder have these bytes. Returns its id.
  Result<std::string> add_branch(const std::string& name, const std::string& parent,
                                 std::span<const record::TreeFile> files, const record::CommitText& text) const;

 private:
  UserRepository(Processes& processes, fs::path root, std::string prefix)
      : processes_(&processes), root_(std::move(root)), prefix_(std::move(prefix)) {}
  Result<std::string> write_tree(const std::string& parent, std::span<const record::TreeFile> files) const;
  Result<std::string> commit_tree(const std::string& tree, const std::string& parent,
                                  const record::CommitText& text) const;

  Processes* processes_;
  fs::path root_;
  std::string prefix_;  // of the task folder below the root, with a slash at its end
};

}  // namespace hone::cli
