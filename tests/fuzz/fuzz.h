// What fuzz targets share. A target is one function over bytes that somebody else wrote: it must neither crash, nor
// hang, nor break a property that it names with require(). The one place where hone's code may end the process on
// purpose.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/text.h"

namespace hone::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A property that must hold; libFuzzer keeps the input that breaks it.
inline void require(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "property broken: %s\n", what);
  abort();
}

// A file in memory for parsers that take a path; every write replaces its content.
class InputFile {
 public:
  InputFile() : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {}
  std::string write(std::string_view content) const {
    require(ftruncate(fd_.get(), 0) == 0, "the file can be emptied");
    require(pwrite(fd_.get(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()),
            "the file can be written");
    return fmt::format("/proc/self/fd/{}", fd_.get());
  }

 private:
  Fd fd_;
};

}  // namespace hone::fuzz
