// What an entry returns: every spelling of void that a compiler takes, and every way to hide that it is none.
#include "device/cpu/returns.h"

#include "device/cpu/testing/arm_fixture.h"

namespace hone::device::cpu {
namespace {

Returns of(std::vector<std::string> texts) { return returns_of(texts, "k"); }

TEST(ReturnsOf, EverySpellingOfVoid) {
  for (const char* text : {
           "extern \"C\" void k(int n) {}",
           "extern \"C\" void\n  k (int n) {}",
           "extern \"C\" void (k)(int n) {}",
           "extern \"C\" void ((k))(int n) {}",
           "extern \"C\" void __attribute__((noinline)) k(int n) {}",
           "extern \"C\" __attribute__((target(\"avx2\"))) void k(int n) {}",
           "extern \"C\" [[gnu::cold]] void k(int n) [[x]] {}",
           "extern \"C\" void k [[x]] (int n) {}",
           "extern \"C\" void (__attribute__((noinline)) k)(int n) {}",
           "extern \"C\" void inline static k(int n) noexcept(true) {}",
           "extern \"C\" auto k(int n) -> void {}",
           "extern \"C\" auto (k)(int n) noexcept -> void [[x]] {}",
           "extern \"C\" void k(int n) try {} catch (...) {}",
           "extern \"C\" void k(int n) <% %>",
           "void k(n) int n; {}",
           "extern \"C\" { void helper(); void k(int n) { if (n > 0) k(n - 1); for (;; k(1)) { return; } } }",
           "extern \"C\" int k2(int k) { return (k) + 1; } extern \"C\" void k(int n) {}",
           "long a = 1'000; extern \"C\" void k(int n) { (void)'\\''; }",
       })
    EXPECT_EQ(of({text}), Returns::nothing) << text;
}

TEST(ReturnsOf, WhatIsNotDefinedToBeVoidIsAStatus) {
  for (const char* text : {
           "extern \"C\" int k(int n) {}",
           "void kk(); void ok(); extern \"C\" int k() { ok(); }",
           "void k();",
           "int avoid; int k();",
           "void* k() {}",
           "extern \"C\" auto k() -> int {}",
           "extern \"C\" auto k() -> void* {}",
           "extern \"C\" auto k() -> void (*)(int) {}",
           "extern \"C\" status<void> k() {}",
           "extern \"C\" [[x::void]] int k() {}",
           "extern \"C\" int [[x::void]] k() {}",
           "extern \"C\" decltype(void(), 1) k() {}",
           "void g() { (void) k(); x = k(); } int k() {}",
           "",
       })
    EXPECT_EQ(of({text}), Returns::status) << text;
}

TEST(ReturnsOf, OneDefinitionThatSaysOtherwiseDecides) {
  const std::string decoy = "namespace n { void k() {} }\n";
  for (const char* text : {
           "extern \"C\" int k() { return 1; }",
           "extern \"C\" int (k)() { return 1; }",
           "extern \"C\" auto k() -> int { return 1; }",
           "extern \"C\" int k() <% return 1; %>",
           "int k(x, n) const float* x; int n; { return 1; }",
           "const char* s = R\"(\"\n)\"; extern \"C\" int k() { return 1; } //\"",
           "const char* s = u8R\"x( )\" )x\"; extern \"C\" int k() { return 1; } const char* t = \"\";",
           "extern \"C\" int k [[x]] () { return 1; }",
           "extern \"C\" int (__attribute__((noinline)) k)() { return 1; }",
           "extern \"C\" int (*k(int))(int) { return 1; }",
           "int a = 1'0; extern \"C\" int k() { return 1; } int b = 1'0;",
           "#pragma mystery \\\nextern \"C\" int k() { return 1; }",
           "#pragma mystery (\nextern \"C\" int k()\n#pragma mystery ;\n{ return 1; }",
           "#pragma redefine_extname real k\nextern \"C\" int real() { return 1; }",
           "extern \"C\" int real() __asm__(\"\" \"k\"); int real() { return 1; }",
           "asm(\".globl k\\nk: ret\");",
           "extern \"C\" int k() __attribute__((alias(\"real\")));",
           "extern \"C\" int real() __asm__(\"\\153\"); int real() { return 1; }",
           "extern \"C\" int real() __asm__(\"\\x6b\"); int real() { return 1; }",
           "asm(\".irp q, k\\n.globl \\\\q\\n.set \\\\q, real\\n.endr\\n\");",
           "void f() { asm(\".set a, b\"); }",
       }) {
    EXPECT_EQ(of({decoy + text}), Returns::status) << text;
    EXPECT_EQ(of({decoy, text}), Returns::status) << "in two sources: " << text;
  }
  EXPECT_EQ(of({decoy + "extern \"C\" void k() { asm volatile(\"kmovw %k1, %0\"); }"}), Returns::nothing);
  EXPECT_EQ(of({decoy + "extern \"C\" void k() { asm(\"1: dec %0\\n\\tjnz 1b\"); }"}), Returns::nothing);
}

TEST(ReturnsOf, ALongTextOfCallsIsReadInOneGo) {
  std::string calls = "int x = k()", nested = "int y = ";
  for (int i = 0; i < 50'000; ++i) calls += " < k()", nested += "k(";
  EXPECT_EQ(of({calls + "; " + nested}), Returns::status);
}

// ---- as the compiler reads it ----

class ReturnsOfBuilds : public ArmTest {
 protected:
  static Returns build(const std::string& text, const std::string& name = "kernel.cpp") {
    CompileRequest request;
    request.files = {{name, false, text}};
    request.sources = {name};
    request.entry = "k";
    request.macros = {{"NOTHING", "void"}};
    const auto outcome = device()->compile(request);
    EXPECT_TRUE(outcome && outcome->artefact) << (outcome ? outcome->messages : to_text(outcome.error()));
    if (!outcome || !outcome->artefact) return Returns::status;
    const auto again = device()->compile(request);
    EXPECT_EQ(again->took, Nanoseconds(0));
    EXPECT_EQ(again->artefact->returns, outcome->artefact->returns) << "kept with what was built";
    return outcome->artefact->returns.at("k");
  }
};

TEST_F(ReturnsOfBuilds, ConditionsCommentsAndMacrosAreTheCompilers) {
  const std::string status = "extern \"C\" int k(int n) { return n; }\n";
  EXPECT_EQ(build("#if 0\nvoid k(\n#endif\n" + status), Returns::status);
  EXPECT_EQ(build("#ifdef NEVER\nextern \"C\" void k(int) {}\n#else\n" + status + "#endif\n"), Returns::status);
  EXPECT_EQ(build("// void k(int) {}\n" + status), Returns::status);
  EXPECT_EQ(build("#define int void\n#undef int\n" + status), Returns::status);
  EXPECT_EQ(build("#define EXPORT(name) extern \"C\" NOTHING name\nEXPORT(k)(int) {}\n"), Returns::nothing);
  EXPECT_EQ(build("#include <vector>\nextern \"C\" auto (k)(int) -> void {}\n"), Returns::nothing);
  EXPECT_EQ(build("extern \"C\" void k(int n);\nvoid k(int) {}\n"), Returns::nothing);
  EXPECT_EQ(build("int k(n) int n; { return n; }\n", "kernel.c"), Returns::status);
  EXPECT_EQ(build("NOTHING k(int n) { (void)n; }\n", "kernel.c"), Returns::nothing);
}

TEST_F(ReturnsOfBuilds, ADeclarationElsewhereContradictsNoDefinition) {
  CompileRequest request;
  request.files = {{"a.cpp", false, "extern \"C\" void k(int); void use() { k(1); }"},
                   {"b.cpp", false, "extern \"C\" int k(int n) { return n; }"}};
  request.sources = {"a.cpp", "b.cpp"};
  request.entry = "k";
  const auto outcome = device()->compile(request);
  ASSERT_TRUE(outcome && outcome->artefact);
  EXPECT_EQ(outcome->artefact->returns.at("k"), Returns::status);
}

TEST_F(ReturnsOfBuilds, AnArtefactThatDoesNotSayIsBuiltAnew) {
  CompileRequest request;
  request.files = {{"k.cpp", false, "extern \"C\" void k() {}"}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  const auto outcome = device()->compile(request);
  ASSERT_TRUE(outcome && outcome->artefact);
  ASSERT_TRUE(Disk().remove(outcome->artefact->folder / "returns.txt"));
  const auto again = device()->compile(request);
  ASSERT_TRUE(again && again->artefact);
  EXPECT_GT(again->took, Nanoseconds(0));
  EXPECT_EQ(again->artefact->returns.at("k"), Returns::nothing);
}

}  // namespace
}  // namespace hone::device::cpu
