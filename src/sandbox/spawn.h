// spawn: starts one confined process. The only way hone runs code or compilers on candidate files.
// The child gets its own namespaces where allowed, a private root, Landlock, a clean environment, the descriptors it is
// handed and no others, rlimits, a control group, no new privileges, and dies with the thread that spawned it. It is
// not dumpable and leads its own session. Where it has no private /tmp, TMPDIR names the first folder lent for writing.
//
// Ownership: Child owns the process; its destructor kills and reaps the whole tree: the pid namespace ends it, else the
// control group and the process group, which the filter keeps anybody from leaving. Without a pid namespace this
// process becomes the reaper of what its children leave behind (PR_SET_CHILD_SUBREAPER).
// Failure: io or environment, naming the step that failed in the child before exec. A layer that this machine refuses
// is left out and absent from Child::layers(). Threading: any number of threads may spawn at once, each
// must outlive its children (PR_SET_PDEATHSIG is per thread). Needs Linux 5.12 (pidfd, close_range, mount_setattr); on
// older kernels the layers concerned are absent.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "sandbox/control_group.h"
#include "sandbox/layers.h"
#include "sandbox/profile.h"
#include "sandbox/root_plan.h"

namespace hone::sandbox {

struct Confinement {
  Profile profile = Profile::build;
  std::optional<std::filesystem::path> program = {};  // absent: this very executable, in a role named by argv[1]
  std::vector<std::string> argv = {};
  std::map<std::string, std::string> environment = {};  // nothing is inherited; TMPDIR is added where one is lent
  std::filesystem::path folder = "/";                   // working directory, as seen inside
  System system = System::whole;
  std::vector<Mount> mounts = {};
  std::vector<int> descriptors = {};                 // borrowed; become 3, 4, … in the child
  int output = -1;                                   // borrowed; standard output, -1 = /dev/null
  int errors = -1;                                   // borrowed; standard error, -1 = /dev/null
  std::vector<int> cores = {};                       // affinity of the whole child; empty = as the parent
  std::optional<uint64_t> address_space_bytes = {};  // instead of the profile's
};

// How a process ended.
struct Ending {
  enum class How { exited, signalled };
  How how = How::exited;
  int value = 0;  // exit status or signal
  bool clean() const { return how == How::exited && value == 0; }
};

class Child {
 public:
  Child(pid_t pid, Fd pidfd, LayerSet layers, std::unique_ptr<ControlGroup> group);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  pid_t pid() const { return pid_; }
  const Fd& pidfd() const { return pidfd_; }
  LayerSet layers() const { return layers_; }

  void kill();  // the whole tree; reaping is wait's or the destructor's
  // The ending, once it is there, or nothing at the deadline. Zero looks once. Asked again, it answers the same.
  std::optional<Ending> wait(Nanoseconds timeout);
  // Stops every thread and returns when all stand still; the ending if the process ended instead.
  std::optional<Ending> freeze();
  void thaw();

 private:
  void end();
  std::optional<Ending> remember(Ending ending);

  pid_t pid_ = -1;
  Fd pidfd_;
  LayerSet layers_;
  std::unique_ptr<ControlGroup> group_;
  std::optional<Ending> ending_;
};

Result<Child> spawn(const Confinement& confinement);

// The layers that this machine grants, tried once per process by confining a child that does nothing.
LayerSet available_layers();

// Whom files must belong to so that a confined process may write them: root's children are somebody else.
// Makes a folder, with what is in it, writable for confined children; nothing to do for an ordinary user.
Status give_to_confined(const std::filesystem::path& folder);

}  // namespace hone::sandbox
