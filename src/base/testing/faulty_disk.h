// A Disk for tests that fails or shortens what it is told to. Every mutating call counts as one operation, in order,
// from 1. Plain fields, set by the test; not thread-safe.
#pragma once

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/disk.h"

namespace hone::testing {

class FaultyDisk final : public Disk {
 public:
  size_t longest_write_bytes = SIZE_MAX;
  int writes_before_full = INT32_MAX;
  bool sync_fails = false;
  uint64_t fail_from = UINT64_MAX;  // first operation that fails …
  uint64_t fail_until = 0;          // … and the last; the rest succeed
  int error_number = EIO;
  uint64_t operations = 0;

  Result<Fd> open(const fs::path& path, int flags, unsigned mode) override {
    if (fails()) return io_error("open", path, error_number);
    return Disk::open(path, flags, mode);
  }
  // A failing write has written half of its bytes before, as a disk that fills up does.
  Result<size_t> write(int fd, Bytes bytes) override {
    if (writes_before_full-- <= 0) return io_error("write", "a file", ENOSPC);
    if (fails()) {
      std::ignore = Disk::write(fd, bytes.first(bytes.size() / 2));
      return io_error("write", "a file", error_number);
    }
    return Disk::write(fd, bytes.first(std::min(bytes.size(), longest_write_bytes)));
  }
  Status sync(int fd) override {
    if (fails() || sync_fails) return io_error("sync", fmt::format("descriptor {}", fd), EIO);
    return ok();
  }
  Status truncate(int fd, uint64_t size_bytes) override {
    if (fails()) return io_error("truncate", "a file", error_number);
    return Disk::truncate(fd, size_bytes);
  }
  Status rename(const fs::path& from, const fs::path& to) override {
    if (fails()) return io_error("rename into place", to, error_number);
    return Disk::rename(from, to);
  }
  Status remove(const fs::path& path) override {
    if (fails()) return io_error("remove", path, error_number);
    return Disk::remove(path);
  }
  Status make_directories(const fs::path& path) override {
    if (fails()) return io_error("create the folder", path, error_number);
    return Disk::make_directories(path);
  }

 private:
  bool fails() {
    ++operations;
    return operations >= fail_from && operations <= fail_until;
  }
};

}  // namespace hone::testing
