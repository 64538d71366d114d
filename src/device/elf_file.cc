#include "device/elf_file.h"

#include <algorithm>

namespace hone::device {

std::string_view text_at(Bytes strings, uint64_t offset) {
  if (offset >= strings.size()) return {};
  const char* start = reinterpret_cast<const char*>(strings.data() + offset);
  return {start, strnlen(start, std::min<size_t>(strings.size() - offset, k_longest_name_bytes))};
}

std::optional<ElfFile> ElfFile::open(Bytes file) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  return ElfFile(file, *header);
}

std::optional<Elf64_Shdr> ElfFile::section(uint64_t index) const {
  if (index >= header_.e_shnum || header_.e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  return read_at<Elf64_Shdr>(file_, header_.e_shoff + index * sizeof(Elf64_Shdr));
}

Bytes ElfFile::content(const Elf64_Shdr& section) const {
  if (section.sh_type == SHT_NOBITS) return {};
  if (section.sh_offset > file_.size() || file_.size() - section.sh_offset < section.sh_size) return {};
  return file_.subspan(section.sh_offset, section.sh_size);
}

Bytes ElfFile::content(uint64_t index) const {
  const auto found = section(index);
  return found ? content(*found) : Bytes();
}

std::string_view ElfFile::name(const Elf64_Shdr& section) const {
  return text_at(content(header_.e_shstrndx), section.sh_name);
}

std::optional<Elf64_Shdr> ElfFile::symbols(uint32_t type) const {
  for (uint64_t i = 0; i < section_count(); ++i) {
    const auto found = section(i);
    if (found && found->sh_type == type) return found;
  }
  return std::nullopt;
}

}  // namespace hone::device
