#include "task/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/read_launch.h"
#include "task/task_folder_for_tests.h"
#include "task/tensor_map.h"

namespace hone::task {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The worked example of docs/task.md.
std::string example() {
  const std::string page = *read_file(fs::path(HONE_SOURCE_DIR) / "docs/task.md");
  const size_t heading = page.find("\n## Device kernels");
  const size_t start = page.find("```toml\n", heading) + 8;
  return page.substr(start, page.find("\n```", start) + 1 - start);
}

std::map<std::string, std::string> files_of(std::string toml) {
  return {{"task.toml", std::move(toml)}, {"kernel.cu", "\n"}, {"reference.cpp", "\n"}};
}

ReadTask read(const std::string& toml) { return TaskFolder(files_of(toml)).read(); }

std::string faults(const ReadTask& read) {
  std::string out;
  for (const Error& error : read.diagnostics.errors) out += to_text(error);
  return out;
}

class Launches : public testing::Test {
 protected:
  Launches() {
    const ReadTask found = read(example());
    EXPECT_TRUE(found.task) << faults(found);
    EXPECT_THAT(found.diagnostics.warnings, IsEmpty());
    if (found.task) task_ = *found.task;
  }
  BoundCase bound(size_t index, const Variant& variant = {}) {
    return *bind_case(task_, task_.cases.at(index), variant);
  }
  Result<std::vector<BoundLaunch>> launches(const Variant& variant = {}, const LaunchLimits& limits = {}) {
    return bind_launches(task_, variant, bound(0, variant), limits);
  }
  std::string refusal(const Variant& variant, const LaunchLimits& limits = {}) {
    const auto found = launches(variant, limits);
    return found ? "none" : to_text(found.error());
  }
  // A variant with one launch that takes every argument that a launch of the example takes.
  Result<Variant> own(const std::string& launch) {
    return read_variant(task_, "schema = \"variant/1\"\n" + launch, "variant.toml");
  }
  std::string fault_of(const std::string& launch) {
    const auto variant = own(launch);
    return variant ? "none" : to_text(variant.error());
  }

  Task task_;
};

TEST_F(Launches, TheWorkedExampleIsBound) {
  const auto found = launches();
  ASSERT_TRUE(found) << to_text(found.error());
  ASSERT_EQ(found->size(), 3u);
  const BoundLaunch& pack = found->at(0);
  EXPECT_EQ(pack.entry, "pack");
  EXPECT_EQ(pack.phase, Phase::prepare);
  EXPECT_THAT(pack.grid, ElementsAre(1, 3, 1));
  EXPECT_THAT(pack.block, ElementsAre(64, 4, 1));
  EXPECT_THAT(pack.arguments, ElementsAre(1, 4));
  const BoundLaunch& multiply = found->at(1);
  EXPECT_EQ(multiply.entry, "multiply");
  EXPECT_THAT(multiply.grid, ElementsAre(1, 2, 1));
  EXPECT_EQ(multiply.dynamic_shared_bytes, 16384u);
  EXPECT_THAT(multiply.arguments, ElementsAre(6, 7, 5, 3));
  EXPECT_THAT(found->at(2).cluster, ElementsAre(1, 1, 1));
}

TEST_F(Launches, TunablesOfTheCandidateCount) {
  const Variant variant{{{"SPLIT", "4"}, {"TILE", "128"}}, {}};
  const auto found = launches(variant);
  ASSERT_TRUE(found) << to_text(found.error());
  EXPECT_THAT(found->at(1).grid, ElementsAre(1, 1, 4));
  EXPECT_EQ(bound(0, variant).arguments[5].bytes, 4u * 77 * 64 * 4);
  EXPECT_EQ(bound(0).arguments[5].bytes, 4u * 77 * 64);
}

TEST_F(Launches, LimitsAreTheDevices) {
  EXPECT_THAT(refusal({}, {.threads = 128}),
              HasSubstr("block of launch 1 ('pack'), case 'odd': 64 x 4 x 1 are 256 threads, the limit is 128"));
  EXPECT_EQ(refusal({}, {.threads = 256}), "none");
  EXPECT_THAT(refusal({}, {.block = {128, 1024, 64}}), HasSubstr("x is 256 ('256'), the limit is 128"));
  EXPECT_THAT(refusal({}, {.grid = {100, 2, 1}}), HasSubstr("grid of launch 1 ('pack'), case 'odd': y is 3"));
  EXPECT_THAT(refusal({}, {.shared_bytes = 16383}),
              HasSubstr("dynamic_shared_bytes of launch 2 ('multiply'), case 'odd': a block needs 16384 bytes"));
  EXPECT_EQ(refusal({}, {.shared_bytes = 16384}), "none");
}

constexpr std::string_view k_all_args = "args = [\"x\", \"w\", \"y\", \"m\"]\n";

TEST_F(Launches, ACandidatesOwnReplaceTheContracts) {
  const auto variant = own(std::string("[[launch]]\nblock = [\"TILE\", 2]\ngrid = [\"7 * m\"]\ncluster = [7]\n") +
                           std::string(k_all_args));
  ASSERT_TRUE(variant) << to_text(variant.error());
  const auto found = launches(*variant);
  ASSERT_TRUE(found) << to_text(found.error());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().entry, "multiply");
  EXPECT_THAT(found->front().grid, ElementsAre(539, 1, 1));
  EXPECT_THAT(found->front().cluster, ElementsAre(7, 1, 1));
  EXPECT_THAT(found->front().arguments, ElementsAre(0, 1, 2, 3));
}

