// What a confined child does between clone and exec: a table of steps over a plan that the parent has prepared.
// Nothing here allocates, locks or throws: the child is a copy of a process that may have had other threads.
// Failure: the step and its errno, written to the report pipe, which exec closes.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/enums.h"
#include "base/fd.h"
#include "sandbox/control_group.h"
#include "sandbox/landlock.h"
#include "sandbox/layers.h"
#include "sandbox/profile.h"
#include "sandbox/root_plan.h"
#include "sandbox/seccomp.h"

namespace hone::sandbox {

enum class Step {
  identity,
  session,
  loopback,
  descriptors,
  root,
  proc,
  seal,
  cores,
  limits,
  user,
  privileges,
  landlock,
  leash,
  folder,
  filter,
  exec
};

struct Report {
  Step step = Step::identity;
  int error_number = 0;
};

enum class Then { exec, exit };  // a probe exits instead

struct ChildPlan {
  LayerSet layers;
  uid_t uid = 0;  // the parent's
  gid_t gid = 0;
  uid_t other_user = 0;
  RootPlan root;
  LandlockPlan landlock;
  std::unique_ptr<ControlGroup> group;
  std::vector<int> descriptors;  // what becomes 0, 1, 2, 3, …
  Fd null;
  Fd executable;  // absent when `program` names one
  std::string program;
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::vector<char*> argv_pointers;
  std::vector<char*> environment_pointers;
  std::string folder;
  std::vector<int> cores;
  Limits limits;
  Network network = Network::none;
  Filter filter;  // empty: the program installs its own
  Then then = Then::exec;
};

// The identity that root's children take on: somebody whom nothing belongs to. Limits are counted by user, so every
// hone has one of its own from a range that neither Debian nor systemd gives away; nobody where a container knows no
// such user.
uid_t other_user();

unsigned long clone_flags(LayerSet layers);
// Never returns. `report` is the write end of the report pipe.
[[noreturn]] void run_child(const ChildPlan& plan, int report);

}  // namespace hone::sandbox

namespace hone {
template <>
struct EnumNames<sandbox::Step> {
  using T = sandbox::Step;
  static constexpr EnumName<T> table[] = {
      {T::identity, "taking on an identity"},
      {T::session, "starting a session"},
      {T::loopback, "waking a loopback of its own"},
      {T::descriptors, "arranging descriptors"},
      {T::root, "building a private root"},
      {T::proc, "mounting /proc"},
      {T::seal, "leaving the old root"},
      {T::cores, "pinning to cores"},
      {T::limits, "setting limits"},
      {T::user, "changing the user"},
      {T::privileges, "giving up privileges"},
      {T::landlock, "closing what it may not open"},
      {T::leash, "tying it to its parent"},
      {T::folder, "entering the folder"},
      {T::filter, "installing the filter"},
      {T::exec, "starting the program"},
  };
};
}  // namespace hone
