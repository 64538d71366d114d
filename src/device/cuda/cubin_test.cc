// Cubins that this machine's ptxas makes, held against what ptxas itself says of them, and files that no ptxas makes.
#include "device/cuda/cubin.h"

#include <gmock/gmock.h>

#include <cstring>
#include <regex>

#include "device/cuda/testing/compile_cuda.h"
#include "device/elf_file.h"

namespace hone::device::cuda {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view k_kernels = R"(
#include <cstdio>
__device__ int counter;
__device__ int started = 5;
__constant__ float table[4] = {1, 2, 3, 4};
extern "C" __global__ void none(float* y) { y[0] = 1; }
extern "C" __global__ void fixed(const float* x, float* y, int n) {
  __shared__ float part[37];
  part[threadIdx.x % 37] = x[threadIdx.x];
  __syncthreads();
  y[0] = part[n] * table[n & 3];
}
extern "C" __global__ void dynamic(const float* x, float* y, int n) {
  __shared__ double part[5];
  extern __shared__ float more[];
  more[threadIdx.x] = x[threadIdx.x];
  part[n % 5] = n;
  __syncthreads();
  y[0] = more[n] + part[n * 3 % 5];
}
extern "C" __global__ void local(float* x, int n) {
  float a[200];
  for (int i = 0; i < 200; ++i) a[i] = x[i * n];
  for (int i = 0; i < 200; ++i) x[i] = a[(int)a[i]];
}
extern "C" __global__ void __launch_bounds__(1024, 1) spilling(float* x, int n) {
  float v[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) v[i] = x[i * n];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; ++i) x[i] = v[95 - i];
}
__global__ void keeping(float* y) { y[0] = atomicAdd(&counter, started); }
extern "C" __global__ void printing(int n) { printf("%d\n", n); }
extern "C" __global__ void allocating(int n, int** p) { *p = (int*)malloc(n); free(*p); }
)";

uint64_t number_in(const std::string& text, const std::string& pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::stoull(found[1]) : 0;
}

// What ptxas said of one kernel: its lines from "Compiling entry function" on.
std::string said_of(const std::string& said, const std::string& kernel) {
  const size_t begin = said.find("entry function '" + kernel + "'");
  EXPECT_NE(begin, std::string::npos) << kernel;
  return said.substr(begin, said.find("Compile time", begin) - begin);
}

class Cubins : public testing::TestWithParam<const char*> {};

// Compiled once for all, since a compiler takes its time.
TEST_P(Cubins, SayWhatPtxasSays) {
  const auto compiled = compile_cuda(GetParam(), k_kernels);
  if (!compiled) GTEST_SKIP() << "no nvcc here that compiles for " << GetParam();
  const auto cubin = read_cubin(bytes_of(compiled->cubin));
  ASSERT_TRUE(cubin) << to_text(cubin.error());
  ASSERT_EQ(cubin->kernels.size(), 8u);
  for (const KernelResources& kernel : cubin->kernels) {
    const std::string said = said_of(compiled->said, kernel.kernel);
    EXPECT_EQ(kernel.registers, number_in(said, "Used (\\d+) registers")) << said;
    EXPECT_EQ(kernel.shared_bytes, number_in(said, "(\\d+) bytes smem")) << said;
    EXPECT_EQ(kernel.local_bytes, number_in(said, "(\\d+) bytes cumulative stack size")) << said;
  }
  EXPECT_THAT(cubin->undefined, ElementsAre("free", "malloc", "vprintf"));
  std::map<std::string, uint64_t> kept;
  for (const CubinVariable& variable : cubin->globals) kept[variable.name] = variable.size_bytes;
  EXPECT_THAT(kept, ElementsAre(Pair("$str", 4), Pair("counter", 4), Pair("started", 4)))
      << "constants cannot be written, and every other byte has a name";
}

