#include "loop/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "loop/contract.h"
#include "record/owner.h"

namespace hone::loop {

namespace {

constexpr auto k_git_patience = std::chrono::seconds(5);
constexpr std::string_view k_incumbent_ref = "refs/hone/incumbent";

std::string version_ref(uint64_t number) { return fmt::format("refs/hone/v{}", number); }

std::optional<record::ObjectId> find(const record::Refs& refs, const std::string& name) {
  const auto found = refs.find(name);
  return found == refs.end() ? std::nullopt : std::optional(found->second);
}

bool is_known_commit(const campaign::State& state, const std::string& commit) {
  return std::any_of(state.versions.begin(), state.versions.end(), [&](const auto& v) { return v.commit == commit; });
}

Error moved(const std::string& ref, const std::string& found) {
  return {ErrorCode::contract,
          fmt::format("{} in store.git was moved by someone else (it is at {})", ref, found),
          {},
          "the log is the truth, and git follows it alone",
          fmt::format("put it back, or delete store.git: hone rebuilds it from the log")};
}

}  // namespace

std::vector<record::TreeFile> tree_files(const task::Candidate& candidate) {
  std::vector<record::TreeFile> files;
  for (const task::CandidateFile& file : candidate.files)
    files.push_back({file.path, file.executable ? record::FileMode::executable : record::FileMode::plain, file.bytes});
  files.push_back({"variant.toml", record::FileMode::plain, task::canonical_text(candidate.variant)});
  return files;
}

Result<History> History::open(Store& store, Processes& processes, Clock& clock) {
  HONE_TRY(record::GitStore git, record::GitStore::open(store.disk(), processes, store.folder() / "store.git"));
  if (const auto& session = store.state().session; session && session->pid != 0) {
    const record::Owner before{static_cast<pid_t>(session->pid), std::stoull("0" + session->process_start)};
    const record::Owner self = record::this_process();
    if (before.pid == self.pid && before.start_ticks == self.start_ticks) return History(store, std::move(git));
    HONE_TRY(const auto removed, git.remove_leftovers(before, clock, k_git_patience));
    std::ignore = removed;
  }
  return History(store, std::move(git));
}

std::string anchor_of(const record::Head& head) { return fmt::format("{}:{}", head.lines, head.hash.hex()); }

Result<VersionCommit> History::prepare(const task::Candidate& candidate, const CommitInputs& inputs) {
  const std::vector<record::TreeFile> files = tree_files(candidate);
  HONE_TRY(const record::ObjectId tree, git_.write_tree(files));
  std::vector<record::ObjectId> parents;
  if (inputs.parent) parents.push_back({*inputs.parent});
  record::CommitText text;
  text.message = inputs.version == 0 ? "v0: the baseline" : fmt::format("v{}: proven faster", inputs.version);
  text.trailers = {{"Hone-Log", inputs.anchor}, {"Hone-Verdict", inputs.verdict}};
  text.date_s = inputs.date_s;
  HONE_TRY(const record::ObjectId commit, git_.commit_tree(tree, parents, text));
  return VersionCommit{tree.hex, commit.hex};
}

Status History::restore(const campaign::Version& version) {
  const auto read = [this](const std::string& digest) { return store_->get(digest); };
  HONE_TRY(const task::Candidate candidate, restore_candidate(store_->state(), version.candidate, read));
  HONE_TRY(const VersionCommit made,
           prepare(candidate, {version.number, version.parent, version.verdict, version.anchor, version.date_s}));
  if (made.commit != version.commit)
    return Error{ErrorCode::refused, fmt::format("v{} rebuilds to commit {}, the log says {}", version.number,
                                                 made.commit, version.commit)};
  return ok();
}

Status History::follow() {
  const campaign::State& state = store_->state();
  if (state.versions.empty()) return ok();
  HONE_TRY(const record::Refs refs, git_.refs());
  std::vector<record::RefMove> moves;
  for (const campaign::Version& version : state.versions) {
    const auto before = find(refs, version_ref(version.number));
    if (before && before->hex != version.commit) return moved(version_ref(version.number), before->hex);
    if (before) continue;
    HONE_CHECK(restore(version));
    moves.push_back({version_ref(version.number), std::nullopt, {version.commit}});
  }
  const auto before = find(refs, std::string(k_incumbent_ref));
  if (before && !is_known_commit(state, before->hex)) return moved(std::string(k_incumbent_ref), before->hex);
  const std::string& after = state.incumbent()->commit;
  if (!before || before->hex != after) moves.push_back({std::string(k_incumbent_ref), before, {after}});
  return moves.empty() ? ok() : git_.move_refs(moves);
}

}  // namespace hone::loop
