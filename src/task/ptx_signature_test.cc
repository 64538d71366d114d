#include "task/ptx_signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <stdlib.h>

#include "base/text.h"
#include "task/task_folder_for_tests.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view k_module = R"(// made by hand
.version 8.5
.target sm_90
.address_size 64
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.global .align 4 .u32 counter;
.const .align 4 .b8 table[16] = {1, 2};
.global .align 1 .b8 $str[3] = {37, 100};
.extern .shared .align 16 .b8 dynamic[];
.shared .align 8 .f64 once;
.shared .align 4 .b8 elsewhere[4096];

.func (.param .b32 r) helper ( .param .b64 p )
{
	.shared .align 4 .f32 mine;
	ret;
}
.visible .entry multiply(
	.param .u64 .ptr .global .align 16 multiply_param_0, /* a buffer */
	.param .u64 multiply_param_1,
	.param .f32 multiply_param_2,
	.param .align 64 .b8 multiply_param_3[128],
	.param .align 4 .v2 .f32 multiply_param_4
)
.maxntid 32, 8
.minnctapersm 2
{
	.reg .b64 	%rd<19>;
	.shared .align 4 .b8 tile[2][50];
	{ call.uni (r0), helper, (p0); }
	call (r0), vprintf, (p0);
	call (r0), %rd3, (p0), prototype;
	mov.u64 %rd1, once;
	mov.u64 %rd2, dynamic;
	st.global.u32 [counter], %r1;
	ret;
}
.entry plain ()
.reqntid 64, 2, 1
{
	ret;
}
.visible .entry without()
;
)";

TEST(Ptx, EntriesAndTheirParameters) {
  const auto module = read_ptx(k_module);
  ASSERT_TRUE(module) << to_text(module.error());
  EXPECT_EQ(module->target, "sm_90");
  ASSERT_EQ(module->entries.size(), 2u);
  const PtxEntry& entry = module->entries[0];
  EXPECT_EQ(entry.name, "multiply");
  ASSERT_EQ(entry.parameters.size(), 5u);
  EXPECT_TRUE(entry.parameters[0].pointer);
  EXPECT_EQ(entry.parameters[0].type, "u64");
  EXPECT_EQ(entry.parameters[0].align_bytes, 8u);
  EXPECT_FALSE(entry.parameters[1].pointer);
  EXPECT_EQ(entry.parameters[2].size_bytes, 4u);
  EXPECT_EQ(entry.parameters[3].size_bytes, 128u);
  EXPECT_EQ(entry.parameters[3].align_bytes, 64u);
  EXPECT_EQ(entry.parameters[4].size_bytes, 8u);
  EXPECT_THAT(*entry.most_threads, ElementsAre(32, 8, 1));
  EXPECT_FALSE(entry.required_threads);
  EXPECT_THAT(*module->find("plain")->required_threads, ElementsAre(64, 2, 1));
  EXPECT_THAT(module->find("plain")->parameters, IsEmpty());
  EXPECT_EQ(module->find("helper"), nullptr);
}

TEST(Ptx, SharedMemoryOfWhatIsReached) {
  const auto module = read_ptx(k_module);
  // 8 of `once`, 100 of `tile`, 4 of the helper's `mine`; nothing of `elsewhere`, which nobody names.
  EXPECT_EQ(module->find("multiply")->shared_bytes, 112u);
  EXPECT_TRUE(module->find("multiply")->dynamic_shared);
  EXPECT_EQ(module->find("plain")->shared_bytes, 0u);
  EXPECT_FALSE(module->find("plain")->dynamic_shared);
}

TEST(Ptx, WhatItKeepsAndWhatItLacks) {
  auto module = *read_ptx(k_module);
  ASSERT_EQ(module.globals.size(), 2u);
  EXPECT_EQ(module.globals[0].name, "counter");
  EXPECT_EQ(module.globals[0].size_bytes, 4u);
  EXPECT_FALSE(module.globals[0].only_read);
  EXPECT_TRUE(module.globals[1].only_read);
  EXPECT_THAT(module.unresolved, ElementsAre("vprintf"));
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("calls 'vprintf', which is not in it"));
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("remove the printf"));
  module.unresolved = {"free", "malloc"};
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("'free' and 'malloc', which are not in it"));
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("ask for a `scratch` argument"));
  module.unresolved = {"elsewhere"};
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("define it in the kernel's own files"));
  module.unresolved.clear();
  EXPECT_THAT(to_text(check_self_contained(module).error()), HasSubstr("global variable 'counter' of 4 bytes"));
  module.globals.erase(module.globals.begin());
  EXPECT_TRUE(check_self_contained(module));
}

struct BrokenRow {
  std::string text;
  std::string_view words;
};

TEST(Ptx, AnAttributeStandsBeforeTheType) {
  const auto module = read_ptx(".global .attribute(.managed) .align 4 .b8 state[16];");
  ASSERT_TRUE(module) << to_text(module.error());
  ASSERT_EQ(module->globals.size(), 1u);
  EXPECT_EQ(module->globals[0].name, "state");
}

