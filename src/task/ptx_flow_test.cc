// Addresses of variables, followed: what is read through them and nothing else, and every way out that an inline
// assembler has.
#include "task/ptx_flow.h"

#include <gmock/gmock.h>

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool is_only_read(std::string_view text, std::string_view name = "t") {
  const std::vector<PtxToken> tokens = ptx_tokens(text);
  return only_read(tokens, {name}).contains(name);
}
bool body_only_reads(const std::string& body) {
  return is_only_read(".global .b8 t[24] = {1, 2};\n.visible .entry f(.param .u64 f_param_0)\n{\n" + body +
                      "\nret;\n}\n");
}

TEST(OnlyRead, ATableAsACompilerReadsIt) {
  EXPECT_TRUE(body_only_reads(R"(
    .reg .b64 %rd<9>;
    .loc 1 12 5, function_name $L__info_string0, inlined_at 1 40 3
    mov.u64 %rd1, t;
    mov.u64 %rd5, %rd1;
$L__BB0_3:
    .loc 1 13 5
    ld.global.nc.u32 %r17, [%rd5];
    mad.wide.u32 %rd3, %r17, 4, %rd1;
    @!%p1 ld.global.v2.u32 {%r18, %r19}, [%rd3+8];
    ld.global.u8 %r3, [t+3];
    add.s64 %rd5, %rd5, 4;
    setp.ne.s32 %p1, %r18, 6;
    st.global.u32 [%rd8], %r18;
    @%p1 bra $L__BB0_3;)"));
}

TEST(OnlyRead, WhatIsNeverNamedIsOnlyRead) { EXPECT_TRUE(body_only_reads("st.global.u32 [%rd1], 5;")); }

TEST(OnlyRead, EveryOtherUseCountsAsAWrite) {
  const std::string_view bodies[] = {
      "st.global.u32 [t], 5;",
      "st.global.u32 [t+4], 5;",
      "atom.global.add.u32 %r1, [t], 1;",
      "red.global.add.u32 [t], 1;",
      "mov.u64 %rd1, t; st.global.u32 [%rd1], 5;",
      "mov.u64 %rd1, t; add.s64 %rd2, %rd1, 4; cvta.global.u64 %rd3, %rd2; st.u32 [%rd3], 5;",
      // the address leaves: in a value, in a comparison, in a part, into a call
      "mov.u64 %rd1, t; st.global.u64 [%rd9], %rd1;",
      "mov.u64 %rd1, t; setp.lt.u64 %p1, %rd1, %rd9;",
      "mov.u64 %rd1, t; mov.b64 {%r1, %r2}, %rd1; st.global.u32 [%rd9], %r2;",
      "mov.u64 %rd1, t; mov.b64 %v.x, %rd1; st.global.v2.u64 [%rd9], %v;",
      "mov.u64 %rd1, t; and.b64 %rd2, %rd1, 7;",
      "mov.u64 %rd1, t; st.param.b64 [param0], %rd1;",
      "call (r0), other, (t);",
      // around a loop
      "L: st.global.u32 [%rd2], 5; mov.u64 %rd2, %rd1; mov.u64 %rd1, t; bra L;",
      // behind a mark, a label, a guard, a brace
      ".loc 1 1 1 st.global.u32 [t], 5;",
      ".loc 1 1 1, function_name $x st.global.u32 [t], 5;",
      "L: { @!%p1 st.global.u32 [t], 5; }",
      "}{ st.global.u32 [t], 5;",
      // behind a string that may not end where it seems to
      ".pragma \"a\\\"; st.global.u32 [t], 5; .pragma \"b\";",
      // after so long a chain that nobody followed it
      "L: st.global.u32 [%a], 5; mov.u64 %a, %b; mov.u64 %b, %c; mov.u64 %c, %d; mov.u64 %d, %e; mov.u64 %e, %f; "
      "mov.u64 %f, %g; mov.u64 %g, %h; mov.u64 %h, %i; mov.u64 %i, %j; mov.u64 %j, t; bra L;",
  };
  for (const std::string_view body : bodies) EXPECT_FALSE(body_only_reads(std::string(body))) << body;
}

TEST(OnlyRead, TheFirstInstructionStandsRightBehindTheHeader) {
  EXPECT_FALSE(is_only_read(".global .b8 t[4]; .entry f(.param .u64 p) { st.global.u32 [t], 5; }"));
  EXPECT_FALSE(is_only_read(".global .b8 t[4]; .extern .func g; .entry f() { st.global.u32 [t], 5; }"));
}

TEST(OnlyRead, AnotherVariableThatHoldsTheAddressGivesItAway) {
  EXPECT_FALSE(is_only_read(".global .b8 t[4]; .global .u64 p = t;"));
  EXPECT_FALSE(is_only_read(".global .b8 t[4]; .const .u64 p[2] = {0, generic(t)};"));
  EXPECT_TRUE(is_only_read(".version 8.8 .target sm_90 .address_size 64 .global .b8 t[4] = {1, 2, 3, 4};"));
}

TEST(OnlyRead, RegistersOfAnotherFunctionAreOthers) {
  EXPECT_TRUE(is_only_read(R"(.global .b8 t[4];
    .entry f() { mov.u64 %rd1, t; ld.global.u32 %r1, [%rd1]; }
    .entry g(.param .u64 p) { ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], 5; })"));
}

TEST(OnlyRead, EachVariableIsFollowedByItself) {
  const std::vector<PtxToken> tokens = ptx_tokens(
      ".global .b8 a[4]; .global .b8 b[4]; .global .b8 c[4]; .global .b8 d[4];"
      ".entry f() { mov.u64 %rd1, a; ld.global.u32 %r1, [%rd1];"
      "st.global.u32 [b], %r1;"
      "mov.u64 %rd2, c; mov.u64 %rd3, d; selp.b64 %rd4, %rd2, %rd3, %p1; }");
  EXPECT_THAT(only_read(tokens, {"a", "b", "c", "d"}), ElementsAre("a")) << "either of two is followed no further";
  EXPECT_THAT(only_read(tokens, {}), IsEmpty());
}

}  // namespace
}  // namespace hone::task
