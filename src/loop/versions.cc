// How the incumbent moves: one event is the commit point, and git follows it. Every function finds what is done when it
// is run again after a crash.
#include <fmt/format.h>

#include <chrono>

#include "loop/session.h"

namespace hone::loop {

// What the promoting event holds, made so that the same event always gives the same commit.
Result<campaign::Promoted> Session::promotion_of(const task::Candidate& candidate, const Answer& answer) {
  campaign::Promoted promoted;
  promoted.version = state().versions.size();
  promoted.experiment = state().experiments.size();
  promoted.candidate = candidate.digest.hex();
  promoted.parent = state().incumbent()->commit;
  promoted.verdict = answer.blob;
  promoted.anchor = anchor_of(store_->head());
  promoted.date_s = std::chrono::duration_cast<std::chrono::seconds>(services_.clock->wall_time()).count();
  HONE_TRY(const VersionCommit commit, apart([&] {
             return history_->prepare(
                 candidate, {promoted.version, promoted.parent, promoted.verdict, promoted.anchor, promoted.date_s});
           }));
  promoted.tree = commit.tree;
  promoted.commit = commit.commit;
  return promoted;
}

Status Session::promote(const task::Candidate& candidate, const Answer& answer) {
  if (state().incumbent()->candidate != candidate.digest.hex()) {
    HONE_TRY(auto promoted, promotion_of(candidate, answer));
    HONE_CHECK(store_->append(std::move(promoted)));
  }
  HONE_CHECK(apart([&] { return history_->follow(); }));
  HONE_CHECK(unpark(candidate.digest.hex(), "built upon"));
  return unpark(state().experiments.back().started.parent, "built upon");
}

// The newest older version that passes now: what it answered once is not asked of the store.
Result<uint64_t> Session::newest_sound_version(const campaign::Verdict& verdict) {
  const uint64_t wrong = state().incumbent_version;
  for (uint64_t number = wrong; number-- > 0;) {
    if (state().versions[number].demoted) continue;
    services_.display->phase(fmt::format("verify v{} again", number));
    HONE_TRY(const task::Candidate older, candidate(state().versions[number].candidate));
    HONE_TRY(const Answer answer, judging_->verify_again(older));
    if (answer.verdict.outcome == campaign::Outcome::correct) return number;
  }
  return Error{ErrorCode::refused, fmt::format("the incumbent v{} was found wrong and no older version passes: {}",
                                               wrong, verdict.message)};
}

Status Session::demote(const campaign::Verdict& verdict) {
  const campaign::Version wrong = *state().incumbent();
  if (verdict.incumbent && *verdict.incumbent != wrong.candidate) return ok();  // done before a crash
  HONE_TRY(const uint64_t sound, newest_sound_version(verdict));
  HONE_CHECK(unpark_what_stands_on(wrong));
  services_.display->note(fmt::format("v{} was found wrong; v{} is the incumbent again", wrong.number, sound));
  HONE_CHECK(store_->append(campaign::Demoted{wrong.number, sound, verdict.message}));
  return apart([&] { return history_->follow(); });
}

}  // namespace hone::loop