TEST(Ptx, WhatNoCompilerWritesIsRefused) {
  const BrokenRow rows[] = {
      {"\n.entry", "line 2 of the PTX: a function has no name"},
      {".entry f ( .param .u64 x", "a parameter list has no end"},
      {".entry f ( .u64 x ) { }", "a parameter list holds something else"},
      {".entry f ( .param .u64 x, ) {", "the body of 'f' has no end"},
      {".entry f ( .param x ) { }", "no type or no name"},
      {".entry f ( .param .align zero .b8 x ) { }", "an alignment is no number"},
      {".entry f ( .param .align 0 .b8 x ) { }", "an alignment is no number"},
      {".global .b8 x[18446744073709551615][2];", "no usable size"},
      {".global .b64 x[18446744073709551615];", "larger than 64 bits can say"},
      {".global .b8 x[;", "no usable size"},
      {".global .attribute(.managed;", "an attribute does not end"},
      {"\n.global ;", "line 2 of the PTX: a declaration has no type or no name"},
      {".entry f ( .param ) { }", "line 1 of the PTX: a declaration has no type or no name"},
      {".entry f () { .shared ; }", "line 1 of the PTX: a declaration has no type or no name"},
      {".entry f () { .shared", "has no end"},
      {".entry f () { .shared .b8 a[18446744073709551615]; .shared .b8 b; }", "more shared memory than 64 bits"},
  };
  for (const BrokenRow& row : rows) {
    const auto module = read_ptx(row.text);
    ASSERT_FALSE(module) << row.text;
    EXPECT_THAT(to_text(module.error()), HasSubstr(row.words)) << row.text;
  }
  EXPECT_THAT(read_ptx("")->entries, IsEmpty());
}

TEST(Ptx, AnyBytesAreReadOrRefused) {
  rc::check([] {
    std::string text(k_module);
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
      text[at] = *rc::gen::element('(', ')', '{', '}', '[', ']', '"', '.', ',', ';', '0', '/', '\n', '\0');
    }
    std::ignore = read_ptx(text.substr(0, static_cast<size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())))));
  });
}

// ---- against the contract

Argument argument(std::string name, Role role, DType dtype = DType::f32) {
  Argument out;
  out.name = std::move(name);
  out.role = role;
  out.dtype = dtype;
  return out;
}

Task multiply_task() {
  Task task;
  task.arguments = {argument("x", Role::in), argument("y", Role::out), argument("a", Role::scalar),
                    argument("map", Role::tensor_map), argument("n", Role::size, DType::i32)};
  return task;
}

std::string fault_of(const std::string& parameters, const Task& task, const std::vector<size_t>& arguments) {
  const auto module = read_ptx(".entry f(" + parameters + ") { }");
  const auto sound = check_parameters(handed(task, arguments), module->entries.at(0));
  return sound ? "none" : to_text(sound.error());
}

TEST(CheckParameters, NamesTheFirstThatDiffers) {
  const Task task = multiply_task();
  const std::string pointer = ".param .u64 .ptr .align 1 a", value = ".param .f32 b",
                    map = ".param .align 64 .b8 c[128]", size = ".param .u32 d";
  EXPECT_EQ(fault_of(pointer + "," + pointer + "," + value + "," + map + "," + size, task, {0, 1, 2, 3, 4}), "none");
  EXPECT_THAT(fault_of(pointer + "," + value + "," + size, task, {0, 1, 4}),
              HasSubstr("parameter 2 of 'f' is .f32 (4 bytes), the contract hands over 'y', a pointer"));
  EXPECT_THAT(fault_of(pointer + "," + pointer, task, {0, 2}),
              HasSubstr("parameter 2 of 'f' is a pointer, the contract hands over 'a', f32 (4 bytes)"));
  EXPECT_THAT(fault_of(size, task, {2}),
              HasSubstr("parameter 1 of 'f' is .u32 (4 bytes), the contract hands over 'a'"));
  EXPECT_THAT(fault_of(value, task, {4}), HasSubstr("hands over 'n', i32 (4 bytes)"));
  EXPECT_THAT(fault_of(".param .u64 n", task, {4}), HasSubstr("is .u64 (8 bytes), the contract hands over 'n', i32"));
  EXPECT_THAT(fault_of(pointer, task, {3}), HasSubstr("'map', a tensor map (128 bytes aligned to 64)"));
  EXPECT_THAT(fault_of(".param .align 4 .b8 c[128]", task, {3}), HasSubstr("is 128 bytes aligned to 4"));
  EXPECT_THAT(fault_of(pointer, task, {0, 1}),
              HasSubstr("'f' takes 1 parameter, the contract hands over 2: 'y' has no place"));
  EXPECT_THAT(fault_of(pointer + "," + size, task, {0}), HasSubstr("add what parameter 2 is, .u32 (4 bytes)"));
}

