#include "device/cuda/watch.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/socket.h>

#include <array>
#include <new>

#include "device/cuda/conditions.h"

namespace hone::device::cuda {

namespace {

// A child that answers at all ends within a poll.
constexpr Nanoseconds k_parting_patience = std::chrono::milliseconds(100);

template <size_t size>
Status put(char (&into)[size], std::string_view text) {
  if (text.size() >= size)
    return Error{ErrorCode::internal, fmt::format("'{}' is longer than a watch's page has room for", text)};
  memcpy(into, text.data(), text.size());
  return ok();
}

sandbox::Confinement confinement_of(const WatchRequest& request, int socket, int page) {
  sandbox::Confinement confinement;
  confinement.profile = sandbox::Profile::launcher;
  confinement.argv = {"hone", "watch"};
  confinement.environment = request.environment;
  confinement.mounts = request.mounts;
  confinement.descriptors = {socket, page};
  return confinement;
}

bool is_fresh(const WatchWords& words, Nanoseconds now) {
  const Nanoseconds polled_at(static_cast<int64_t>(words.polled_at_ns));
  return words.polls > 0 && polled_at <= now && now - polled_at <= k_stale_after;
}

}  // namespace

Result<std::unique_ptr<Watch>> Watch::start(const WatchRequest& request) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{ErrorCode::io, fmt::format("cannot make a socket for the watch: {}", strerror(errno))};
  Fd ours(ends[0]);
  const Fd theirs(ends[1]);
  HONE_TRY(cpu::SharedMemory memory, cpu::SharedMemory::make(sizeof(WatchPage), cpu::Others::may_write));
  auto* page = new (memory.bytes().data()) WatchPage;
  HONE_CHECK(put(page->uuid, request.uuid));
  HONE_CHECK(put(page->library, request.library));
  HONE_TRY(sandbox::Child child, sandbox::spawn(confinement_of(request, theirs.get(), memory.fd())));
  memory.close_file();
  return std::unique_ptr<Watch>(new Watch(std::move(ours), std::move(memory), std::move(child)));
}

Watch::~Watch() {
  socket_.reset();
  child_.wait(k_parting_patience);
}

std::optional<WatchWords> Watch::reading(const Clock& clock) const {
  if (state() != WatchState::watching) return std::nullopt;
  const auto words = settled_words(page());
  return words && is_fresh(*words, clock.now()) ? words : std::nullopt;
}

void Watch::expect(uint64_t processes) { __atomic_store_n(&page().expected_processes, processes, __ATOMIC_RELAXED); }

WatchState Watch::state() const { return static_cast<WatchState>(__atomic_load_n(&page().state, __ATOMIC_ACQUIRE)); }

}  // namespace hone::device::cuda
