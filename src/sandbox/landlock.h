// Landlock: what a confined process may open, whatever else holds or fails. Reading and executing beneath what the root
// plan lends (or the whole private root, which holds nothing else), writing beneath what is lent for writing, no
// network (ABI 4), no signals or abstract sockets to the outside (ABI 6). It matters most where mount namespaces are
// refused: then it is all that stands between a child and the user's files. It does not hide that a path exists.
// Needs no_new_privileges. A plan belongs to one spawn; entering returns 0 or errno and does not allocate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/layers.h"
#include "sandbox/root_plan.h"

namespace hone::sandbox {

// The version that the kernel offers; 0: none.
int landlock_abi();

struct LandlockRule {
  std::string path;  // as seen inside; one that cannot be opened there grants nothing
  uint64_t access = 0;
};

struct LandlockPlan {
  uint64_t files = 0;    // rights that are denied unless a rule grants them
  uint64_t network = 0;  // rights that are denied
  uint64_t scopes = 0;   // what ends at the edge of the confined tree
  uint64_t executable_access = 0;
  std::vector<LandlockRule> rules;
};

// What a confined process may speak over: nothing, or the loopback of a network namespace of its own, where it has one.
enum class Network { none, own_loopback };

// `own_proc`: whether processes may write into the files of their own /proc, where they have one.
LandlockPlan plan_landlock(int abi, LayerSet layers, const RootPlan& root, Access own_proc = Access::read_only,
                           Network network = Network::none);

// `executable`: a descriptor of the program to start, or -1.
int enter_landlock(const LandlockPlan& plan, int executable);

}  // namespace hone::sandbox
