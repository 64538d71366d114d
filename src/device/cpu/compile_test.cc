// Confined builds: what they accept, what they refuse, what they can see, and when they are reused.
#include "device/cpu/compile.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <fstream>
#include <set>

#include "device/cpu/link.h"
#include "device/cpu/object_symbols.h"
#include "device/cpu/testing/arm_fixture.h"

namespace hone::device::cpu {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class CompileTest : public ArmTest {
 protected:
  static CompileOutcome compile_request(const CompileRequest& request) {
    auto outcome = device()->compile(request);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *outcome : CompileOutcome{};
  }
  static CompileOutcome compile_text(const std::string& text) {
    CompileRequest request;
    request.files = {{"kernel.cpp", false, text}};
    request.sources = {"kernel.cpp"};
    request.entry = "k";
    return compile_request(request);
  }
  void TearDown() override {}
};

TEST_F(CompileTest, ErrorsAreTheCandidatesAndNameItsOwnFile) {
  const auto outcome = compile_text("\nextern \"C\" int k( { }\n");
  ASSERT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_FALSE(outcome.artefact);
  EXPECT_THAT(outcome.messages, testing::StartsWith("kernel.cpp:2:"));
  EXPECT_THAT(outcome.messages, Not(HasSubstr(cache()->path().string())));
}

TEST_F(CompileTest, AnUndefinedSymbolIsACompileErrorNow) {
  const auto outcome = compile_text("extern \"C\" int elsewhere(); extern \"C\" int k() { return elsewhere(); }");
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.messages, HasSubstr("elsewhere"));
}

TEST_F(CompileTest, AnObjectTooLargeIsTheCandidatesFault) {
  const auto outcome = compile_text("char table[300'000'000] = {1}; extern \"C\" int k() { return table[7]; }");
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.explanation, HasSubstr("no file of at most 256"));
}

// A limit of this machine must not be blamed on the candidate.
TEST_F(CompileTest, NoRoomIsTheEnvironmentsFault) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  CompileRequest request;
  request.files = {{"k.cpp", false, "extern \"C\" int k() { return 0; }"}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  const auto compiled = device()->compile(request);
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, ErrorCode::environment);
  EXPECT_THAT(compiled.error().help, HasSubstr("ulimit"));
}

// A compiler that says it could not start its parts, when `condition` holds of its arguments.
Compiler starved_compiler(const fs::path& folder, const std::string& condition) {
  const fs::path path = folder / "bin" / "g++";
  fs::create_directories(path.parent_path());
  std::ofstream(path)
      << "#!/bin/sh\nif " << condition
      << "; then echo \"g++: fatal error: cannot execute 'as': vfork: Resource temporarily unavailable\" "
         ">&2; exit 1; fi\nexec /usr/bin/g++ \"$@\"\n";
  fs::permissions(path, fs::perms(0755));
  fs::permissions(folder, fs::perms(0755));
  return describe_compiler(path, "g++ 12.2.0");
}

TEST_F(CompileTest, NoMoreProcessesIsTheEnvironmentsFault) {
  const auto home = TemporaryFolder::make("/tmp", "hone-starved-");
  CompileRequest request;
  request.files = {{"k.cpp", false, "extern \"C\" int k() { return 0; }"}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  const auto compiled = compile(starved_compiler(home->path(), "true"), {cache()->path(), "test"}, request);
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, ErrorCode::environment);
  EXPECT_THAT(compiled.error().what, HasSubstr("could not start its parts"));
  EXPECT_THAT(compiled.error().help, HasSubstr("ulimit -u"));
}

