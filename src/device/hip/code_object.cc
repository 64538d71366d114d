#include "device/hip/code_object.h"

#include <algorithm>
#include <map>
#include <utility>

#include "device/elf_file.h"
#include "device/hip/message_pack.h"

namespace hone::device::hip {

namespace {

constexpr uint16_t k_machine_amdgpu = 224;  // EM_AMDGPU of newer elf.h
constexpr uint32_t k_note_metadata = 32;    // NT_AMDGPU_METADATA
constexpr uint64_t k_note_align_bytes = 4;

// Writable by their flags alone: the loader has written them before the first launch.
constexpr std::string_view k_relocated_sections[] = {".data.rel.ro", ".got", ".relro_padding"};
// By it host and device parts of one compilation find each other: a byte, which no kernel of the compiler's reads.
constexpr std::string_view k_compilation_mark = "__hip_cuid_";

// ---- what the compiler says of its kernels ----

bool take_integer(PackReader& reader, std::optional<uint64_t>& into) {
  const auto item = reader.next();
  if (!item || item->kind != PackKind::integer) return false;
  into = item->number;
  return true;
}

bool take_text(PackReader& reader, std::string& into) {
  const auto item = reader.next();
  if (!item || item->kind != PackKind::text) return false;
  into = item->text;
  return true;
}

bool take_argument(PackReader& reader, CodeKernel& kernel) {
  CodeArgument argument;
  std::optional<uint64_t> size;
  const bool taken = each_field(reader, [&](std::string_view key, PackReader& value) {
    if (key == ".value_kind") return take_text(value, argument.kind);
    if (key == ".size") return take_integer(value, size);
    return value.skip();
  });
  argument.size_bytes = size.value_or(0);
  kernel.arguments.push_back(std::move(argument));
  return taken;
}

struct NumberRow {
  std::string_view key;
  std::optional<uint64_t> KernelResources::*into;
};
constexpr NumberRow k_numbers[] = {{".vgpr_count", &KernelResources::registers},
                                   {".group_segment_fixed_size", &KernelResources::shared_bytes},
                                   {".private_segment_fixed_size", &KernelResources::local_bytes}};

bool take_kernel(PackReader& reader, std::vector<CodeKernel>& kernels) {
  CodeKernel kernel;
  const bool taken = each_field(reader, [&](std::string_view key, PackReader& value) {
    if (key == ".name") return take_text(value, kernel.resources.kernel);
    if (key == ".args") return each_element(value, [&](PackReader& one) { return take_argument(one, kernel); });
    for (const NumberRow& row : k_numbers) {
      if (row.key == key) return take_integer(value, kernel.resources.*row.into);
    }
    return value.skip();
  });
  kernels.push_back(std::move(kernel));
  return taken;
}

bool take_metadata(Bytes text, std::vector<CodeKernel>& kernels) {
  PackReader reader(text);
  return each_field(reader, [&](std::string_view key, PackReader& value) {
    if (key != "amdhsa.kernels") return value.skip();
    return each_element(value, [&](PackReader& one) { return take_kernel(one, kernels); });
  });
}

uint64_t padded(uint64_t bytes) { return (bytes + k_note_align_bytes - 1) / k_note_align_bytes * k_note_align_bytes; }

// The description of the compiler's note; empty where there is none.
Bytes metadata_in(Bytes notes) {
  uint64_t at = 0;
  while (const auto header = read_at<Elf64_Nhdr>(notes, at)) {
    const uint64_t start = at + sizeof(Elf64_Nhdr) + padded(header->n_namesz);
    if (start > notes.size() || notes.size() - start < header->n_descsz) return {};
    if (header->n_type == k_note_metadata) return notes.subspan(start, header->n_descsz);
    at = start + padded(header->n_descsz);
  }
  return {};
}

// ---- sections and symbols ----

bool keeps_something(const Elf64_Shdr& section, std::string_view name) {
  constexpr uint64_t writable = SHF_WRITE | SHF_ALLOC;
  return (section.sh_flags & writable) == writable && section.sh_size > 0 && section.sh_type != SHT_DYNAMIC &&
         std::ranges::find(k_relocated_sections, name) == std::end(k_relocated_sections);
}

struct Kept {
  uint64_t size_bytes = 0;
  bool is_named = false;
};

class Reader {
 public:
  Reader(const ElfFile& elf, size_t file_bytes) : elf_(elf), left_(file_bytes) {}

  Result<CodeObject> read() {
    if (!read_sections()) return Error{ErrorCode::refused, "what the code object says of its kernels does not parse"};
    constexpr uint32_t k_tables[] = {SHT_DYNSYM, SHT_SYMTAB};
    for (const uint32_t table : k_tables) HONE_CHECK(read_symbols(table));
    for (auto& [place, variable] : variables_) object_.globals.push_back(std::move(variable));
    for (const auto& [section, kept] : kept_)
      if (!kept.is_named) object_.globals.push_back({"", kept.size_bytes});
    return std::move(object_);
  }

 private:
  bool read_sections() {
    Bytes metadata;  // the first: sections may share their bytes
    for (uint64_t i = 0; i < elf_.section_count(); ++i) {
      const auto section = elf_.section(i);
      if (!section) continue;
      if (keeps_something(*section, elf_.name(*section))) kept_[i] = {section->sh_size, false};
      if (metadata.empty() && section->sh_type == SHT_NOTE) metadata = metadata_in(elf_.content(*section));
    }
    return metadata.empty() || take_metadata(metadata, object_.kernels);
  }

  Status read_symbols(uint32_t type) {
    const auto table = elf_.symbols(type);
    if (!table) return ok();
    const Bytes symbols = elf_.content(*table);
    const Bytes names = elf_.content(table->sh_link);
    for (uint64_t i = 1; const auto symbol = read_at<Elf64_Sym>(symbols, i * sizeof(Elf64_Sym)); ++i) {
      const std::string_view name = text_at(names, symbol->st_name);
      // Names may share their bytes, but a file whose names are longer than itself was made to fill memory.
      if (2 * name.size() >= left_)
        return Error{ErrorCode::refused, "the names in the code object are longer than it is"};
      left_ -= name.size();
      take(*symbol, name);
    }
    return ok();
  }

  void take(const Elf64_Sym& symbol, std::string_view name) {
    const auto section = kept_.find(symbol.st_shndx);
    if (section == kept_.end() || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION || name.empty()) return;
    section->second.is_named = true;
    if (is_mark(symbol, name)) return;
    variables_[{symbol.st_shndx, symbol.st_value}] = {std::string(name), symbol.st_size};
  }

  // One place at most is that mark; another of its name is a variable.
  bool is_mark(const Elf64_Sym& symbol, std::string_view name) {
    if (!name.starts_with(k_compilation_mark) || symbol.st_size != 1) return false;
    if (!mark_) mark_ = symbol.st_value;
    return *mark_ == symbol.st_value;
  }

  const ElfFile& elf_;
  size_t left_;
  CodeObject object_;
  std::map<uint64_t, Kept> kept_;                                    // by section
  std::map<std::pair<uint64_t, uint64_t>, CodeVariable> variables_;  // by section and place
  std::optional<uint64_t> mark_;
};

}  // namespace

Result<CodeObject> read_code_object(Bytes file) {
  const auto elf = ElfFile::open(file);
  if (!elf || elf->header().e_machine != k_machine_amdgpu)
    return Error{ErrorCode::refused, "what its compiler wrote is no code object"};
  return Reader(*elf, file.size()).read();
}

}  // namespace hone::device::hip
