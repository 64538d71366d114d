// `hone audit --remeasure`: whether what a campaign claims can be measured again. A claim is a version that stands: it
// was proven faster than the version that it was made from. The same judge compares the two again under k = 1, from
// the contract and the candidates as the blobs hold them and with a secret of its own; nothing is written into the
// campaign. Failures: usage for a word that names no claim; environment (exit 3) when device, compiler or hone are not
// those of the claim; as asking a judge.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"
#include "base/json.h"
#include "campaign/verdict.h"
#include "surface/cli/reports.h"

namespace hone::cli {

enum class ClaimAnswer {
  agrees,        // FASTER again, and the intervals of the two speed-ups overlap
  contradicts,   // not faster, or wrong, or the intervals do not overlap
  inconclusive,  // the judge could not tell this time
};

struct Claim {
  std::string version;  // "v2"
  std::string against;  // the version that it was compared with
  std::optional<double> speedup;
  std::optional<campaign::Interval> speedup_interval;
};

struct RemeasuredClaim {
  Claim claim;
  campaign::Outcome outcome = campaign::Outcome::inconclusive;
  std::string reason;
  std::optional<double> speedup;
  std::optional<campaign::Interval> speedup_interval;
  ClaimAnswer answer = ClaimAnswer::inconclusive;
};

// Of a claim, from the judge's new answer.
RemeasuredClaim weigh(const Claim& claim, const campaign::Verdict& verdict);
// `words`: vK or best; none means every claim that stands and is comparable with today's numbers.
Result<std::vector<RemeasuredClaim>> remeasure_claims(const Context& context, const ReadCampaign& campaign,
                                                      const std::vector<std::string>& words);
std::string to_text(const RemeasuredClaim& claim);
// The worst of them: 1 contradicted, 4 inconclusive, 0 otherwise.
int exit_status(const std::vector<RemeasuredClaim>& claims);

template <class A>
void describe(A& a, RemeasuredClaim& v) {
  a.field("claim", v.claim.version);
  a.field("against", v.claim.against);
  a.field("claimed_speedup", v.claim.speedup);
  a.field("claimed_speedup_interval", v.claim.speedup_interval);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
  a.field("answer", v.answer);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::ClaimAnswer> {
  using T = cli::ClaimAnswer;
  static constexpr EnumName<T> table[] = {
      {T::agrees, "agrees"}, {T::contradicts, "contradicts"}, {T::inconclusive, "inconclusive"}};
};
}  // namespace hone