TEST_F(Launches, TheirTextIsCanonical) {
  const auto variant =
      own("[[launch]]\nargs = [\"x\", \"w\", \"y\"]\nblock = [\"2  *  (TILE)\"]\ncooperative = true\n"
          "dynamic_shared_bytes = 64\ngrid = [\"m\", 1]\n");
  ASSERT_TRUE(variant) << to_text(variant.error());
  EXPECT_EQ(variant->launches,
            "\n[[launch]]\ngrid = [\"m\", 1]\nblock = [\"2 * TILE\"]\ndynamic_shared_bytes = 64\ncooperative = true\n"
            "args = [\"x\", \"w\", \"y\"]\n");
  EXPECT_EQ(*read_variant(task_, canonical_text(*variant), "variant.toml"), *variant);
}

TEST_F(Launches, TheContractsOwnAreNoChoice) {
  const auto variant = own(canonical_text(task_.launches));
  ASSERT_TRUE(variant) << to_text(variant.error());
  EXPECT_EQ(*variant, Variant{});
}

struct FaultRow {
  std::string launch;
  std::string words;
};

TEST_F(Launches, ACandidatesFaultsAreTold) {
  const std::string args(k_all_args);
  const FaultRow rows[] = {
      {"[[launch]]\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"ww\", \"y\"]", "unknown argument 'ww', did you mean 'w'"},
      {"[[launch]]\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"w\"]", "no launch takes the output 'y'"},
      {"[[launch]]\ngrid = [1]\nblock = [\"TLE\"]\n" + args, "unknown name 'TLE', did you mean 'TILE'"},
      {"[[launch]]\ngrid = [1]\nbloc = [1]\n" + args, "no 'block'"},
      {"[[launch]]\ngrid = [1]\nblock = []\n" + args, "'block' of launch 1 is empty"},
      {"[[launch]]\ngrid = [1, 1, 1, 1]\nblock = [1]\n" + args, "4 dimensions"},
      {"[[launch]]\ngrid = [1]\nblock = [32]\nentry = \"a-b\"\n" + args, "no function name"},
      {"launch = []", "is empty"},
      {"launch = 3", "must be"},
      {"launch = [{ grid = [1], block = [1], args = [\"x\", \"y\"] }, 3]", "must be a table, found an integer"},
      {"[[launch]]\ngrid = [1]\nblock = [1025]\n" + args, "x is 1025 ('1025'), the limit is 1024"},
      {"[[launch]]\ngrid = [1]\nblock = [32, 33]\n" + args, "32 x 33 x 1 are 1056 threads, the limit is 1024"},
      {"[[launch]]\ngrid = [\"m - 77\"]\nblock = [1]\n" + args, "case 'odd': x is 0 ('m - 77')"},
      {"[[launch]]\ngrid = [1, \"16 * m\"]\nblock = [1]\n" + args,
       "case 'large': y is 65536 ('16 * m'), the limit is 65535"},
      {"[[launch]]\ngrid = [\"m ** 20\"]\nblock = [1]\n" + args, "it cannot be worked out"},
      {"[[launch]]\ngrid = [\"m / 2\"]\nblock = [1]\n" + args, "it cannot be worked out"},
      {"[[launch]]\ngrid = [\"m\"]\nblock = [1]\ncluster = [2]\n" + args, "x is 2, which does not divide a grid of 77"},
      {"[[launch]]\ngrid = [17]\nblock = [1]\ncluster = [17]\n" + args, "17 x 1 x 1 blocks, the limit is 16"},
      {"[[launch]]\ngrid = [1]\nblock = [1]\ndynamic_shared_bytes = -1\n" + args, "it is -1"},
      {"[[launch]]\ngrid = [1]\nblock = [1]\ndynamic_shared_bytes = 232449\n" + args, "needs 232449 bytes"},
      {"[[launch]]\nphase = \"prepare\"\ngrid = [1]\nblock = [1]\nargs = [\"w\"]", "no launch has the phase \"run\""},
      {"[[launch]]\ngrid = [1]\nblock = [1]\nargs = [\"packed\", \"y\"]",
       "takes the derived buffer 'packed' and none prepares"},
      {"[[launch]]\ngrid = [1]\nblock = [1]\nargs = [\"packed_map\", \"y\"]",
       "takes the derived buffer 'packed' and none prepares"},
  };
  for (const FaultRow& row : rows) EXPECT_THAT(fault_of(row.launch), HasSubstr(row.words)) << row.launch;
}

