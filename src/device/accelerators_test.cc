// Real children of this executable ask stand-ins for vendors' drivers.
#include "device/accelerators.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/disk.h"
#include "base/json.h"
#include "device/cuda/testing/fake_cuda.h"
#include "device/cuda/testing/fake_nvml.h"
#include "device/cuda/testing/fake_nvrtc.h"
#include "device/hip/describe.h"
#include "device/hip/testing/fake_hip.h"
#include "device/hip/testing/fake_hiprtc.h"
#include "device/opencl/testing/fake_opencl.h"
#include "device/testing/fake_library.h"

namespace hone::device {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A machine without any driver, to which a test adds one.
AcceleratorRequest nothing() {
  AcceleratorRequest request;
  for (const char* name : {"cuda", "nvml", "nvrtc", "hip", "hiprtc", "opencl"})
    request.files[name] = {"libhone-not-there.so"};
  request.root = "/nowhere";
  return request;
}

Accelerators list(const AcceleratorRequest& request) {
  Processes processes;
  return list_accelerators(processes, request);
}

Accelerators with_cuda(const std::vector<std::string>& macros, Nanoseconds deadline = std::chrono::seconds(20)) {
  const FakeLibrary cuda(cuda::k_fake_cuda, macros);
  AcceleratorRequest request = nothing();
  request.files["cuda"] = {cuda.path()};
  request.deadline = deadline;
  return list(request);
}

Accelerators with_opencl(const std::vector<std::string>& macros) {
  const FakeLibrary opencl(opencl::k_fake_opencl, macros);
  AcceleratorRequest request = nothing();
  request.files["opencl"] = {opencl.path()};
  return list(request);
}

std::string reason_for(const Accelerators& found, std::string_view what) {
  for (const Absence& absence : found.absent) {
    if (absence.what == what) return absence.reason;
  }
  return "";
}

TEST(Accelerators, WhereNothingIsEveryKindSaysWhyAndWhatToType) {
  const Accelerators found = list(nothing());
  EXPECT_THAT(found.devices, IsEmpty());
  for (const char* what : {"cuda", "hip", "opencl", "NVRTC", "hiprtc"}) {
    EXPECT_THAT(reason_for(found, what), HasSubstr("cannot be opened")) << what;
    EXPECT_THAT(found.absent, Contains(Field(&Absence::help, HasSubstr("install")))) << what;
  }
  EXPECT_THAT(found.absent, SizeIs(5));
}

TEST(Accelerators, ACudaDeviceIsDescribed) {
  const FakeLibrary cuda(cuda::k_fake_cuda);
  const FakeLibrary nvml(cuda::k_fake_nvml);
  AcceleratorRequest request = nothing();
  request.files["cuda"] = {cuda.path()};
  request.files["nvml"] = {nvml.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.devices.size(), 1u);
  const Accelerator& device = found.devices[0];
  EXPECT_EQ(device.kind, "cuda");
  EXPECT_EQ(device.uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
  EXPECT_EQ(device.vendor, "nvidia");
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_EQ(device.arch, "sm_90");
  EXPECT_EQ(device.compute_capability, "9.0");
  EXPECT_EQ(device.multiprocessors, 132);
  EXPECT_EQ(device.warp_size, 32);
  EXPECT_EQ(device.memory_bytes, 150000000000u);
  EXPECT_EQ(device.l2_bytes, 62914560u);
  EXPECT_EQ(device.limits.shared_bytes_per_block_opt_in, 232448u);
  EXPECT_EQ(device.limits.registers_per_multiprocessor, 65536);
  EXPECT_EQ(device.limits.clusters, true);
  EXPECT_EQ(device.driver, "570.124.06 (CUDA 12.8)");
  EXPECT_EQ(device.trust, Trust::device_only);
  EXPECT_EQ(device.compute_mode, "shared");
  EXPECT_EQ(device.mig, false);
  EXPECT_EQ(device.max_clock_mhz, 1980);
  EXPECT_EQ(device.power_limit_watts, 700.0);
  EXPECT_THAT(device.notes, IsEmpty());
}

TEST(Accelerators, WithoutNvmlItsFiguresAreAbsentAndThatIsSaid) {
  const Accelerators found = with_cuda({});
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].driver, "CUDA 12.8");
  EXPECT_FALSE(found.devices[0].mig || found.devices[0].max_clock_mhz || found.devices[0].power_limit_watts);
  EXPECT_THAT(reason_for(found, "NVML"), HasSubstr("cannot be opened"));
}

