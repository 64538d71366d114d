#include "device/cuda/cubin.h"

#include <algorithm>
#include <map>
#include <set>

#include "device/elf_file.h"

namespace hone::device::cuda {

namespace {

constexpr uint16_t k_machine_cuda = 190;        // EM_CUDA of elf.h
constexpr unsigned char k_symbol_entry = 0x10;  // in st_other, of a kernel
// Symbols of the reserved shared memory are the driver's own.
constexpr std::string_view k_reserved_symbols = ".nv.reservedSmem";
constexpr std::string_view k_shared_sections = ".nv.shared.";
constexpr std::string_view k_local_sections = ".nv.local.";
// From sm_100 on, the same again for the driver's own finaliser.
constexpr std::string_view k_mirror_sections = ".nv.merc.";
// From sm_90 on a file has this section, and the shared memory of each kernel begins with what the system keeps.
constexpr std::string_view k_reserved_shared = ".nv.shared.reserved.0";
constexpr uint64_t k_reserved_shared_bytes = 1024;
constexpr std::string_view k_info_section = ".nv.info";
// Attributes of k_info_section that have a value of 8 bytes: a symbol's index and a number.
constexpr uint8_t k_sized_value = 4;
constexpr uint8_t k_register_count = 0x2f;
constexpr uint8_t k_least_stack = 0x12;
struct InfoHeader {
  uint8_t format;
  uint8_t attribute;
  uint16_t value;  // of k_sized_value the bytes behind it
};
struct InfoNumber {
  uint32_t symbol;
  uint32_t number;
};

struct Symbol {
  uint32_t index = 0;
  std::string_view name;
  Elf64_Sym of{};

  bool is_undefined() const { return index > 0 && of.st_shndx == SHN_UNDEF && !name.empty(); }
  bool is_kernel() const {
    return ELF64_ST_TYPE(of.st_info) == STT_FUNC && ELF64_ST_BIND(of.st_info) != STB_LOCAL &&
           of.st_shndx != SHN_UNDEF && (of.st_other & k_symbol_entry) != 0 && !name.empty();
  }
};

// A writable section: its bytes that no symbol named so far, and how many of them may lie between variables.
struct Kept {
  uint64_t unnamed_bytes = 0;
  uint64_t align_bytes = 1;
  uint64_t padding_bytes = 0;
};

bool keeps_something(const Elf64_Shdr& section, std::string_view name) {
  constexpr uint64_t writable = SHF_WRITE | SHF_ALLOC;
  return (section.sh_flags & writable) == writable && section.sh_size > 0 && !name.starts_with(k_shared_sections) &&
         !name.starts_with(k_local_sections) && !name.starts_with(k_mirror_sections);
}

class Reader {
 public:
  Reader(const ElfFile& elf, size_t file_bytes) : elf_(elf), left_(file_bytes) {}

  Result<Cubin> read() {
    read_sections();
    HONE_CHECK(read_symbols());
    cubin_.undefined.assign(undefined_.begin(), undefined_.end());
    for (const auto& [section, kept] : kept_)
      if (kept.unnamed_bytes > kept.padding_bytes) cubin_.globals.push_back({"", kept.unnamed_bytes});
    return std::move(cubin_);
  }

 private:
  void read_sections() {
    for (uint64_t i = 0; i < elf_.section_count(); ++i) {
      const auto section = elf_.section(i);
      if (!section) continue;
      const std::string_view name = elf_.name(*section);
      if (name == k_info_section) read_info(elf_.content(*section));
      if (name == k_reserved_shared) reserved_bytes_ = k_reserved_shared_bytes;
      if (name.starts_with(k_shared_sections)) shared_[name.substr(k_shared_sections.size())] = section->sh_size;
      if (keeps_something(*section, name)) kept_[i] = {section->sh_size, std::max<uint64_t>(1, section->sh_addralign)};
    }
  }

  void read_info(Bytes info) {
    uint64_t at = 0;
    while (const auto header = read_at<InfoHeader>(info, at)) {
      at += sizeof(InfoHeader);
      if (header->format != k_sized_value) continue;
      const auto number = read_at<InfoNumber>(info, at);
      if (number && header->value == sizeof(InfoNumber)) remember(header->attribute, *number);
      at += header->value;
    }
  }

  void remember(uint8_t attribute, const InfoNumber& number) {
    if (attribute == k_register_count) registers_[number.symbol] = number.number;
    if (attribute == k_least_stack) stack_bytes_[number.symbol] = number.number;
  }

  Status read_symbols() {
    const auto table = elf_.symbols();
    if (!table) return ok();
    const Bytes symbols = elf_.content(*table);
    const Bytes names = elf_.content(table->sh_link);
    for (uint32_t i = 0; const auto symbol = read_at<Elf64_Sym>(symbols, i * sizeof(Elf64_Sym)); ++i)
      HONE_CHECK(take({i, text_at(names, symbol->st_name), *symbol}));
    return ok();
  }

  Status take(const Symbol& symbol) {
    // Names may share their bytes, but a file whose names are longer than itself was made to fill memory.
    if (symbol.name.size() >= left_)
      return Error{ErrorCode::refused, "the names in the cubin are longer than the cubin"};
    left_ -= symbol.name.size();
    if (symbol.is_undefined() && !symbol.name.starts_with(k_reserved_symbols)) undefined_.emplace(symbol.name);
    if (symbol.is_kernel()) cubin_.kernels.push_back(resources_of(symbol));
    const auto section = kept_.find(symbol.of.st_shndx);
    if (section != kept_.end()) take_variable(symbol, section->second);
    return ok();
  }

  void take_variable(const Symbol& symbol, Kept& kept) {
    if (ELF64_ST_TYPE(symbol.of.st_info) == STT_SECTION) return;
    cubin_.globals.push_back({std::string(symbol.name), symbol.of.st_size});
    kept.unnamed_bytes -= std::min(kept.unnamed_bytes, symbol.of.st_size);
    kept.padding_bytes += kept.align_bytes - 1;
  }

  template <class Numbers, class Key>
  static std::optional<uint64_t> number_of(const Numbers& numbers, const Key& key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? std::nullopt : std::optional<uint64_t>(found->second);
  }

  // A kernel without a section of shared memory declares none.
  KernelResources resources_of(const Symbol& symbol) const {
    const uint64_t shared = number_of(shared_, symbol.name).value_or(0);
    return {std::string(symbol.name), number_of(registers_, symbol.index), shared - std::min(shared, reserved_bytes_),
            number_of(stack_bytes_, symbol.index)};
  }

  const ElfFile& elf_;
  size_t left_;
  Cubin cubin_;
  std::set<std::string, std::less<>> undefined_;
  std::map<std::string_view, uint64_t> shared_;  // bytes, by kernel
  std::map<uint64_t, Kept> kept_;                // by section
  std::map<uint32_t, uint64_t> registers_;       // by symbol
  std::map<uint32_t, uint64_t> stack_bytes_;
  uint64_t reserved_bytes_ = 0;
};

}  // namespace

Result<Cubin> read_cubin(Bytes file) {
  const auto elf = ElfFile::open(file);
  if (!elf || elf->header().e_machine != k_machine_cuda)
    return Error{ErrorCode::refused, "what its compiler wrote is no cubin"};
  return Reader(*elf, file.size()).read();
}

}  // namespace hone::device::cuda