TEST_F(Launches, MoreThanAnybodyWritesAreRefused) {
  std::string many;
  for (int i = 0; i < 257; ++i) many += "[[launch]]\ngrid = [1]\nblock = [1]\n" + std::string("args = [\"y\"]\n");
  EXPECT_THAT(fault_of(many), HasSubstr("has 257 entries, the limit is 256"));
}

TEST_F(Launches, OnlyWhatStaysIsPrepared) {
  const std::string run = "[[launch]]\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"packed\", \"y\"]\n";
  const auto prepared = [&](const std::string& args) {
    return "[[launch]]\nphase = \"prepare\"\ngrid = [1]\nblock = [1]\nargs = [" + args + "]\n";
  };
  EXPECT_EQ(fault_of(prepared("\"w\", \"packed\", \"m\", \"partial\"") + run), "none");
  for (const std::string one : {"x", "x_map", "y"})
    EXPECT_THAT(fault_of(prepared("\"packed\", \"" + one + "\"") + run),
                HasSubstr("takes '" + one + "', which is not the same at every call"));
  EXPECT_THAT(fault_of(run + prepared("\"packed\"")),
              HasSubstr("launch 2 has the phase \"prepare\" and stands behind"));
}

TEST_F(Launches, AContractsFaultsHaveAPlace) {
  const ReadTask found = read(replaced(example(), "grid = [\"ceildiv(m * n, 256)\"]", "grid = [\"m - 77\"]"));
  EXPECT_THAT(faults(found), HasSubstr("the kernel cannot be launched"));
  EXPECT_THAT(faults(found), HasSubstr("grid of launch 3 ('add_up'), case 'odd': x is 0 ('m - 77')"));
  const ReadTask varying = read(replaced(example(), "constant_across_calls = true\n", ""));
  EXPECT_THAT(faults(varying), HasSubstr("takes 'w', which is not the same at every call"));
}

