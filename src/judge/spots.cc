#include "judge/spots.h"

#include "judge/constants.h"

namespace hone::judge {

Spot Spots::next() {
  const bool other = !others_.empty() && draws_.below(k_spots_of_other_shapes) == 0;
  const std::vector<const CaseContent*>& from = other ? others_ : around_;
  Spot spot{from[draws_.below(from.size())]};
  const auto stress = stress_distributions();
  if (spot.content->has_free_inputs()) spot.distribution = stress[draws_.below(stress.size())];
  return spot;
}

}  // namespace hone::judge
