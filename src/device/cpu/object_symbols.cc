#include "device/cpu/object_symbols.h"

#include <elf.h>
#include <string.h>

#include <algorithm>
#include <optional>

namespace hone::device::cpu {

namespace {

constexpr size_t k_longest_name = 4096;

template <class T>
std::optional<T> read_at(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string text_at(Bytes bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const char* start = reinterpret_cast<const char*>(bytes.data() + offset);
  return {start, strnlen(start, std::min<size_t>(bytes.size() - offset, k_longest_name))};
}

std::optional<Elf64_Shdr> section_at(Bytes object, const Elf64_Ehdr& header, uint64_t index) {
  if (index >= header.e_shnum || header.e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  return read_at<Elf64_Shdr>(object, header.e_shoff + index * sizeof(Elf64_Shdr));
}

Bytes content_of(Bytes object, const Elf64_Shdr& section) {
  if (section.sh_offset > object.size() || object.size() - section.sh_offset < section.sh_size) return {};
  return object.subspan(section.sh_offset, section.sh_size);
}

bool is_exported_function(const Elf64_Sym& symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info);
  const auto binding = ELF64_ST_BIND(symbol.st_info);
  const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  // A function with clones for several machines is an indirect one.
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && (binding == STB_GLOBAL || binding == STB_WEAK) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED) && symbol.st_shndx != SHN_UNDEF;
}

// Names may share their bytes, but a file whose names are longer than itself was made to fill memory: it has none.
std::vector<std::string> names_in(Bytes object, Bytes symbols, Bytes text) {
  std::vector<std::string> names;
  size_t left = object.size();
  for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols.size(); offset += sizeof(Elf64_Sym)) {
    const auto symbol = read_at<Elf64_Sym>(symbols, offset);
    if (!symbol || !is_exported_function(*symbol)) continue;
    std::string name = text_at(text, symbol->st_name);
    if (name.size() >= left) return {};
    left -= name.size() + 1;
    names.push_back(std::move(name));
  }
  return names;
}

// The first of them: a relocatable file has one at most.
std::optional<Elf64_Shdr> symbol_table(Bytes object, const Elf64_Ehdr& header) {
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = section_at(object, header, i);
    if (section && section->sh_type == SHT_SYMTAB) return section;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> exported_functions(Bytes object) {
  const auto header = read_at<Elf64_Ehdr>(object, 0);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) return {};
  const auto table = symbol_table(object, *header);
  if (!table) return {};
  const auto strings = section_at(object, *header, table->sh_link);
  if (!strings) return {};
  return names_in(object, content_of(object, *table), content_of(object, *strings));
}

}  // namespace hone::device::cpu