// Before and after the system took shared memory for itself, and with the driver's own finaliser.
INSTANTIATE_TEST_SUITE_P(Architectures, Cubins, testing::Values("sm_80", "sm_90", "sm_120"));

// ---- files made here

struct Section {
  std::string name;
  uint32_t type = SHT_PROGBITS;
  uint64_t flags = SHF_ALLOC;
  std::string content;
  uint64_t claimed_bytes = 0;  // instead of the content's
};

// Names of sections in section 1, of symbols in section 2, symbols in section 3, then what is given.
class CubinFile {
 public:
  std::vector<Section> sections;
  std::string names = std::string(1, '\0');
  std::string symbols;
  uint16_t machine = 190;

  uint32_t add_symbol(std::string_view name, unsigned char info, uint16_t section, unsigned char other = 0,
                      uint64_t size = 0) {
    Elf64_Sym symbol{static_cast<uint32_t>(names.size()), info, other, section, 0, size};
    names += std::string(name) + '\0';
    symbols.append(reinterpret_cast<const char*>(&symbol), sizeof symbol);
    return static_cast<uint32_t>(symbols.size() / sizeof symbol - 1);
  }
  uint32_t add_kernel(std::string_view name) { return add_symbol(name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 4, 0x10); }

  std::string bytes() const {
    std::vector<Section> all{{"", SHT_NULL, 0, "", 0},
                             {".shstrtab", SHT_STRTAB, 0, "", 0},
                             {".strtab", SHT_STRTAB, 0, names, 0},
                             {".symtab", SHT_SYMTAB, 0, symbols, 0}};
    all.insert(all.end(), sections.begin(), sections.end());
    for (const Section& one : all) all[1].content += one.name + '\0';
    std::string out(sizeof(Elf64_Ehdr), '\0');
    std::vector<Elf64_Shdr> headers;
    uint32_t name = 0;
    for (const Section& one : all) {
      Elf64_Shdr header{};
      header.sh_name = name;
      header.sh_type = one.type;
      header.sh_flags = one.flags;
      header.sh_offset = out.size();
      header.sh_size = one.claimed_bytes > 0 ? one.claimed_bytes : one.content.size();
      header.sh_link = one.type == SHT_SYMTAB ? 2 : 0;
      header.sh_addralign = 4;
      headers.push_back(header);
      out += one.content;
      name += static_cast<uint32_t>(one.name.size() + 1);
    }
    Elf64_Ehdr header{};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = machine;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<uint16_t>(headers.size());
    header.e_shstrndx = 1;
    header.e_shoff = out.size();
    memcpy(out.data(), &header, sizeof header);
    return out.append(reinterpret_cast<const char*>(headers.data()), headers.size() * sizeof(Elf64_Shdr));
  }
};

Result<Cubin> read(const CubinFile& file) {
  const std::string bytes = file.bytes();
  return read_cubin(bytes_of(bytes));
}

std::string info_of(uint8_t attribute, uint32_t symbol, uint32_t number) {
  std::string out{4, static_cast<char>(attribute), 8, 0};
  out.append(reinterpret_cast<const char*>(&symbol), 4);
  return out.append(reinterpret_cast<const char*>(&number), 4);
}

CubinFile one_kernel() {
  CubinFile file;
  file.add_symbol("", 0, 0);
  const uint32_t kernel = file.add_kernel("k");
  file.sections = {{".text.k", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "code", 0},
                   {".nv.info", 0x70000000, 0, info_of(0x2f, kernel, 24) + info_of(0x12, kernel, 40), 0}};
  return file;
}

TEST(CubinFiles, AKernelAndItsNumbers) {
  CubinFile file = one_kernel();
  file.sections.push_back({".nv.shared.k", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, "", 128});
  EXPECT_THAT(read(file)->kernels, ElementsAre(KernelResources{"k", 24, 128, 40}));
  EXPECT_THAT(read(file)->globals, IsEmpty()) << "shared memory is scrubbed, it keeps nothing";
}

