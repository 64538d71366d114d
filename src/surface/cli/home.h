// Bringing a version home: what it is as files of the user's folder, and which bytes there hone knows. Shared by diff,
// apply and export. Reads the campaign alone; never the user's repository. Failure: as reading a campaign; usage for a
// word that names no version.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "loop/store.h"
#include "record/git_store.h"
#include "surface/cli/command.h"
#include "task/candidate.h"

namespace hone::cli {

inline constexpr OptionRow k_task_option{"--task", "DIR", "the present folder", "the task's folder", "as git takes it"};

// The campaign that --task, -C or the present folder names, and the user's folder that it optimises.
fs::path campaign_of_task(const Context& context);
fs::path users_folder(const Context& context, const fs::path& campaign);

struct Home {
  campaign::State state;
  campaign::Version version;  // what is brought home
  std::vector<record::TreeFile>
      before;  // the same files as the contract found them; those that were not there are absent
  std::vector<record::TreeFile> after;  // sorted by path
};

// `word`: vK, best, baseline or the digest of a version. What was never proven is not brought home.
Result<Home> open_home(const fs::path& campaign, const std::string& word);
// The version that such a word means in a campaign.
Result<campaign::Version> version_named(const campaign::State& state, const std::string& word);
std::string title_of(const campaign::Version& version);  // "v3"

// A candidate's files with variant.toml when it chooses anything, or when the user's folder has one.
std::vector<record::TreeFile> files_at_home(const campaign::State& state, const task::Candidate& candidate);

// By path the digests of the bytes that are safe in the campaign: as the contract found them or as some version has
// them.
using KnownBytes = std::map<std::string, std::set<std::string>>;
KnownBytes known_bytes(const campaign::State& state);
bool is_known(const KnownBytes& known, const std::string& path, std::string_view bytes);

// Unified diff from one set of files to another, git's own form, binary files included.
Result<std::string> diff_text(Processes& processes, const std::vector<record::TreeFile>& from,
                              const std::vector<record::TreeFile>& to);
// The same as a mail for `git am`.
Result<std::string> mail_text(Processes& processes, const std::vector<record::TreeFile>& from,
                              const std::vector<record::TreeFile>& to, const record::CommitText& text);
// What a commit of this version says: what was proven and where that stands.
record::CommitText commit_text(const Home& home);

}  // namespace hone::cli