TEST_F(CompileTest, ACandidateThatSpeaksOfProcessesIsItsOwnFault) {
  EXPECT_EQ(compile_text("#error g++: fatal error: vfork: Resource temporarily unavailable").fault,
            CompileFault::compile_error);
  const auto home = TemporaryFolder::make("/tmp", "hone-starved-");
  CompileRequest request;
  request.files = {{"k.cpp", false, "extern \"C\" int k() { return 1; }"}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  const Compiler compiler = starved_compiler(home->path(), "[ \"$1\" != -shared ]");
  const auto compiled = compile(compiler, {cache()->path(), "test"}, request);
  ASSERT_TRUE(compiled) << to_text(compiled.error());
  EXPECT_EQ(compiled->fault, CompileFault::compile_error) << "its parts start: the machine is well";
}

TEST_F(CompileTest, AForgottenExternCIsExplained) {
  const auto outcome = compile_text("int k(int n) { return n; }");
  EXPECT_EQ(outcome.fault, CompileFault::no_entry);
  EXPECT_THAT(outcome.explanation, HasSubstr("declare it extern \"C\""));
  EXPECT_THAT(outcome.explanation, HasSubstr("C++ function"));
}

TEST_F(CompileTest, AHiddenOrStaticEntryIsNone) {
  EXPECT_EQ(compile_text("static int k() { return 0; } int (*keep)() = k;").fault, CompileFault::no_entry);
  EXPECT_EQ(compile_text("extern \"C\" __attribute__((visibility(\"hidden\"))) int k() { return 0; }").fault,
            CompileFault::no_entry);
}

TEST_F(CompileTest, AnEndlessBuildMeetsItsDeadline) {
  CompileRequest request;
  request.files = {{"k.cpp", false,
                    "template <int N> struct F { enum { v = F<N-1>::v + F<N-2>::v * N }; };\n"
                    "template <int N, int M> struct G { static constexpr long f() { long s = 0; for (long i = 0; i < "
                    "1000000000; ++i) s += i; return s; } };\n"
                    "constexpr long x = G<1,2>::f();\nextern \"C\" int k() { return (int)x; }"}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  request.deadline = 1ms;
  const auto outcome = compile_request(request);
  EXPECT_EQ(outcome.fault, CompileFault::timeout);
}

TEST_F(CompileTest, ABuildSeesNoFilesButItsOwn) {
  const auto layers = sandbox::available_layers();
  if (!layers.has(sandbox::Layer::mount_namespace) && !layers.has(sandbox::Layer::landlock))
    GTEST_SKIP() << "this machine refuses both layers";
  const auto secret = cache()->path() / "secret.h";
  std::ofstream(secret) << "int secret = 1;\n";
  const auto outcome =
      compile_text(fmt::format("#include \"{}\"\nextern \"C\" int k() {{ return secret; }}", secret.string()));
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_THAT(outcome.messages, testing::AnyOf(HasSubstr("No such file"), HasSubstr("Permission denied")));
}

TEST_F(CompileTest, MacrosOptionsAndSeveralSourcesTakePart) {
  CompileRequest request;
  request.files = {{"include/value.h", false, "#pragma once\nint value();\n"},
                   {"main.cpp", false, "#include \"include/value.h\"\nextern \"C\" int k() { return value() + TILE; }"},
                   {"value.cpp", false, "#include \"include/value.h\"\nint value() { return 1; }"}};
  request.sources = {"main.cpp", "value.cpp"};
  request.entry = "k";
  request.macros = {{"TILE", "16"}};
  const auto outcome = compile_request(request);
  ASSERT_TRUE(outcome.artefact) << outcome.messages;
  EXPECT_EQ(outcome.artefact->objects.size(), 2u);
}

TEST_F(CompileTest, APathThatLeavesTheFolderIsRefused) {
  CompileRequest request;
  request.files = {{"../k.cpp", false, "extern \"C\" int k() { return 0; }"}};
  request.sources = {"../k.cpp"};
  request.entry = "k";
  const auto outcome = device()->compile(request);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::contract);
}

TEST_F(CompileTest, TheSameContentIsBuiltOnceAndAnyDifferenceAnew) {
  CompileRequest request = request_of({"y[0] = TILE;"});
  request.macros = {{"TILE", "1"}};
  const auto first = compile_request(request);
  const auto again = compile_request(request);
  ASSERT_TRUE(first.artefact && again.artefact);
  EXPECT_GT(first.took, 0ns);
  EXPECT_EQ(again.took, 0ns);
  EXPECT_EQ(first.artefact->digest, again.artefact->digest);
  request.macros = {{"TILE", "2"}};
  const auto other = compile_request(request);
  ASSERT_TRUE(other.artefact);
  EXPECT_NE(other.artefact->folder, first.artefact->folder);
  EXPECT_NE(other.artefact->digest, first.artefact->digest);
}

TEST_F(CompileTest, NoHalfBuiltFolderIsLeft) {
  compile_text("extern \"C\" int k() { return 0; }");
  compile_text("broken");
  for (const auto& entry : fs::directory_iterator(cache()->path() / "artefacts"))
    EXPECT_THAT(entry.path().filename().string(), Not(testing::StartsWith(".")));
}

TEST_F(CompileTest, EveryPadSizeMovesTheCode) {
  const auto compiled = compile_text("extern \"C\" int k() { return 0; }");
  ASSERT_TRUE(compiled.artefact);
  std::set<std::string> contents;
  for (const uint64_t pad : {0u, 16u, 48u, 4096u, 61488u}) {
    const auto linked = link_for_load(device()->compiler(), device()->place(), *compiled.artefact, 1, pad);
    ASSERT_TRUE(linked && linked->library);
    contents.insert(read_file(*linked->library).value_or(""));
  }
  EXPECT_EQ(contents.size(), 5u);
}

TEST(LayoutDice, PadsAreTheDeclaredOnesAndAllOccur) {
  std::set<uint64_t> seen;
  LayoutDice dice(1);
  for (int i = 0; i < 4000; ++i) seen.insert(roll_pad_bytes(dice));
  EXPECT_EQ(seen.size(), 64u);
  EXPECT_EQ(*seen.rbegin(), 16u * 3 + 4096u * 15);
}

TEST(PadBytes, AreAnotherDistanceForEveryNumber) {
  std::set<uint64_t> seen;
  for (uint32_t pad = 0; pad < k_pads; ++pad) seen.insert(pad_bytes(pad));
  EXPECT_EQ(seen.size(), 64u);
  EXPECT_EQ(pad_bytes(0), 0u);
  EXPECT_EQ(pad_bytes(5), 16u + 4096u);
}

TEST(LayoutDice, TheSeedDecidesAlone) {
  LayoutDice a(7), b(7), c(8);
  const uint64_t first = a.roll(1u << 30);
  EXPECT_EQ(first, b.roll(1u << 30));
  EXPECT_NE(first, c.roll(1u << 30));
}

TEST(ObjectSymbols, NonsenseHasNoFunctions) {
  EXPECT_TRUE(exported_functions({}).empty());
  EXPECT_TRUE(exported_functions(bytes_of(std::string(10000, 'x'))).empty());
}

TEST_F(CompileTest, EveryTruncationOfAnObjectReadsSafely) {
  const auto compiled = compile_text("extern \"C\" int k() { return 0; }");
  ASSERT_TRUE(compiled.artefact);
  const std::string object = *read_file(compiled.artefact->folder / "0.o");
  EXPECT_THAT(exported_functions(bytes_of(object)), Contains("k"));
  for (size_t size = 0; size < object.size(); ++size) {
    std::ignore = exported_functions(bytes_of(std::string_view(object).substr(0, size)));
  }
  std::string damaged = object;
  for (size_t i = 16; i < 64; ++i) {
    damaged[i] = static_cast<char>(0xff);
    std::ignore = exported_functions(bytes_of(damaged));
  }
}

TEST(Compiler, VersionsAreReadFromWhatCompilersPrint) {
  const auto gcc = describe_compiler("/usr/bin/g++", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright");
  EXPECT_EQ(gcc.version, "g++ 12.2.0");
  EXPECT_EQ(gcc.kind, task::Compiler::gcc);
  const auto clang = describe_compiler("/usr/bin/clang++", "Debian clang version 14.0.6\nTarget: x");
  EXPECT_EQ(clang.version, "clang++ 14.0.6");
  EXPECT_EQ(clang.kind, task::Compiler::clang);
  EXPECT_EQ(describe_compiler("/usr/bin/clang++", "Ubuntu clang version 14.0.0-1ubuntu1").version, "clang++ 14.0.0");
}

// ---- header roots

// A library of headers alone, beside everything else.
class HeaderRootsOfABuild : public CompileTest {
 protected:
  void SetUp() override { put("fast/saxpy.h", saxpy("a * x[i]")); }
  static std::string saxpy(const std::string& value) {
    return "template <class T> void saxpy(int n, T a, const T* x, T* y) { for (int i = 0; i < n; ++i) y[i] += " +
           value + "; }\n";
  }
  void put(const std::string& path, const std::string& text) const {
    Disk disk;
    const fs::path file = folder_.path() / "include" / path;
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file(disk, file, text));
  }
  std::vector<HeaderRoot> roots() const {
    const fs::path root = folder_.path() / "include";
    const auto tree = read_header_tree(root);
    EXPECT_TRUE(tree) << to_text(tree.error());
    return {{"fast", root.string(), tree ? tree->digest : ""}};
  }
  CompileRequest request_with(const std::string& include, const std::string& call = "saxpy(n, a, x, y);") const {
    CompileRequest request = request_of({call, "#include " + include});
    request.header_roots = roots();
    return request;
  }

  TemporaryFolder folder_ = *TemporaryFolder::make(fs::canonical("/tmp"), "hone-library-");
};

TEST_F(HeaderRootsOfABuild, AreReadInAConfinedBuild) {
  const auto outcome = compile_request(request_with("<fast/saxpy.h>"));
  EXPECT_TRUE(outcome.artefact) << outcome.messages;
  CompileRequest without = request_with("<fast/saxpy.h>");
  without.header_roots.clear();
  EXPECT_EQ(compile_request(without).fault, CompileFault::compile_error) << "nobody lent it";
}

TEST_F(HeaderRootsOfABuild, OtherHeadersAreAnotherBuild) {
  const auto before = compile_request(request_with("<fast/saxpy.h>"));
  const auto again = compile_request(request_with("<fast/saxpy.h>"));
  put("fast/saxpy.h", saxpy("2 * a * x[i]"));
  const auto after = compile_request(request_with("<fast/saxpy.h>"));
  ASSERT_TRUE(before.artefact && again.artefact && after.artefact);
  EXPECT_EQ(again.artefact->folder, before.artefact->folder);
  EXPECT_NE(after.artefact->folder, before.artefact->folder);
  EXPECT_NE(after.artefact->digest, before.artefact->digest);
}

// As when somebody edits them during a build.
TEST_F(HeaderRootsOfABuild, WhatTheyAreNotIsNeverKept) {
  CompileRequest request = request_with("<fast/saxpy.h>");
  request.header_roots[0].digest = std::string(64, '0');
  for (int i = 0; i < 2; ++i) {
    const auto outcome = device()->compile(request);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::environment);
  }
}