TEST(Accelerators, SeveralDevicesHaveTheirOwnUuids) {
  const Accelerators found = with_cuda({"DEVICES=2"});
  ASSERT_EQ(found.devices.size(), 2u);
  EXPECT_EQ(found.devices[1].index, 1);
  EXPECT_NE(found.devices[0].uuid, found.devices[1].uuid);
}

TEST(Accelerators, AGpuThatReachesTheHostIsHostCode) {
  const Accelerators found = with_cuda({"PAGEABLE=1"});
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].trust, Trust::host_code);
  EXPECT_THAT(found.devices[0].notes, Contains(HasSubstr("host-code")));
}

TEST(Accelerators, ExclusiveModeAPartOfADeviceAndNeighboursAreSaid) {
  const FakeLibrary cuda(cuda::k_fake_cuda, {"MODE=3"});
  const FakeLibrary nvml(cuda::k_fake_nvml, {"MIG=1", "BUSY=2"});
  AcceleratorRequest request = nothing();
  request.files["cuda"] = {cuda.path()};
  request.files["nvml"] = {nvml.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].compute_mode, "exclusive-process");
  EXPECT_EQ(found.devices[0].mig, true);
  EXPECT_THAT(found.devices[0].notes, Contains(HasSubstr("one process at a time")));
  EXPECT_THAT(found.devices[0].notes, Contains("in use: 2 other processes compute on it"));
}

TEST(Accelerators, ADriverThatCrashesHangsOrLacksAFunctionIsALine) {
  EXPECT_THAT(reason_for(with_cuda({"CRASHES"}), "cuda"), HasSubstr("crashed: Segmentation fault"));
  EXPECT_THAT(reason_for(with_cuda({"HANGS"}, std::chrono::milliseconds(300)), "cuda"),
              HasSubstr("did not answer within 300 ms"));
  EXPECT_THAT(reason_for(with_cuda({"LACKS_MEM_MAP"}), "cuda"), HasSubstr("lacks cuMemMap"));
  EXPECT_THAT(reason_for(with_cuda({"INIT=100"}), "cuda"), HasSubstr("CUDA_ERROR_NO_DEVICE"));
  EXPECT_THAT(reason_for(with_cuda({"DEVICES=0"}), "cuda"), HasSubstr("no device"));
}

TEST(Accelerators, OneBrokenDriverLeavesTheOthers) {
  const FakeLibrary cuda(cuda::k_fake_cuda, {"CRASHES"});
  const FakeLibrary hip(hip::k_fake_hip);
  AcceleratorRequest request = nothing();
  request.files["cuda"] = {cuda.path()};
  request.files["hip"] = {hip.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].kind, "hip");
}

TEST(Accelerators, WhatADriverPrintsIsNotTheAnswer) { EXPECT_EQ(with_cuda({"NOISY"}).devices.size(), 1u); }

TEST(Accelerators, AHidingVariableHidesNothingAndIsNoted) {
  ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "", 1), 0);
  const Accelerators found = with_cuda({});
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(found.devices.size(), 1u);
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("CUDA_VISIBLE_DEVICES is set to '' and not followed")));
}

TEST(Accelerators, EveryHidingVariableThatIsSetHasASentence) {
  EXPECT_THAT(notes_on_hiding({{"PATH", "/bin"}}), testing::IsEmpty());
  EXPECT_THAT(
      notes_on_hiding({{"ROCR_VISIBLE_DEVICES", "2"}, {"CUDA_VISIBLE_DEVICES", "1,0"}, {"HIP_VISIBLE_DEVICES", ""}}),
      ElementsAre("CUDA_VISIBLE_DEVICES is set to '1,0' and not followed: every device is listed, and the one "
                  "that judges is chosen by its uuid",
                  HasSubstr("HIP_VISIBLE_DEVICES is set to '' and"),
                  HasSubstr("ROCR_VISIBLE_DEVICES is set to '2' and")));
}