TEST(CheckParameters, NumbersOfEveryType) {
  struct Row {
    DType dtype;
    std::string parameter;
  };
  const Row rows[] = {{DType::f64, ".f64 a"},
                      {DType::f32, ".f32 a"},
                      {DType::f16, ".align 2 .b8 a[2]"},
                      {DType::bf16, ".align 2 .b8 a[2]"},
                      {DType::f16, ".f16 a"},
                      {DType::i64, ".u64 a"},
                      {DType::u32, ".u32 a"},
                      {DType::i16, ".s16 a"},
                      {DType::u8, ".u8 a"},
                      {DType::boolean, ".u8 a"}};
  for (const Row& row : rows) {
    Task task;
    task.arguments = {argument("a", Role::scalar, row.dtype)};
    EXPECT_EQ(fault_of(".param " + row.parameter, task, {0}), "none") << row.parameter;
    task.arguments[0].dtype = row.dtype == DType::f64 ? DType::f32 : DType::f64;
    EXPECT_NE(fault_of(".param " + row.parameter, task, {0}), "none") << row.parameter;
  }
}

TEST(CheckLaunch, TheKernelIsThereAndTakesTheBlock) {
  const PtxModule module = *read_ptx(k_module);
  const Task task = multiply_task();
  BoundLaunch launch;
  launch.entry = "plain";
  launch.block = {64, 2, 1};
  EXPECT_TRUE(check_launch(task, launch, module));
  launch.block = {128, 1, 1};
  EXPECT_THAT(to_text(check_launch(task, launch, module).error()),
              HasSubstr("launched with blocks of 128 x 1 x 1, it requires 64 x 2 x 1"));
  launch.entry = "multipl";
  EXPECT_THAT(to_text(check_launch(task, launch, module).error()), HasSubstr("did you mean 'multiply'"));
  launch.entry = "multiply";
  EXPECT_THAT(to_text(check_launch(task, launch, module).error()), HasSubstr("takes 5 parameters"));
}

TEST(CheckLaunch, LaunchBoundsHold) {
  const PtxModule module = *read_ptx(".entry f() .maxntid 128 { }");
  BoundLaunch launch;
  launch.entry = "f";
  launch.block = {128, 1, 1};
  EXPECT_TRUE(check_launch({}, launch, module));
  launch.block = {128, 2, 1};
  EXPECT_THAT(to_text(check_launch({}, launch, module).error()),
              HasSubstr("launched with 256 threads a block, __launch_bounds__ allows 128"));
}

// ---- what a compiler writes

constexpr std::string_view k_kernel = R"(
#include <cstdio>
__device__ int counter;
extern "C" __global__ void __launch_bounds__(256) f(const float* x, double* y, int n, unsigned char c, long long l,
                                                    double d, short s, bool b) {
  __shared__ float part[100];
  extern __shared__ float more[];
  part[threadIdx.x % 100] = x[threadIdx.x];
  more[threadIdx.x] = 1;
  __syncthreads();
  if (n == 3) printf("%d", counter++);
  y[0] = part[n % 100] + c + l + d + s + b + more[n];
}
extern "C" __global__ void g(float* y) { y[threadIdx.x] = 1; }
)";

std::optional<std::string> compiled(const TaskFolder& folder) {
  folder.write("k.cu", std::string(k_kernel));
  const std::string out = (folder.path() / "k.ptx").string();
  const std::string command = "nvcc -arch=compute_90 -ptx " + shell_word((folder.path() / "k.cu").string()) + " -o " +
                              shell_word(out) + " > /dev/null 2>&1";
  if (system(command.c_str()) != 0) return std::nullopt;
  return *read_file(out);
}

TEST(Ptx, OfACompilerIsRead) {
  const TaskFolder folder(std::map<std::string, std::string>{});
  if (system("nvcc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no nvcc in PATH";
  const auto text = compiled(folder);
  if (!text) GTEST_SKIP() << "nvcc does not compile for compute_90 here";
  const auto module = read_ptx(*text);
  ASSERT_TRUE(module) << to_text(module.error());
  EXPECT_THAT(module->entries, SizeIs(2));
  EXPECT_THAT(module->unresolved, ElementsAre("vprintf"));
  const PtxEntry* entry = module->find("f");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->shared_bytes, 400u);
  EXPECT_TRUE(entry->dynamic_shared);
  EXPECT_EQ(entry->most_threads->at(0), 256u);
  Task task;
  task.arguments = {argument("x", Role::in),
                    argument("y", Role::out, DType::f64),
                    argument("n", Role::size, DType::i32),
                    argument("c", Role::scalar, DType::u8),
                    argument("l", Role::scalar, DType::i64),
                    argument("d", Role::scalar, DType::f64),
                    argument("s", Role::scalar, DType::i16),
                    argument("b", Role::scalar, DType::boolean)};
  const auto sound = check_parameters(handed(task, {0, 1, 2, 3, 4, 5, 6, 7}), *entry);
  EXPECT_TRUE(sound) << to_text(sound.error());
  EXPECT_FALSE(check_parameters(handed(task, {0, 1, 2, 3, 5, 4, 6, 7}), *entry));
  EXPECT_EQ(module->globals.front().name, "counter");
}

}  // namespace
}  // namespace hone::task
