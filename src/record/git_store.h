// store.git: a bare repository that shows the campaign's history to git (docs/store.md). It follows the log and can be
// rebuilt from it: a commit is a pure function of its arguments, a ref moves only from the commit that the caller
// names, and everything may be done twice. The user's own repository is never touched. Ownership: Disk and Processes
// must outlive the store. One writer (the campaign's lock); reading needs none. Failure: environment without git;
// contract (exit 2) when a ref was moved by someone else; internal for a path that cannot stand in a tree; io for the
// rest. Not thread-safe.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "record/git_command.h"
#include "record/owner.h"

namespace hone::record {

// A git object: 40 lower-case hex digits.
struct ObjectId {
  std::string hex;
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

enum class FileMode { plain, executable };

struct TreeFile {
  std::string path;  // relative, '/' between its parts
  FileMode mode = FileMode::plain;
  std::string bytes;
  friend bool operator==(const TreeFile&, const TreeFile&) = default;
};

struct Trailer {
  std::string name;   // "Hone-Log"
  std::string value;  // one line
};

struct CommitText {
  std::string message;  // subject, or subject, empty line, body
  std::vector<Trailer> trailers;
  int64_t date_s = 0;  // since 1970-01-01 UTC
};

struct RefMove {
  std::string name;                // "refs/hone/incumbent"
  std::optional<ObjectId> before;  // nothing: the ref must not exist yet
  ObjectId after;
};

using Refs = std::map<std::string, ObjectId>;

class GitStore {
 public:
  // Makes the repository when there is none; it appears whole or not at all.
  static Result<GitStore> open(Disk& disk, Processes& processes, const fs::path& folder);

  Result<ObjectId> write_tree(std::span<const TreeFile> files);
  Result<ObjectId> commit_tree(const ObjectId& tree, std::span<const ObjectId> parents, const CommitText& text);

  Result<Refs> refs() const;  // all below refs/hone/
  Result<std::optional<ObjectId>> read_ref(const std::string& name) const;
  // All of them; those that have moved already are left as they are, so that a move that was interrupted can be
  // repeated.
  Status move_refs(std::span<const RefMove> moves);

  Result<std::vector<TreeFile>> read_tree(const ObjectId& commit_or_tree) const;      // sorted by path
  Result<std::string> diff(const ObjectId& from, const ObjectId& to) const;           // unified, binary files included
  Result<std::string> format_patch(const ObjectId& base, const ObjectId& tip) const;  // a mailbox for git am

  // Removes what a git of the dead process `spawner` left behind: lock files, half-written objects, scratch folders.
  // Refuses while the spawner lives, or while one of its gits outlives it for longer than `patience`. Returns what was
  // removed.
  Result<std::vector<fs::path>> remove_leftovers(const Owner& spawner, Clock& clock, Nanoseconds patience);

 private:
  GitStore(Disk& disk, GitCommand git) : disk_(&disk), git_(std::move(git)) {}
  Result<std::vector<ObjectId>> write_objects(std::vector<std::string> arguments, std::string input, size_t count,
                                              const Environment& environment = {});
  Result<std::vector<ObjectId>> write_blobs(std::span<const TreeFile> files);
  Status sync_objects(std::span<const ObjectId> ids);

  Disk* disk_;
  GitCommand git_;
};

}  // namespace hone::record
