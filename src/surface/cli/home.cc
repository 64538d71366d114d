#include "surface/cli/home.h"

#include <fmt/format.h>

#include <algorithm>

#include "loop/contract.h"
#include "surface/cli/reports.h"
#include "surface/cli/workplace.h"
#include "views/figures.h"

namespace hone::cli {

namespace {

constexpr std::string_view k_variant = "variant.toml";

record::FileMode mode_of(bool executable) {
  return executable ? record::FileMode::executable : record::FileMode::plain;
}

const campaign::FileReference* find_in_contract(const campaign::State& state, std::string_view path) {
  for (const campaign::FileReference& file : state.opened->contract) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

Result<std::vector<record::TreeFile>> files_before(const fs::path& campaign, const Home& home) {
  std::vector<record::TreeFile> files;
  for (const record::TreeFile& file : home.after) {
    const campaign::FileReference* found = find_in_contract(home.state, file.path);
    if (found == nullptr) continue;
    HONE_TRY(std::string bytes, loop::read_blob(campaign, found->blob));
    files.push_back({file.path, mode_of(found->executable), std::move(bytes)});
  }
  return files;
}

}  // namespace

fs::path campaign_of_task(const Context& context) { return campaign_folder(context, context.arguments.text("task")); }

fs::path users_folder(const Context& context, const fs::path& campaign) {
  if (const auto task = context.arguments.text("task")) return task_folder(task);
  if (path_exists("task.toml")) return ".";
  return task_beside(campaign).value_or(".");
}

Result<campaign::Version> version_named(const campaign::State& state, const std::string& word) {
  HONE_TRY(const std::string digest, digest_named(state, word));
  for (const campaign::Version& version : state.versions) {
    if (version.candidate == digest) return version;
  }
  return Error{ErrorCode::usage,
               fmt::format("'{}' names a candidate that is no version", word),
               {},
               "it was never proven faster",
               "name vK, best or baseline; `hone diff` shows any candidate"};
}

std::string title_of(const campaign::Version& version) { return fmt::format("v{}", version.number); }

std::vector<record::TreeFile> files_at_home(const campaign::State& state, const task::Candidate& candidate) {
  std::vector<record::TreeFile> files;
  for (const task::CandidateFile& file : candidate.files)
    files.push_back({file.path, mode_of(file.executable), file.bytes});
  if (candidate.variant != task::Variant{} || find_in_contract(state, k_variant) != nullptr)
    files.push_back({std::string(k_variant), record::FileMode::plain, task::canonical_text(candidate.variant)});
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

Result<Home> open_home(const fs::path& campaign, const std::string& word) {
  HONE_TRY(loop::ReadOnly read, loop::read_campaign(campaign));
  Home home;
  home.state = std::move(read.state);
  HONE_TRY(home.version, version_named(home.state, word));
  const auto blob = [&](const std::string& digest) { return loop::read_blob(campaign, digest); };
  HONE_TRY(const task::Candidate candidate, loop::restore_candidate(home.state, home.version.candidate, blob));
  home.after = files_at_home(home.state, candidate);
  HONE_TRY(home.before, files_before(campaign, home));
  return home;
}

KnownBytes known_bytes(const campaign::State& state) {
  KnownBytes known;
  for (const campaign::FileReference& file : state.opened->contract) known[file.path].insert(file.blob);
  for (const campaign::Version& version : state.versions) {
    const campaign::CandidateAdded& candidate = *state.find_candidate(version.candidate);
    for (const campaign::FileReference& file : candidate.files) known[file.path].insert(file.blob);
    const task::Variant variant{candidate.values, candidate.options, candidate.launches.value_or("")};
    known[std::string(k_variant)].insert(sha256(task::canonical_text(variant)).hex());
  }
  return known;
}

bool is_known(const KnownBytes& known, const std::string& path, std::string_view bytes) {
  const auto found = known.find(path);
  return found != known.end() && found->second.contains(sha256(bytes).hex());
}

namespace {

// Two trees in a repository of their own, made for one question and thrown away.
struct Scratch {
  TemporaryFolder folder;
  record::GitStore git;
  record::ObjectId from;
  record::ObjectId to;
};

Result<Scratch> compare_in_scratch(Processes& processes, Disk& disk, const std::vector<record::TreeFile>& from,
                                   const std::vector<record::TreeFile>& to) {
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make(fs::temp_directory_path(), "hone-diff-"));
  HONE_TRY(record::GitStore git, record::GitStore::open(disk, processes, folder.path() / "scratch.git"));
  HONE_TRY(const record::ObjectId before, git.write_tree(from));
  HONE_TRY(const record::ObjectId after, git.write_tree(to));
  return Scratch{std::move(folder), std::move(git), before, after};
}

}  // namespace

Result<std::string> diff_text(Processes& processes, const std::vector<record::TreeFile>& from,
                              const std::vector<record::TreeFile>& to) {
  Disk disk;
  HONE_TRY(const Scratch scratch, compare_in_scratch(processes, disk, from, to));
  return scratch.git.diff(scratch.from, scratch.to);
}

Result<std::string> mail_text(Processes& processes, const std::vector<record::TreeFile>& from,
                              const std::vector<record::TreeFile>& to, const record::CommitText& text) {
  Disk disk;
  HONE_TRY(Scratch scratch, compare_in_scratch(processes, disk, from, to));
  HONE_TRY(const record::ObjectId base,
           scratch.git.commit_tree(scratch.from, {}, {"as the campaign found it", {}, text.date_s}));
  HONE_TRY(const record::ObjectId tip, scratch.git.commit_tree(scratch.to, {&base, 1}, text));
  return scratch.git.format_patch(base, tip);
}

namespace {

// What the log says of this version against v0 directly; nothing when it was not compared with v0 itself.
std::string proof_of(const Home& home) {
  const DirectGain gain = gain_over_baseline(home.state, home.version);
  if (!gain.speedup) return "";
  const std::string interval = gain.interval ? " " + views::interval_text(*gain.interval) : "";
  return fmt::format("Compared with v0 directly: {} as fast{}.", views::speedup_text(*gain.speedup), interval);
}

}  // namespace

record::CommitText commit_text(const Home& home) {
  record::CommitText text;
  text.message = fmt::format("{}: {} of its campaign with hone", home.state.opened->task_name, title_of(home.version));
  if (const std::string proof = proof_of(home); !proof.empty()) text.message += "\n\n" + proof;
  text.trailers = {{"Hone-Log", home.version.anchor}, {"Hone-Verdict", home.version.verdict}};
  text.date_s = home.version.date_s;
  return text;
}

}  // namespace hone::cli