TEST(Accelerators, AnAmdDeviceIsDescribedByHip) {
  const FakeLibrary hip(hip::k_fake_hip);
  AcceleratorRequest request = nothing();
  request.files["hip"] = {hip.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.devices.size(), 1u);
  const Accelerator& device = found.devices[0];
  EXPECT_EQ(device.uuid, "GPU-8a3f6c2be17d9054");
  EXPECT_EQ(device.arch, "gfx942");
  EXPECT_EQ(device.warp_size, 64);
  EXPECT_EQ(device.driver, "HIP 6.3");
  EXPECT_EQ(device.trust, Trust::device_only);
  EXPECT_THAT(device.notes, ElementsAre(hip::k_not_run));
}

TEST(Accelerators, AnOldHipRunTimeAndXnackAreSaid) {
  const FakeLibrary hip(hip::k_fake_hip, {"OLD", "XNACK=1"});
  AcceleratorRequest request = nothing();
  request.files["hip"] = {hip.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].uuid, "hip:0");
  EXPECT_FALSE(found.devices[0].arch);
  EXPECT_EQ(found.devices[0].trust, Trust::host_code);
}

TEST(Accelerators, AnOpenclGpuIsDeviceOnly) {
  const Accelerators found = with_opencl({});
  ASSERT_EQ(found.devices.size(), 1u);
  const Accelerator& device = found.devices[0];
  EXPECT_EQ(device.kind, "opencl");
  EXPECT_EQ(device.place, "0.0");
  EXPECT_EQ(device.uuid, "opencl:0.0");
  EXPECT_EQ(device.vendor, "amd");
  EXPECT_EQ(device.name, "AMD Instinct MI300X");
  EXPECT_EQ(device.arch, "gfx942");
  EXPECT_EQ(device.warp_size, 64);
  EXPECT_EQ(device.trust, Trust::device_only);
  ASSERT_EQ(found.platforms.size(), 1u);
  EXPECT_EQ(found.platforms[0].name, "Fake Platform");
  EXPECT_THAT(found.platforms[0].devices, ElementsAre("AMD Instinct MI300X"));
}

TEST(Accelerators, NvidiasOpenclSaysItsCapabilityAndUuid) {
  const Accelerators found = with_opencl({"NVIDIA", "VENDOR=\"NVIDIA Corporation\"", "NAME=\"NVIDIA H200\""});
  ASSERT_EQ(found.devices.size(), 1u);
  EXPECT_EQ(found.devices[0].vendor, "nvidia");
  EXPECT_EQ(found.devices[0].uuid, "GPU-30313233-3435-3637-3839-616263646500");
  EXPECT_EQ(found.devices[0].arch, "sm_90");
  EXPECT_EQ(found.devices[0].limits.registers_per_block, 65536);
}

TEST(Accelerators, OpenclOnACpuOrWithTheHostsMemoryIsHostCode) {
  for (const auto& macros :
       {std::vector<std::string>{"TYPE=2"}, std::vector<std::string>{"SVM=4"}, std::vector<std::string>{"TYPE=8"}}) {
    const Accelerators found = with_opencl(macros);
    ASSERT_EQ(found.devices.size(), 1u);
    EXPECT_EQ(found.devices[0].trust, Trust::host_code) << macros.front();
    EXPECT_THAT(found.devices[0].notes, Contains(HasSubstr("host-code")));
  }
  EXPECT_EQ(with_opencl({"TYPE=2"}).devices[0].vendor, "cpu");
}

TEST(Accelerators, OpenclWithoutAPlatformOrWithABrokenOneIsALine) {
  EXPECT_THAT(reason_for(with_opencl({"NO_PLATFORM"}), "opencl"), HasSubstr("no platform has a device"));
  EXPECT_THAT(reason_for(with_opencl({"CRASHES"}), "opencl"), HasSubstr("crashed"));
}

