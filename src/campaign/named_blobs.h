// Which blobs an event names: what must be there for the campaign to be whole, and all that may not be dropped.
// Pure, no failure, any thread.
#pragma once

#include <string>
#include <vector>

#include "campaign/event.h"

namespace hone::campaign {

struct NamedBlob {
  std::string part;  // the field that names it: "verdict", "samples", "files/softmax.cc"
  std::string digest;
};

std::vector<NamedBlob> named_blobs(const EventBody& body);

}  // namespace hone::campaign
