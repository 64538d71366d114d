// What is left when a run stops without having met its target: distance to the floor, tiers tried, and whether tuning
// can still help or the algorithm has to change (REQUIREMENTS T35). Pure functions; any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnosis.h"

namespace hone::diagnose {

struct Remaining {
  std::optional<double> gap_fraction;  // of the time, above the floor
  std::vector<int> tiers_tried;
  std::vector<int> tiers_untried;
  std::vector<std::string> open_flags;
  bool algorithmic_redesign = false;
  std::vector<std::string> patterns;  // tier-3 patterns for this kind of kernel; empty when no redesign is called for
};

constexpr double k_redesign_gap_fraction = 0.20;  // REQUIREMENTS T35

// `kind` is the contract's [work] kind; of an unknown one only the general patterns apply.
Remaining what_remains(const Diagnosis& diagnosis, const std::set<int>& tiers_tried, std::string_view kind);

// Changes of the algorithm that are known to help a kind of kernel.
std::vector<std::string> algorithmic_patterns(std::string_view kind);

template <class A>
void describe(A& a, Remaining& v) {
  a.field("gap_fraction", v.gap_fraction);
  a.field("tiers_tried", v.tiers_tried);
  a.field("tiers_untried", v.tiers_untried);
  a.field("open_flags", v.open_flags);
  a.field("algorithmic_redesign", v.algorithmic_redesign);
  a.field("patterns", v.patterns);
}

}  // namespace hone::diagnose
