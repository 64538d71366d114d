// The one table of confinement profiles: for each kind of confined process, what it may see and do.
// A profile states what is wanted; layers.h and spawn.h say what this machine grants of it.
// What the tuner measures it measures in a runner: the same arms, filter and limits as for a verdict, so it has no row.
// Constant data, no failure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/enums.h"
#include "sandbox/landlock.h"
#include "sandbox/layers.h"
#include "sandbox/root_plan.h"
#include "sandbox/seccomp.h"

namespace hone::sandbox {

enum class Profile { build, runner, oracle, launcher, sanitizer };

// Who installs the seccomp filter: spawn before exec, or the program itself once it has set itself up (hone's own
// roles).
enum class FilterInstalledBy { spawn, program };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool k_limits_address_space = false;  // of this program: under a sanitizer it reserves terabytes
#else
inline constexpr bool k_limits_address_space = true;
#endif

struct Limits {
  std::optional<uint64_t> address_space_bytes;  // absent: unlimited, or what the caller asks for
  uint64_t cpu_seconds = 0;                     // a backstop behind the judge's deadlines
  uint64_t file_bytes = 0;                      // of any one file, captured output included
  uint64_t open_files = 0;
  uint64_t processes = 0;  // of the confined user, threads count
};

struct ProfileRow {
  Profile profile;
  LayerSet layers;
  Rules rules;
  FilterInstalledBy filter;
  std::optional<uint64_t> tmp_bytes;  // of the private /tmp; absent: nothing to write into
  Limits limits;
  Access own_proc = Access::read_only;
  Network network = Network::none;
  LayerSet needs = {};                        // a machine that does not grant these starts none of it
  std::optional<uint64_t> shared_bytes = {};  // of a private /dev/shm; absent: there is none
};

std::span<const ProfileRow> profiles();
const ProfileRow& row_of(Profile profile);

}  // namespace hone::sandbox

namespace hone {
template <>
struct EnumNames<sandbox::Profile> {
  using T = sandbox::Profile;
  static constexpr EnumName<T> table[] = {{T::build, "build"},
                                          {T::runner, "runner"},
                                          {T::oracle, "oracle"},
                                          {T::launcher, "launcher"},
                                          {T::sanitizer, "sanitizer"}};
};
}  // namespace hone
