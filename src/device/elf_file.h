// ElfFile: sections, symbols and their names of an ELF64 file (System V ABI, chapter 4), as compilers leave them. The
// bytes come out of a confined build and are untrusted: every offset is checked, and what makes no sense reads as not
// there. A view: the bytes must outlive it. Pure; any thread.
#pragma once

#include <elf.h>
#include <string.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/hash.h"

namespace hone::device {

template <class T>
std::optional<T> read_at(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Up to the 0 behind it, or the end; at most k_longest_name_bytes.
inline constexpr size_t k_longest_name_bytes = 4096;
std::string_view text_at(Bytes strings, uint64_t offset);

class ElfFile {
 public:
  static std::optional<ElfFile> open(Bytes file);  // nothing where that is no ELF64 file

  const Elf64_Ehdr& header() const { return header_; }
  uint64_t section_count() const { return header_.e_shnum; }
  std::optional<Elf64_Shdr> section(uint64_t index) const;
  Bytes content(const Elf64_Shdr& section) const;  // empty where the file holds none
  Bytes content(uint64_t index) const;
  std::string_view name(const Elf64_Shdr& section) const;
  // The first table of symbols of that type: a file has one at most of each.
  std::optional<Elf64_Shdr> symbols(uint32_t type = SHT_SYMTAB) const;

 private:
  ElfFile(Bytes file, const Elf64_Ehdr& header) : file_(file), header_(header) {}
  Bytes file_;
  Elf64_Ehdr header_;
};

}  // namespace hone::device
