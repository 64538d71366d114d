#include "device/launcher/receive.h"

#include <errno.h>
#include <sched.h>
#include <sys/socket.h>

#include "base/clock.h"

namespace hone::device::launcher {

namespace {

constexpr int64_t k_while_ns = 500'000;

bool has_other_processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1;
}

}  // namespace

std::optional<ssize_t> receive_soon(int socket, std::span<char> packet) {
  const int64_t until = has_other_processors() ? judge_clock_ns() + k_while_ns : 0;
  do {
    const ssize_t got = recv(socket, packet.data(), packet.size(), MSG_DONTWAIT);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return got;
  } while (judge_clock_ns() < until);
  return std::nullopt;
}

}  // namespace hone::device::launcher
