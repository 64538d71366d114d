// Confined HIP builds by a stand-in for hiprtc, which hands out a code object of this machine's clang and says in its
// messages what it was asked.
#include <gmock/gmock.h>

#include "base/disk.h"
#include "device/hip/testing/compile_hip.h"
#include "device/hip/testing/fake_hiprtc.h"
#include "device/launcher/toolchain.h"
#include "device/testing/fake_library.h"

namespace hone::device::launcher {
namespace {

using task::DType;
using task::Role;
using testing::HasSubstr;

constexpr std::string_view k_code = R"(
extern "C" __global__ void k(float* y) { y[0] = 1; }
)";

class HipBuild : public testing::Test {
 protected:
  void SetUp() override {
    const auto code = hip::compile_hip(k_code);
    if (!code) GTEST_SKIP() << "no clang here that makes code for AMD";
    Disk disk;
    ASSERT_TRUE(write_file(disk, rocm_.path() / "code", *code));
    fs::create_directory(rocm_.path() / "lib");
    fs::permissions(rocm_.path(), fs::perms(0755));  // as installed: a build may have another user's rights
  }

  // The stand-in lies where an installation of ROCm has the library: that folder is lent to the build.
  Result<Toolchain> toolchain_with(std::vector<std::string> macros = {}) const {
    macros.push_back("CODE=\"" + (rocm_.path() / "code").string() + "\"");
    const FakeLibrary fake(hip::k_fake_hiprtc, macros);
    const fs::path library = rocm_.path() / "lib" / "libhiprtc.so";
    fs::copy_file(fake.path(), library, fs::copy_options::overwrite_existing);
    DeviceFacts facts;
    facts.arch = "gfx90a";
    CompilerPlaces places;
    places.hiprtc = {library.string()};
    places.rocm = {rocm_.path()};
    return find_toolchain("hip", facts, places);
  }
  CompileOutcome compile_with(const Toolchain& toolchain, const CompileRequest& request) const {
    auto outcome = compile(toolchain, cache_.path(), request);
    EXPECT_TRUE(outcome) << to_text(outcome.error());
    return outcome ? *std::move(outcome) : CompileOutcome{};
  }
  static CompileRequest request() {
    CompileRequest request;
    request.files = {{"kernel.hip", false, std::string(k_code)}};
    request.sources = {"kernel.hip"};
    request.launches = {{"k", {{"y", Role::out, DType::f32}}}};
    request.macros = {{"TILE", "7"}};
    request.options = {"fp-contract-off"};
    return request;
  }

  TemporaryFolder rocm_ = *TemporaryFolder::make("/tmp", "hone-rocm-");
  TemporaryFolder cache_ = *TemporaryFolder::make("/tmp", "hone-hip-build-");
};

TEST_F(HipBuild, TheCompilerIsAskedForTheDevicesCode) {
  const auto toolchain = toolchain_with();
  ASSERT_TRUE(toolchain) << to_text(toolchain.error());
  EXPECT_EQ(toolchain->version, "hiprtc 6.3");
  const CompileOutcome outcome = compile_with(*toolchain, request());
  ASSERT_TRUE(outcome.artefact) << outcome.explanation << outcome.messages;
  EXPECT_THAT(outcome.artefact->objects, testing::ElementsAre(k_code_object));
  EXPECT_EQ(read_file(outcome.artefact->folder / k_code_object).value_or(""),
            read_file(rocm_.path() / "code").value_or("-"));
  ASSERT_EQ(outcome.artefact->resources.size(), 1u);
  EXPECT_EQ(outcome.artefact->resources[0].kernel, "k");
  EXPECT_THAT(outcome.messages, HasSubstr("source #include \"kernel.hip\""));
  EXPECT_THAT(outcome.messages, HasSubstr("--offload-arch=gfx90a -std=c++17 -O2 -ffp-contract=off -DTILE=7 -I."));
}

TEST_F(HipBuild, HeadersOfAnInstallationAreFound) {
  Disk disk;
  fs::create_directories(rocm_.path() / "include" / "hip");
  ASSERT_TRUE(write_file(disk, rocm_.path() / "include" / "hip" / "hip_runtime.h", ""));
  const auto toolchain = toolchain_with();
  ASSERT_TRUE(toolchain);
  const CompileOutcome outcome = compile_with(*toolchain, request());
  EXPECT_THAT(outcome.messages, HasSubstr("-I" + (rocm_.path() / "include").string()));
}

TEST_F(HipBuild, WhatDoesNotCompileIsTheCandidates) {
  const auto toolchain = toolchain_with({"COMPILE=6"});
  ASSERT_TRUE(toolchain);
  const CompileOutcome outcome = compile_with(*toolchain, request());
  EXPECT_FALSE(outcome.artefact);
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_EQ(outcome.explanation, "");
  EXPECT_THAT(outcome.messages, HasSubstr("kernel.hip")) << "the compiler's own words";
}

TEST_F(HipBuild, ACompilerThatFailsIsSaid) {
  const auto toolchain = toolchain_with({"COMPILE=11"});
  ASSERT_TRUE(toolchain);
  const CompileOutcome outcome = compile_with(*toolchain, request());
  EXPECT_EQ(outcome.fault, CompileFault::compile_error);
  EXPECT_EQ(outcome.explanation, "its compiler failed");
  EXPECT_THAT(outcome.messages, HasSubstr("hiprtc cannot compile: HIPRTC_ERROR (11)"));
}

TEST_F(HipBuild, TheContractIsHeldAgainstTheCode) {
  const auto toolchain = toolchain_with();
  ASSERT_TRUE(toolchain);
  CompileRequest wrong = request();
  wrong.launches = {{"other", {}}};
  EXPECT_EQ(compile_with(*toolchain, wrong).fault, CompileFault::no_entry);
}

TEST(HipToolchain, WithoutACompilerSaysWhatToInstall) {
  CompilerPlaces places;
  places.hiprtc = {"libhone-no-hiprtc.so"};
  const auto found = find_toolchain("hip", {}, places);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::environment);
  EXPECT_THAT(found.error().help, HasSubstr("install ROCm"));
}

}  // namespace
}  // namespace hone::device::launcher
