#include "task/candidate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "task/inside.h"

namespace hone::task {

namespace {

constexpr std::string_view k_variant_file = "variant.toml";

// One entry of the digest: path, git's mode, length and bytes, each with its length in front.
void add_entry(Sha256& hash, const CandidateFile& file) {
  hash.add_field(file.path).add_field(file.executable ? "100755" : "100644").add_field(file.bytes);
}

Digest digest_of(std::vector<CandidateFile> files, const Variant& variant) {
  files.push_back({std::string(k_variant_file), false, canonical_text(variant)});
  std::sort(files.begin(), files.end(), [](const CandidateFile& a, const CandidateFile& b) { return a.path < b.path; });
  Sha256 hash;
  for (const CandidateFile& file : files) add_entry(hash, file);
  return hash.finish();
}

Error unreadable(const fs::path& folder, Error cause) {
  const ErrorCode code = cause.code;
  return Error{code,
               fmt::format("{} is no candidate", folder.string()),
               {},
               "a candidate is the editable files of the task, as bytes",
               "put every editable file there as a regular file"}
      .because(std::move(cause));
}

Result<Variant> read_variant_file(const Task& task, const fs::path& folder) {
  const std::string name(k_variant_file);
  if (!path_exists(folder / name)) return Variant{};
  HONE_TRY(const InsideFile file, read_inside(folder, name, k_candidate_file_limit_bytes));
  return read_variant(task, file.bytes, (folder / name).string());
}

}  // namespace

const CandidateFile* Candidate::find(std::string_view path) const {
  const auto found =
      std::find_if(files.begin(), files.end(), [path](const CandidateFile& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

Candidate make_candidate(std::vector<CandidateFile> files, Variant variant) {
  std::sort(files.begin(), files.end(), [](const CandidateFile& a, const CandidateFile& b) { return a.path < b.path; });
  std::sort(variant.options.begin(), variant.options.end());
  const Digest digest = digest_of(files, variant);
  return {std::move(files), std::move(variant), digest};
}

Result<Candidate> read_candidate(const Task& task, const fs::path& folder) {
  std::vector<CandidateFile> files;
  for (const std::string& path : task.kernel.editable) {
    auto file = read_inside(folder, path, k_candidate_file_limit_bytes);
    if (!file) return unreadable(folder, file.error());
    files.push_back({path, file->executable, std::move(file->bytes)});
  }
  auto variant = read_variant_file(task, folder);
  if (!variant) return unreadable(folder, variant.error());
  return make_candidate(std::move(files), *std::move(variant));
}

Candidate with_variant(const Candidate& candidate, Variant variant) {
  return make_candidate(candidate.files, std::move(variant));
}

}  // namespace hone::task
