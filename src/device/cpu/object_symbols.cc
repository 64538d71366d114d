#include "device/cpu/object_symbols.h"

#include "device/elf_file.h"

namespace hone::device::cpu {

namespace {

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
    const std::string_view name = text_at(text, symbol->st_name);
    if (name.empty()) continue;
    if (name.size() >= left) return {};
    left -= name.size() + 1;
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> exported_functions(Bytes object) {
  const auto file = ElfFile::open(object);
  const auto table = file ? file->symbols() : std::nullopt;
  if (!table) return {};
  return names_in(object, file->content(*table), file->content(table->sh_link));
}

}  // namespace hone::device::cpu
