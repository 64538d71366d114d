#include "base/fd.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace hone {

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorCode::io, fmt::format("cannot make a pipe: {}", strerror(errno))};
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

}  // namespace hone
