// Diagnosis without a profiler: what bounds the kernel, from the contract's own roofline, and the order in which to try
// the tiers. Class (research/profile.md 4.6): latency when the timed cases take less than three empty launches; else
// memory or compute, whichever floor term is at least 1.5 times the other; else what the contract declares; else the
// larger term. Tiers: the published rule, with tier 1 first for every kind, since launch and tile choices are always
// safe to try and nothing better is known. A diagnosis always says where it comes from and how sure it is; what cannot
// be known is absent. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"
#include "diagnose/roofline.h"
#include "task/types.h"

namespace hone::diagnose {

enum class Confidence { high, medium, low };
enum class Evidence { roofline, counters };

// Timings of the incumbent on one timed case; `seconds` is absent before the first measurement.
struct CaseEvidence {
  std::string id;
  double weight = 1.0;
  std::optional<Floor> floor;
  std::optional<double> seconds;
};

struct Diagnosis {
  std::optional<task::Bound> bound;  // absent: nothing is known and nothing was declared
  std::string source;                // "roofline of the contract", "declared in the contract"
  Confidence confidence = Confidence::low;
  std::vector<std::string> flags;  // "launch": near the empty launch; "at_floor": at least 0.95 of the floor
  std::vector<CaseEvidence> cases;
  std::optional<double> floor_fraction;  // weighted geometric mean of floor ÷ time over the cases that have both
  std::optional<double>
      gap_fraction;        // 1 − floor_fraction: share of the time that is not explained by the floor; 0 at best
  std::vector<int> tiers;  // 1 to 5, the first to try first
  std::string tier_reason;
  std::vector<std::string> warnings;

  bool has_flag(std::string_view name) const;
};

constexpr double k_launch_multiple = 3.0;     // research/profile.md S1
constexpr double k_clear_ratio = 1.5;         // research/profile.md 4.6 a
constexpr double k_at_floor_fraction = 0.95;  // DESIGN.md 3

Diagnosis diagnose(std::vector<CaseEvidence> cases, std::optional<task::Bound> declared,
                   std::optional<double> empty_launch_seconds);

// memory → 1, 2, 3; compute → 3, 1, 5; latency → 4, 3; the remaining tiers follow in order. With the roofline alone
// tier 1 leads.
std::vector<int> tier_order(std::optional<task::Bound> bound, Evidence evidence);

template <class A>
void describe(A& a, CaseEvidence& v) {
  a.field("id", v.id);
  a.field("weight", v.weight);
  a.field("floor", v.floor);
  a.field("seconds", v.seconds);
}

template <class A>
void describe(A& a, Diagnosis& v) {
  a.field("bound", v.bound);
  a.field("source", v.source);
  a.field("confidence", v.confidence);
  a.field("flags", v.flags);
  a.field("cases", v.cases);
  a.field("floor_fraction", v.floor_fraction);
  a.field("gap_fraction", v.gap_fraction);
  a.field("tiers", v.tiers);
  a.field("tier_reason", v.tier_reason);
  a.field("warnings", v.warnings);
}

}  // namespace hone::diagnose

namespace hone {
template <>
struct EnumNames<diagnose::Confidence> {
  using T = diagnose::Confidence;
  static constexpr EnumName<T> table[] = {{T::high, "high"}, {T::medium, "medium"}, {T::low, "low"}};
};
}  // namespace hone