TEST(CubinFiles, SharedMemoryOfTheSystemIsNotTheKernels) {
  CubinFile file = one_kernel();
  file.sections.push_back({".nv.shared.k", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, "", 1152});
  file.sections.push_back({".nv.shared.reserved.0", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, "", 64});
  EXPECT_EQ(read(file)->kernels.at(0).shared_bytes, 128u);
}

TEST(CubinFiles, WhatIsNotSaidIsAbsent) {
  CubinFile file = one_kernel();
  file.sections.pop_back();
  EXPECT_EQ(read(file)->kernels.at(0).registers, std::nullopt);
  EXPECT_EQ(read(file)->kernels.at(0).local_bytes, std::nullopt);
}

TEST(CubinFiles, AFunctionThatIsNoKernelIsNone) {
  CubinFile file = one_kernel();
  file.add_symbol("helper", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 4);
  file.add_symbol("$k$inner", ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 4, 0x10);
  EXPECT_THAT(read(file)->kernels, ElementsAre(Field(&KernelResources::kernel, "k")));
}

TEST(CubinFiles, OnlyTheDriversOwnSymbolsMayBeMissing) {
  CubinFile file = one_kernel();
  file.add_symbol(".nv.reservedSmem.offset0", ELF64_ST_INFO(STB_WEAK, STT_OBJECT), 0);
  EXPECT_THAT(read(file)->undefined, IsEmpty());
  file.add_symbol("elsewhere", ELF64_ST_INFO(STB_WEAK, STT_FUNC), 0);
  EXPECT_THAT(read(file)->undefined, ElementsAre("elsewhere"));
}

TEST(CubinFiles, WritableBytesWithoutANameAreFoundToo) {
  CubinFile file = one_kernel();
  file.sections.push_back({".nv.elsewhere", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, "", 64});
  ASSERT_EQ(read(file)->globals.size(), 1u);
  EXPECT_EQ(read(file)->globals[0].name, "");
  EXPECT_EQ(read(file)->globals[0].size_bytes, 64u);
  file.add_symbol("", ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 6, 0, 64);
  EXPECT_EQ(read(file)->globals.size(), 1u) << "a section's own symbol names nothing";
  file.add_symbol("small", ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 6, 0, 32);
  EXPECT_EQ(read(file)->globals.size(), 2u) << "half of the section is still nobody's";
  file.add_symbol("rest", ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 6, 0, 29);
  EXPECT_EQ(read(file)->globals.size(), 2u) << "three bytes lie between two variables";
}

TEST(CubinFiles, OtherFilesAreRefused) {
  CubinFile file = one_kernel();
  file.machine = EM_X86_64;
  EXPECT_THAT(to_text(read(file).error()), HasSubstr("is no cubin"));
  EXPECT_EQ(read_cubin({}).error().code, ErrorCode::refused);
  EXPECT_FALSE(
      read_cubin(bytes_of("\x7f"
                          "ELF")));
}

TEST(CubinFiles, NamesThatAreLongerThanTheirFileAreRefused) {
  CubinFile file = one_kernel();
  file.names = std::string(4096, 'x');
  for (int i = 0; i < 1000; ++i) file.symbols.append(file.symbols.substr(0, sizeof(Elf64_Sym)));
  EXPECT_THAT(to_text(read(file).error()), HasSubstr("longer than the cubin"));
}

// Every length that a file states may be a lie.
TEST(CubinFiles, AnyBytesAreReadOrRefused) {
  const std::string sound = one_kernel().bytes();
  for (size_t cut = 0; cut < sound.size(); ++cut) std::ignore = read_cubin(bytes_of(sound).first(cut));
  for (size_t at = 0; at < sound.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string changed = sound;
      changed[at] = value;
      const auto cubin = read_cubin(bytes_of(changed));
      EXPECT_LE(cubin ? cubin->kernels.size() : 0, 2u);
    }
  }
}

}  // namespace
}  // namespace hone::device::cuda
