#include "device/cpu/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"

namespace hone::device::cpu {

namespace {

Error shared_error(std::string_view doing, uint64_t size_bytes) {
  return Error{ErrorCode::io,
               fmt::format("cannot {} {} of shared memory: {}", doing, human_bytes(size_bytes), strerror(errno)),
               {},
               {},
               "free memory, or lower the sizes of the cases"};
}

int seals_for(Others others) {
  const int always = F_SEAL_SHRINK | F_SEAL_GROW;
  return others == Others::read_only ? always | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL : always | F_SEAL_SEAL;
}

}  // namespace

Result<SharedMemory> SharedMemory::make(uint64_t size_bytes, Others others) {
  Fd fd(memfd_create("hone-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return shared_error("create", size_bytes);
  if (ftruncate(fd.get(), static_cast<off_t>(size_bytes)) != 0) return shared_error("size", size_bytes);
  // Populated, so that no later access of ours meets a full machine.
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (data == MAP_FAILED) return shared_error("map", size_bytes);
  SharedMemory memory(std::move(fd), static_cast<std::byte*>(data), size_bytes);
  if (fcntl(memory.fd(), F_ADD_SEALS, seals_for(others)) != 0) return shared_error("seal", size_bytes);
  return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      data_(std::exchange(other.data_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) munmap(data_, size_bytes_);
}

}  // namespace hone::device::cpu
