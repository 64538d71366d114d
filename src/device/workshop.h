// Workshop: the folders of one confined build, and the cache of what builds left: sources that the build may read,
// outputs that it may write. A cached artefact is a folder <cache>/artefacts/<key>/ of named files; it appears whole or
// not at all.
// Ownership: a Workshop's folder goes with it; a killed one's is swept by the pid in its name. Failure: environment,
// where the machine leaves a compiler no room; refused, for an output that is no plain file; io. Threads and
// processes may share a cache: every build has folders of its own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/hash.h"
#include "base/result.h"
#include "task/candidate.h"

namespace hone::device {

struct Workshop {
  TemporaryFolder folder;
  std::filesystem::path source() const { return folder.path() / "source"; }
  std::filesystem::path objects() const { return folder.path() / "objects"; }
};

// Writes the files below source(); makes objects() writable for confined children.
Result<Workshop> open_workshop(const std::filesystem::path& cache, std::span<const task::CandidateFile> files);
// Where builds work, each in a folder whose name begins with the pid of its process.
std::filesystem::path builds_folder(const std::filesystem::path& cache);

// What a confined process wrote: no link is followed, nothing but a file of at most 256 MiB is read.
Result<std::string> read_built(const std::filesystem::path& path);
Result<std::vector<std::string>> read_built(const std::filesystem::path& folder, std::span<const std::string> names);
Digest digest_of(std::span<const std::string> outputs);

struct BuiltFile {
  std::string name;  // "0.o", or a path below the folder
  std::string bytes;
};
// All that a confined process wrote below a folder, by name. More than 4096 entries are refused.
Result<std::vector<BuiltFile>> read_tree(const std::filesystem::path& folder);
Status write_tree(const std::filesystem::path& folder, std::span<const BuiltFile> files);
// Removes what processes that were killed left here: each name begins with the pid of its maker.
void sweep_left_overs(const std::filesystem::path& folder);
// Somebody else may have stored the same in the meantime: either will do.
Status store_artefact(const std::filesystem::path& folder, std::span<const BuiltFile> files);

}  // namespace hone::device
