// Object files that no assembler made: what they claim is bounded by what they are.
#include "device/cpu/object_symbols.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>

namespace hone::device::cpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A header, then sections' contents, then the section headers.
class ObjectFile {
 public:
  ObjectFile() {
    memcpy(header_.e_ident, ELFMAG, SELFMAG);
    header_.e_ident[EI_CLASS] = ELFCLASS64;
    header_.e_shentsize = sizeof(Elf64_Shdr);
  }
  void add_section(uint32_t type, std::string_view content, uint32_t link) {
    Elf64_Shdr section{};
    section.sh_type = type;
    section.sh_link = link;
    section.sh_offset = sizeof header_ + contents_.size();
    section.sh_size = content.size();
    contents_ += content;
    sections_.push_back(section);
  }
  void repeat_section() { sections_.push_back(sections_.back()); }
  std::string bytes() {
    header_.e_shoff = sizeof header_ + contents_.size();
    header_.e_shnum = static_cast<uint16_t>(sections_.size());
    std::string out(reinterpret_cast<const char*>(&header_), sizeof header_);
    out += contents_;
    out.append(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof(Elf64_Shdr));
    return out;
  }

 private:
  Elf64_Ehdr header_{};
  std::string contents_;
  std::vector<Elf64_Shdr> sections_;
};

std::string symbol(uint32_t name, unsigned char info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)) {
  Elf64_Sym one{};
  one.st_name = name;
  one.st_info = info;
  one.st_shndx = 1;
  return {reinterpret_cast<const char*>(&one), sizeof one};
}

std::vector<std::string> functions_of(ObjectFile& file) { return exported_functions(bytes_of(file.bytes())); }

TEST(ObjectSymbols, AreTheGlobalFunctions) {
  using namespace std::string_literals;
  ObjectFile file;
  file.add_section(SHT_STRTAB, "\0first\0second\0local\0"s, 0);
  file.add_section(SHT_SYMTAB, symbol(1) + symbol(7) + symbol(14, ELF64_ST_INFO(STB_LOCAL, STT_FUNC)), 0);
  EXPECT_THAT(functions_of(file), ElementsAre("first", "second"));
}

TEST(ObjectSymbols, ASecondSymbolTableIsNotRead) {
  using namespace std::string_literals;
  ObjectFile file;
  file.add_section(SHT_STRTAB, "\0first\0"s, 0);
  file.add_section(SHT_SYMTAB, symbol(1), 0);
  for (int i = 0; i < 1000; ++i) file.repeat_section();
  EXPECT_THAT(functions_of(file), ElementsAre("first"));
}

TEST(ObjectSymbols, NamesThatAreLongerThanTheirFileAreNone) {
  ObjectFile file;
  file.add_section(SHT_STRTAB, std::string(4096, 'x'), 0);
  std::string symbols;
  for (int i = 0; i < 1000; ++i) symbols += symbol(0);
  file.add_section(SHT_SYMTAB, symbols, 0);
  EXPECT_THAT(functions_of(file), IsEmpty());
}

TEST(ObjectSymbols, OfATableBeyondTheFileAreNone) {
  ObjectFile file;
  file.add_section(SHT_STRTAB, "", 0);
  file.add_section(SHT_SYMTAB, symbol(1), 17);
  EXPECT_THAT(functions_of(file), IsEmpty());
}

}  // namespace
}  // namespace hone::device::cpu