TEST_F(Launches, TheDigestCoversThem) {
  const auto digest = [](const std::string& toml) { return read(toml).task->digest; };
  EXPECT_NE(digest(example()), digest(replaced(example(), "block = [128]", "block = [64]")));
  EXPECT_NE(digest(example()), digest(replaced(example(), "l2_promotion = \"128B\"\n", "")));
}

// ---- tensor maps

class TensorMaps : public Launches {
 protected:
  Result<BoundTensorMap> map(const Task& task, size_t index, size_t case_index = 0) {
    const BoundCase bound = *bind_case(task, task.cases[case_index]);
    return bind_tensor_map(task, bound, launch_scope(task, {}, bound), index);
  }
};

TEST_F(TensorMaps, AreTurnedAroundForTheDriver) {
  const auto found = map(task_, 6);
  ASSERT_TRUE(found) << to_text(found.error());
  EXPECT_EQ(found->base, 0u);
  EXPECT_EQ(found->elements, TensorElement::bf16);
  EXPECT_THAT(found->size_elements, ElementsAre(192, 77));
  EXPECT_THAT(found->stride_bytes, ElementsAre(384));
  EXPECT_THAT(found->box_elements, ElementsAre(64, 64));
  EXPECT_THAT(found->element_strides, ElementsAre(1, 1));
  EXPECT_EQ(found->swizzle, Swizzle::bytes_128);
  const auto packed = map(task_, 7);
  ASSERT_TRUE(packed) << to_text(packed.error());
  EXPECT_THAT(packed->size_elements, ElementsAre(192, 64));
  EXPECT_EQ(packed->l2_promotion, L2Promotion::bytes_128);
}

struct MapRow {
  std::string_view from;
  std::string to;
  std::string words;
};

TEST_F(TensorMaps, WhatTheDriverWouldRefuseIsTold) {
  const std::string_view box = "base = \"x\"\nbox = [\"TILE\", 64]\nswizzle = \"128B\"";
  const MapRow rows[] = {
      {box, "base = \"x\"\nbox = [\"TILE\", 128]\nswizzle = \"128B\"", "has 256 bytes, the swizzle spans 128"},
      {box, "base = \"x\"\nbox = [\"TILE\", 65]", "has 130 bytes"},
      {box, "base = \"x\"\nbox = [\"TILE\"]", "it has 1 value for 2 dimensions"},
      {box, "base = \"x\"\nbox = [257, 64]", "'257' is 257"},
      {box, "base = \"x\"\nbox = [0, 64]", "'0' is 0"},
      {box, "base = \"x\"\nbox = [8, 64]\nelement_strides = [9, 1]",
       "element_strides of the tensor map 'x_map', case 'odd': '9' is 9"},
      {box, "base = \"x\"\nbox = [8, 64]\ninterleave = \"16B\"", "the tensor has 2 dimensions"},
      {box, "base = \"x\"\nshape = [\"m\", 4, 16]\nbox = [8, 4, 16]\ninterleave = \"32B\"", "use swizzle = \"32B\""},
      {box, "base = \"x\"\nelements = \"u16\"\nbox = [8, 64]\nout_of_bounds = \"nan\"", "u16 have no NaN"},
      {box, "base = \"x\"\nshape = [\"m\", \"k + 8\"]\nbox = [8, 64]", "describes 30800 bytes, 'x' has 29568"},
      {box, "base = \"x\"\nshape = [\"m\", \"k\"]\nstrides = [\"k - 4\", 1]\nbox = [8, 64]", "rows 188 elements apart"},
      {box, "base = \"x\"\nshape = [\"m\", \"k\"]\nstrides = [1, \"m\"]\nbox = [8, 64]", "the last one is 77"},
      {box, "base = \"x\"\nshape = [\"m\", \"k\"]\nstrides = [1]\nbox = [8, 64]", "has 1 entries for 2 dimensions"},
      {box, "base = \"m\"\nbox = [8, 64]", "describes 'm', which is no buffer"},
      {box, "base = \"xx\"\nbox = [8, 64]", "did you mean 'x'"},
      {box, "base = \"partial\"\nbox = [8, 64]", "which is mere bytes"},
      {box, "base = \"x\"\nbox = [8, 64]\nswizzle = \"48B\"", "'48B', which is unknown"},
      {box, "base = \"x\"\nbox = [8, 64]\ndtype = \"bf16\"", "a descriptor states its element type as `elements`"},
      {box, "base = \"x\"\nbox = [8, 64]\nswizle = \"32B\"", "no key 'swizle', did you mean 'swizzle'"},
      {"name = \"x\"\nrole = \"in\"", "name = \"x\"\nalign = 8\nrole = \"in\"", "'x' is aligned to 8 bytes"},
  };
  for (const MapRow& row : rows)
    EXPECT_THAT(faults(read(replaced(example(), row.from, row.to))), HasSubstr(row.words)) << row.to;
}