TEST(Accelerators, NvidiasOpenclThatIsNotListedIsFound) {
  const auto root = TemporaryFolder::make(fs::temp_directory_path(), "hone-root-");
  ASSERT_TRUE(root);
  Disk disk;
  ASSERT_TRUE(disk.make_directories(root->path() / "lib"));
  const fs::path file = root->path() / "lib/libnvidia-opencl.so.1";
  ASSERT_TRUE(write_file(disk, file, ""));
  AcceleratorRequest request = nothing();
  request.root = root->path();
  const Accelerators found = list(request);
  EXPECT_THAT(found.absent, Contains(Field(&Absence::help, "export OCL_ICD_FILENAMES=" + file.string())));
  const FakeLibrary nvidia(opencl::k_fake_opencl, {"VENDOR=\"NVIDIA Corporation\""});
  request.files["opencl"] = {nvidia.path()};
  EXPECT_EQ(reason_for(list(request), "NVIDIA's OpenCL"), "");
}

TEST(Accelerators, RunTimeCompilersSayTheirVersion) {
  const FakeLibrary nvrtc(cuda::k_fake_nvrtc);
  const FakeLibrary hiprtc(hip::k_fake_hiprtc);
  AcceleratorRequest request = nothing();
  request.files["nvrtc"] = {nvrtc.path()};
  request.files["hiprtc"] = {hiprtc.path()};
  const Accelerators found = list(request);
  ASSERT_EQ(found.compilers.size(), 2u);
  EXPECT_EQ(found.compilers[0].name, "NVRTC");
  EXPECT_EQ(found.compilers[0].version, "12.2");
  EXPECT_EQ(found.compilers[0].path, nvrtc.path());
  EXPECT_THAT(found.compilers[0].architectures, ElementsAre(75, 90));
  EXPECT_EQ(found.compilers[1].version, "6.3");
}

// Answers nonsense for whatever is asked.
class Nonsense final : public Processes {
 public:
  Result<Finished> run(const Command& command) override {
    environments.push_back(command.environment);
    return Finished{0, false, "{\"devices\": 1}", ""};
  }
  std::vector<std::map<std::string, std::string>> environments;
};

TEST(Accelerators, AnAnswerThatCannotBeReadIsALine) {
  Nonsense processes;
  const Accelerators found = list_accelerators(processes, nothing());
  EXPECT_THAT(found.devices, IsEmpty());
  EXPECT_THAT(reason_for(found, "cuda"), HasSubstr("cannot be read"));
}

TEST(Accelerators, ChildrenFindLibrariesAndCountLikeNvidiaSmi) {
  Nonsense processes;
  AcceleratorRequest request = nothing();
  request.variables = {{"LD_LIBRARY_PATH", "/opt/lib"}, {"CUDA_VISIBLE_DEVICES", "1"}, {"SECRET", "x"}};
  list_accelerators(processes, request);
  ASSERT_FALSE(processes.environments.empty());
  const std::map<std::string, std::string> expected{{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
                                                    {"LD_LIBRARY_PATH", "/opt/lib"}};
  EXPECT_EQ(processes.environments[0], expected);
}

TEST(Accelerators, TheAnswerSurvivesItsJson) {
  const Accelerators found = with_opencl({});
  const auto again = json::from_text<Accelerators>(json::to_text(found));
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(json::to_text(*again), json::to_text(found));
}

TEST(Accelerators, PoclIsAHostCodeDevice) {
  AcceleratorRequest request = nothing();
  request.files.erase("opencl");
  const Accelerators found = list(request);
  for (const OpenclPlatform& platform : found.platforms) {
    if (platform.name != "Portable Computing Language") continue;
    EXPECT_THAT(platform.version, HasSubstr("PoCL"));
    ASSERT_FALSE(platform.devices.empty());
    const auto is_here = [&](const Accelerator& device) { return device.name == platform.devices.front(); };
    const auto device = std::ranges::find_if(found.devices, is_here);
    ASSERT_NE(device, found.devices.end());
    EXPECT_EQ(device->vendor, "cpu");
    EXPECT_EQ(device->trust, Trust::host_code);
    EXPECT_GT(device->memory_bytes, 0u);
    return;
  }
  GTEST_SKIP() << "PoCL is not installed: apt-get install pocl-opencl-icd";
}

}  // namespace
}  // namespace hone::device