// The way out of a root is as closed as the way out of the candidate's own folder.
TEST_F(HeaderRootsOfABuild, LendNothingBesideThem) {
  Disk disk;
  ASSERT_TRUE(write_file(disk, folder_.path() / "secret.h", "inline void secret() {}\n"));
  const std::string secret = (folder_.path() / "secret.h").string();
  for (const std::string include : {"<../secret.h>", "<fast/../../secret.h>", "\"../secret.h\""})
    EXPECT_EQ(compile_request(request_with(include, "secret();")).fault, CompileFault::compile_error) << include;
  EXPECT_EQ(compile_request(request_with("\"" + secret + "\"", "secret();")).fault, CompileFault::compile_error);
}

// A folder that the system brings is there already.
TEST_F(HeaderRootsOfABuild, MayBeFoldersOfTheSystem) {
  CompileRequest request = request_with("<types.h>", "y[0] = sizeof(__u32);");
  const fs::path linux_headers = "/usr/include/linux";
  if (!path_exists(linux_headers / "types.h")) GTEST_SKIP() << "no headers of Linux here";
  const auto tree = read_header_tree(linux_headers);
  ASSERT_TRUE(tree) << to_text(tree.error());
  request.header_roots = {{"linux", linux_headers.string(), tree->digest}};
  const auto outcome = compile_request(request);
  EXPECT_TRUE(outcome.artefact) << outcome.messages;
}