// ---- roles

TEST(Roles, BelongToTheirLanguages) {
  const std::string symbol = replaced(example(), "[kernel]",
                                      "[[args]]\nname = \"table\"\nrole = \"symbol\"\ndtype = \"f32\"\nshape = [16]\n"
                                      "constant_across_calls = true\n[kernel]");
  EXPECT_TRUE(read(symbol).task) << faults(read(symbol));
  EXPECT_THAT(faults(read(replaced(symbol, "constant_across_calls = true\n[kernel]", "[kernel]"))),
              HasSubstr("beside the symbol 'table', which is not the same at every call"));
  EXPECT_THAT(faults(read(replaced(symbol, "args = [\"w\", \"packed\"]", "args = [\"w\", \"packed\", \"table\"]"))),
              HasSubstr("names the symbol 'table'"));
  const std::string opencl = replaced(example(), "language = \"cuda\"", "language = \"opencl\"");
  EXPECT_THAT(faults(read(opencl)), HasSubstr("has the role \"tensor_map\", which a launch of opencl has no use for"));
  EXPECT_THAT(faults(read(replaced(example(), "role = \"scratch\"", "role = \"local\""))),
              HasSubstr("dynamic_shared_bytes"));
  EXPECT_THAT(faults(read(replaced(example(), "name = \"m\"\nrole = \"size\"\ndtype = \"i32\"\nvalue = \"m\"",
                                   "name = \"m\"\nrole = \"scratch\"\nbytes = 4\ndtype = \"i32\""))),
              HasSubstr("'dtype' of argument 'm' has no meaning here"));
}

TEST(Roles, AHostFunctionHasNoneOfThem) {
  const std::string text = replaced(std::string(k_scale_toml), "[kernel]",
                                    "[[args]]\nname = \"work\"\nrole = \"scratch\"\nbytes = \"4 * n\"\n[kernel]");
  auto files = scale_files();
  files["task.toml"] = text;
  EXPECT_THAT(faults(TaskFolder(files).read()),
              HasSubstr("has the role \"scratch\", which a function of cpp has no use"));
}

TEST(Roles, ASymbolIsNoParameter) {
  Task task;
  for (const Role role : {Role::in, Role::symbol, Role::out}) {
    task.arguments.emplace_back();
    task.arguments.back().role = role;
    task.arguments.back().name = std::string(name_of(role));
  }
  EXPECT_THAT(handed_over(task, {}), ElementsAre(0, 2));
  Launch launch;
  launch.arguments = {"out", "in"};
  EXPECT_THAT(handed_over(task, launch), ElementsAre(2, 0));
}

// ---- tunables that are arguments

std::string delivered() {
  std::string text = replaced(example(), "[tune.parameters]", "[tune]\ndelivery = \"argument\"\n[tune.parameters]");
  text = replaced(text, "[kernel]",
                  "[[args]]\nname = \"TILE\"\nrole = \"scalar\"\ndtype = \"i32\"\n[[args]]\n"
                  "name = \"SPLIT\"\nrole = \"scalar\"\ndtype = \"i8\"\n[kernel]");
  return replaced(text, "\"partial\", \"m\"]", "\"partial\", \"m\", \"TILE\", \"SPLIT\"]");
}

