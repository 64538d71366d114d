// The next packet of the socket between judge and launcher. Most of what either waits for takes less time than being
// woken up does, so it is looked for again and again for a while before the process sleeps; where one processor is all
// there is, it sleeps at once, to let the other work. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>

namespace hone::device::launcher {

// As recv, without waiting longer than the while: nothing when no packet came.
std::optional<ssize_t> receive_soon(int socket, std::span<char> packet);

}  // namespace hone::device::launcher