TEST(Compiler, AChoiceThatIsNotThereIsTheEnvironmentsFault) {
  setenv("HONE_CXX", "no-such-compiler", 1);
  Processes processes;
  const auto found = find_compiler(processes);
  unsetenv("HONE_CXX");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::environment);
  EXPECT_THAT(found.error().what, HasSubstr("HONE_CXX"));
  EXPECT_FALSE(found.error().help.empty());
}

// A compiler that is a script with this body.
Result<Compiler> find_scripted(const std::string& body) {
  const auto folder = TemporaryFolder::make(fs::temp_directory_path(), "hone-compiler-");
  const fs::path script = folder->path() / "g++";
  Disk disk;
  EXPECT_TRUE(write_file(disk, script, "#!/bin/sh\n" + body + "\n", Durable::no, 0755));
  setenv("HONE_CXX", script.c_str(), 1);
  Processes processes;
  auto found = find_compiler(processes);
  unsetenv("HONE_CXX");
  return found;
}

TEST(Compiler, OneThatFailsIsQuoted) {
  const auto found = find_scripted("echo 'no licence today' >&2; exit 3");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::environment);
  EXPECT_THAT(found.error().what, HasSubstr("ended with 3"));
  EXPECT_THAT(found.error().what, HasSubstr("no licence today"));
}

TEST(Compiler, NoneAtAllSaysWhatToInstall) {
  const std::string path = getenv("PATH");
  const char* chosen = getenv("CXX");
  const std::string compiler = chosen == nullptr ? "" : chosen;
  setenv("PATH", "/nowhere", 1);
  unsetenv("CXX");
  Processes processes;
  const auto found = find_compiler(processes);
  setenv("PATH", path.c_str(), 1);
  if (chosen != nullptr) setenv("CXX", compiler.c_str(), 1);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().help, HasSubstr("apt-get install g++"));
}

TEST_F(CompileTest, ClangBuildsKernelsToo) {
  if (!find_program("clang++")) GTEST_SKIP() << "no clang++ here";
  setenv("HONE_CXX", "clang++", 1);
  Processes processes;
  auto opened = CpuDevice::open(device()->identity(), cache()->path(), processes);
  unsetenv("HONE_CXX");
  ASSERT_TRUE(opened);
  const auto outcome = (*opened)->compile(request_of({"y[0] = 1.0f;"}));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->artefact) << outcome->messages;
}

}  // namespace
}  // namespace hone::device::cpu