TEST(Delivery, ATunableIsTheValueOfItsArgument) {
  const ReadTask found = read(delivered());
  ASSERT_TRUE(found.task) << faults(found);
  const auto value = [&](const Variant& variant) {
    return std::get<int64_t>(bind_case(*found.task, found.task->cases[0], variant)->arguments[8].value);
  };
  EXPECT_EQ(value({}), 64);
  EXPECT_EQ(value({{{"TILE", "128"}}, {}}), 128);
}

TEST(Delivery, NeedsThatArgument) {
  EXPECT_THAT(
      faults(read(replaced(delivered(), "name = \"TILE\"\nrole = \"scalar\"", "name = \"TILES\"\nrole = \"scalar\""))),
      HasSubstr("parameter 'TILE' is no scalar argument"));
  EXPECT_THAT(faults(read(replaced(delivered(), "SPLIT = { values = [1, 2, 4]", "SPLIT = { values = [1, 2, 128]"))),
              HasSubstr("parameter 'SPLIT' has the value '128', which is no i8"));
  EXPECT_THAT(faults(read(replaced(delivered(), "bind = { m = 77,", "bind = { TILE = 64, m = 77,"))),
              HasSubstr("has no key 'TILE'"));
}

// ---- local memory

TEST(LocalMemory, CountsAgainstTheLimitOfABlock) {
  std::string text = replaced(example(), "language = \"cuda\"", "language = \"opencl\"");
  const size_t maps = text.find("[[args]]\nname = \"x_map\""), kernel = text.find("[kernel]");
  text = text.substr(0, maps) + "[[args]]\nname = \"tile\"\nrole = \"local\"\nbytes = \"4 * TILE * TILE\"\n\n" +
         text.substr(kernel);
  text = replaced(text, "dynamic_shared_bytes = \"2 * 2 * TILE * 64\"\n", "");
  text = replaced(text, "\"x_map\", \"packed_map\", \"partial\"", "\"x\", \"packed\", \"partial\", \"tile\"");
  const ReadTask found = read(text);
  ASSERT_TRUE(found.task) << faults(found);
  const BoundCase bound = *bind_case(*found.task, found.task->cases[0]);
  LaunchLimits limits = widest_limits(Language::opencl);
  EXPECT_TRUE(bind_launches(*found.task, {}, bound, limits));
  limits.shared_bytes = 16383;
  EXPECT_THAT(to_text(bind_launches(*found.task, {}, bound, limits).error()),
              HasSubstr("args of launch 2 ('multiply'), case 'odd': a block needs 16384 bytes of shared memory"));
  EXPECT_THAT(faults(read(replaced(text, "4 * TILE * TILE", "0 * TILE"))), HasSubstr("'tile' has 0 bytes"));
  EXPECT_THAT(faults(read(replaced(text, "block = [128]", "block = [128]\ncluster = [1]"))),
              HasSubstr("only CUDA has clusters"));
}

// The contract of y = a · x with weights that a function prepares.
constexpr std::string_view k_weights = R"([[args]]
name = "w"
role = "in"
dtype = "f32"
shape = ["n"]
constant_across_calls = true

[[args]]
name = "packed"
role = "derived"
bytes = "4 * n"

)";
constexpr std::string_view k_prepare = "\n[kernel.prepare]\nentry = \"pack\"\nargs = [\"w\", \"packed\", \"n\"]\n";

std::map<std::string, std::string> prepared_files(std::string_view arguments = k_weights,
                                                  std::string_view prepare = k_prepare) {
  auto files = scale_files();
  const std::string toml = replaced(files["task.toml"], "[kernel]", std::string(arguments) + "[kernel]");
  files["task.toml"] = replaced(toml, "[oracle]", std::string(prepare) + "\n[oracle]");
  return files;
}

std::string faults_with(std::string_view prepare) {
  return faults(TaskFolder(prepared_files(k_weights, prepare)).read());
}

