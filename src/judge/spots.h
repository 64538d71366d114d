// Spots: launches of what trials ask, between timed ones: another case, or another distribution, so that being timed
// does not mean being safe from those. Whether one comes before the next timed launch is drawn without memory: whoever
// has seen one knows nothing of the next. Pure; any thread.
#pragma once

#include <vector>

#include "judge/content.h"
#include "judge/keys.h"

namespace hone::judge {

struct Spot {
  const CaseContent* content = nullptr;
  device::Distribution distribution = device::Distribution::contract;
};

class Spots {
 public:
  // `around` are the cases that are timed; `others` those that may come besides, none where buffers have no room.
  // `probability` is of one before a timed launch, below 1.
  Spots(Draws draws, double probability, std::vector<const CaseContent*> around, std::vector<const CaseContent*> others)
      : draws_(draws), probability_(probability), around_(std::move(around)), others_(std::move(others)) {}

  // Asked before each timed launch until it says no.
  bool comes() { return draws_.comes(probability_); }
  Spot next();

 private:
  Draws draws_;
  double probability_;
  std::vector<const CaseContent*> around_;
  std::vector<const CaseContent*> others_;
};

}  // namespace hone::judge
