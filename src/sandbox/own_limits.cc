#include "sandbox/own_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <string>

#include "base/text.h"

namespace hone::sandbox {

namespace {

constexpr uint64_t k_mib = 1ull << 20;
constexpr uint64_t k_gib = 1ull << 30;

using Words = std::string (*)(uint64_t);

struct LeastRow {
  Purpose purpose;
  __rlimit_resource_t resource;
  uint64_t least;
  Words shown;       // a value of this resource
  const char* what;  // about that value
  const char* why;
  const char* type;
};

std::string plain_count(uint64_t count) { return std::to_string(count); }

constexpr LeastRow k_least[] = {
    {Purpose::any_command, RLIMIT_STACK, 1 * k_mib, human_bytes, "a stack may have {} at most here",
     "hone itself could run out of it", "ulimit -s 8192"},
    // What Linux gives by default, and kernels rely on.
    {Purpose::judging, RLIMIT_STACK, 8 * k_mib, human_bytes, "a stack may have {} at most here",
     "a kernel or a compiler could run out of it, and a candidate would be blamed for it", "ulimit -s 8192"},
    {Purpose::judging, RLIMIT_FSIZE, 16 * k_mib, human_bytes, "files may have {} at most here",
     "a compiler could not write its output, and a candidate would be blamed for it", "ulimit -f unlimited"},
    {Purpose::judging, RLIMIT_DATA, 1 * k_gib, human_bytes, "a process may have {} of data at most here",
     "a compiler or the judge could run out of memory, and a candidate would be blamed for it", "ulimit -d unlimited"},
    {Purpose::judging, RLIMIT_AS, 2 * k_gib, human_bytes, "a process may have {} of address space at most here",
     "a compiler or the judge could run out of memory, and a candidate would be blamed for it", "ulimit -v unlimited"},
    // Each buffer of each arm is a descriptor of the judge.
    {Purpose::judging, RLIMIT_NOFILE, 256, plain_count, "open files may be {} at most here",
     "the judge could not open what it shares with a kernel", "ulimit -n 1024"},
    // Root may exceed it, but whoever it builds and runs candidates as may not.
    {Purpose::judging, RLIMIT_NPROC, 64, plain_count, "processes of a user may be {} at most here",
     "a compiler could not start its parts, and a candidate would be blamed for it", "ulimit -u 4096"},
};

Error too_little(const LeastRow& row, const rlimit& limit) {
  std::string help = fmt::format("raise the limit: {}", row.type);
  if (limit.rlim_max < row.least) help += "; its hard limit is as low, so that takes a shell with a higher one";
  return {ErrorCode::environment, fmt::format(fmt::runtime(row.what), row.shown(limit.rlim_cur)), {}, row.why, help};
}

}  // namespace

Status limits_suffice_for(Purpose purpose) {
  for (const LeastRow& row : k_least) {
    rlimit limit{};
    const bool known = row.purpose == purpose && getrlimit(row.resource, &limit) == 0;
    if (known && limit.rlim_cur < row.least) return too_little(row, limit);
  }
  return ok();
}

}  // namespace hone::sandbox