TEST(HostCalls, AreThatWhichPreparesAndThatWhichRuns) {
  const TaskFolder folder(prepared_files());
  const ReadTask found = folder.read();
  ASSERT_TRUE(found.task) << faults(found);
  EXPECT_THAT(found.diagnostics.warnings, IsEmpty());
  EXPECT_TRUE(found.task->prepares());
  const std::vector<BoundLaunch> calls = host_calls(*found.task);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].entry, "pack");
  EXPECT_EQ(calls[0].phase, Phase::prepare);
  EXPECT_THAT(calls[0].arguments, ElementsAre(4u, 5u, 3u));
  EXPECT_EQ(calls[1].entry, "scale");
  EXPECT_EQ(calls[1].phase, Phase::run);
  EXPECT_THAT(calls[1].arguments, ElementsAre(0u, 1u, 2u, 3u, 4u, 5u));
}

TEST(HostCalls, ThereAreNoneOfAFunctionThatNothingPrepares) {
  const TaskFolder folder(scale_files());
  const ReadTask found = folder.read();
  ASSERT_TRUE(found.task);
  EXPECT_FALSE(found.task->prepares());
  EXPECT_THAT(host_calls(*found.task), IsEmpty());
}

TEST(HostCalls, WhatPreparesIsPartOfTheContract) {
  const auto one = TaskFolder(prepared_files()).read();
  const auto other =
      TaskFolder(prepared_files(k_weights, replaced(std::string(k_prepare), "\"pack\"", "\"lay\""))).read();
  ASSERT_TRUE(one.task && other.task);
  EXPECT_NE(one.task->digest, other.task->digest);
}

TEST(HostCalls, OnlyWhatStaysIsPrepared) {
  for (const std::string name : {"x", "y", "a"})
    EXPECT_THAT(faults_with("[kernel.prepare]\nentry = \"pack\"\nargs = [\"packed\", \"" + name + "\"]\n"),
                HasSubstr("[kernel.prepare] takes '" + name + "', which is not the same at every call"));
}

TEST(HostCalls, FaultsAreNamed) {
  const FaultRow rows[] = {
      {"", "argument 'packed' is derived and nothing prepares it"},
      {"[kernel.prepare]\nentry = \"pack\"\nargs = [\"w\"]\n", "does not take the derived buffer 'packed'"},
      {"[kernel.prepare]\nentry = \"pack\"\n", "args"},
      {"[kernel.prepare]\nargs = [\"packed\"]\n", "entry"},
      {"[kernel.prepare]\nentry = \"pack\"\nargs = []\n", "is empty"},
      {"[kernel.prepare]\nentry = \"int\"\nargs = [\"packed\"]\n", "a keyword of C++"},
      {"[kernel.prepare]\nentry = \"scale\"\nargs = [\"packed\"]\n", "is 'scale', the function that is prepared"},
      {"[kernel.prepare]\nentry = \"pack\"\nargs = [\"packed\", \"packed\"]\n", "names 'packed' twice"},
      {"[kernel.prepare]\nentry = \"pack\"\nargs = [\"packd\"]\n", "names the unknown argument 'packd'"},
      {"[kernel.prepare]\nentry = \"pack\"\nargs = [\"packed\"]\ngrid = [1]\n", "grid"},
  };
  for (const FaultRow& row : rows) EXPECT_THAT(faults_with(row.launch), HasSubstr(row.words)) << row.launch;
  EXPECT_THAT(faults(TaskFolder(prepared_files("", "[kernel.prepare]\nentry = \"pack\"\nargs = [\"n\"]\n")).read()),
              HasSubstr("[kernel.prepare] takes no derived buffer"));
}

TEST(HostCalls, WhatIsLaunchedIsPreparedByALaunch) {
  const ReadTask found = read(replaced(example(), "[oracle]", std::string(k_prepare) + "\n[oracle]"));
  EXPECT_THAT(faults(found), HasSubstr("is prepared by a [[launch]] of the phase \"prepare\""));
}

}  // namespace
}  // namespace hone::task
