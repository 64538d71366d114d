// SharedMemory: an anonymous file and the judge's own writable mapping of it, to be handed to one confined process.
// Sealed against shrinking and growing, so that no process can turn the judge's reads into faults; with
// Others::read_only no later mapping can be writable, while the judge's own stays so (F_SEAL_FUTURE_WRITE). Ownership:
// file and mapping, freed when destroyed. Failure: io. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/fd.h"
#include "base/result.h"

namespace hone::device::cpu {

enum class Others { may_write, read_only };

class SharedMemory {
 public:
  static Result<SharedMemory> make(uint64_t size_bytes, Others others);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  std::span<std::byte> bytes() const { return {data_, size_bytes_}; }
  int fd() const { return fd_.get(); }
  void close_file() { fd_.reset(); }  // the mapping stays

 private:
  SharedMemory(Fd fd, std::byte* data, uint64_t size_bytes)
      : fd_(std::move(fd)), data_(data), size_bytes_(size_bytes) {}

  Fd fd_;
  std::byte* data_ = nullptr;
  uint64_t size_bytes_ = 0;
};

}  // namespace hone::device::cpu
