#include "device/cpu/pin.h"

#include <errno.h>
#include <fmt/format.h>
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace hone::device::cpu {

Status pin_thread(pid_t thread, int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(core), &set);
  if (sched_setaffinity(thread, sizeof set, &set) == 0 || errno == ESRCH) return ok();
  return Error{ErrorCode::environment,
               fmt::format("cannot pin a thread to core {}: {}", core, strerror(errno)),
               {},
               "unpinned threads differ by 10 to 20 %, so nothing could be proven",
               "check taskset, cpuset or the container's cores"};
}

Status pin_judge(std::span<const int> cores) {
  if (cores.empty()) return Error{ErrorCode::internal, "no core to pin the judge to"};
  return pin_thread(0, cores.front());
}

std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code error;
  std::filesystem::directory_iterator walk(fmt::format("/proc/{}/task", process), error), end;
  for (; !error && walk != end; walk.increment(error)) {
    const std::string name = walk->path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    threads.push_back(thread);
  }
  std::sort(threads.begin(), threads.end());
  return threads;
}

}  // namespace hone::device::cpu
