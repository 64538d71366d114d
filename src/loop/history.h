// History: store.git as a follower of the log. The commit point of a promotion is its event; the commit is a function
// of that event's inputs and the refs move after it. On open: the ref is where the log says → go on; at an earlier
// commit of hone → moved forward; anywhere else → exit 2, moved by someone else. The user's own repository is never
// touched.
#pragma once

#include "loop/store.h"
#include "record/git_store.h"
#include "task/candidate.h"

namespace hone::loop {

struct VersionCommit {
  std::string tree;
  std::string commit;
};

// All that a version's commit is made of.
struct CommitInputs {
  uint64_t version = 0;
  std::optional<std::string> parent;
  std::string verdict;
  std::string anchor;
  int64_t date_s = 0;
};

class History {
 public:
  static Result<History> open(Store& store, Processes& processes, Clock& clock);

  // Writes the objects of a version; no ref moves. The same arguments give the same commit.
  Result<VersionCommit> prepare(const task::Candidate& candidate, const CommitInputs& inputs);
  // Moves refs/hone/vK and refs/hone/incumbent to where the log says they are; makes anew what a deleted store.git
  // held.
  Status follow();

  const record::GitStore& git() const { return git_; }

 private:
  Status restore(const campaign::Version& version);

  History(Store& store, record::GitStore git) : store_(&store), git_(std::move(git)) {}
  Store* store_;
  record::GitStore git_;
};

// "lines:hash" of the log as it stands.
std::string anchor_of(const record::Head& head);

// The files of a version as they stand in a tree: candidate files and variant.toml.
std::vector<record::TreeFile> tree_files(const task::Candidate& candidate);

}  // namespace hone::loop
