#include "device/choose.h"

#include <gmock/gmock.h>

namespace hone::device {
namespace {

using task::Language;
using ::testing::HasSubstr;

Accelerator device(const std::string& kind, int index, const std::string& vendor, const std::string& uuid) {
  Accelerator made;
  made.kind = kind;
  made.index = index;
  made.vendor = vendor;
  made.uuid = uuid;
  if (kind == "opencl") made.place = std::to_string(index) + ".0";
  return made;
}

// Two NVIDIA GPUs, the first of them also under OpenCL, behind the processor's platform.
std::vector<Accelerator> machine() {
  return {device("cuda", 0, "nvidia", "GPU-00010203-aaaa"), device("cuda", 1, "nvidia", "GPU-00010299-bbbb"),
          device("opencl", 0, "cpu", "opencl:0.0"), device("opencl", 1, "nvidia", "GPU-00010203-aaaa")};
}

std::string chosen(std::string_view word, Language language, const std::vector<Accelerator>& machine) {
  const auto choice = choose_device(word, language, machine);
  if (!choice) return std::string(name_of(choice.error().code)) + ": " + choice.error().what;
  return choice->accelerator ? place_of(*choice->accelerator) : "cpu";
}

TEST(ChooseDevice, AutoFollowsTheLanguageAndSaysWhy) {
  EXPECT_EQ(chosen("auto", Language::cuda, machine()), "cuda:0");
  EXPECT_EQ(chosen("auto", Language::opencl, machine()), "opencl:1.0") << "a GPU before the processor";
  EXPECT_EQ(chosen("auto", Language::cpp, machine()), "cpu");
  EXPECT_EQ(chosen("auto", Language::python, machine()), "cuda:0");
  EXPECT_EQ(chosen("auto", Language::python, {}), "cpu");
  EXPECT_EQ(choose_device("auto", Language::cuda, machine())->reason, "the first that runs cuda kernels (of 2)");
}

TEST(ChooseDevice, AnIndexCountsTheDevicesThatRunTheLanguage) {
  EXPECT_EQ(chosen("0", Language::cuda, machine()), "cuda:0");
  EXPECT_EQ(chosen("1", Language::cuda, machine()), "cuda:1");
  EXPECT_EQ(chosen("0", Language::cpp, machine()), "cpu");
  EXPECT_THAT(chosen("2", Language::cuda, machine()), HasSubstr("environment: there is no device '2'"));
  EXPECT_THAT(chosen("99999999999999999999999", Language::cuda, machine()), HasSubstr("no device"));
}

TEST(ChooseDevice, KindsPlacesAndVendors) {
  EXPECT_EQ(chosen("cuda", Language::cuda, machine()), "cuda:0");
  EXPECT_EQ(chosen("cuda:1", Language::cuda, machine()), "cuda:1");
  EXPECT_EQ(chosen("opencl:0.0", Language::opencl, machine()), "opencl:0.0");
  EXPECT_EQ(chosen("nvidia", Language::opencl, machine()), "opencl:1.0");
  EXPECT_EQ(chosen("cpu", Language::opencl, machine()), "opencl:0.0") << "the processor's OpenCL";
  EXPECT_EQ(chosen("cpu", Language::cpp, machine()), "cpu");
  EXPECT_EQ(chosen("cpu:0", Language::cpp, machine()), "cpu");
  EXPECT_EQ(choose_device("nvidia", Language::cuda, machine())->reason, "--device nvidia (the first of 2)");
}

TEST(ChooseDevice, UuidsWholeOrBeginning) {
  EXPECT_EQ(chosen("GPU-00010299-bbbb", Language::cuda, machine()), "cuda:1");
  EXPECT_EQ(chosen("00010299", Language::cuda, machine()), "cuda:1");
  EXPECT_EQ(chosen("cuda:GPU-00010203", Language::cuda, machine()), "cuda:0");
  EXPECT_EQ(chosen("GPU-00010203-aaaa", Language::opencl, machine()), "opencl:1.0");
  EXPECT_THAT(chosen("GPU-000102", Language::cuda, machine()),
              HasSubstr("usage: 'GPU-000102' names several devices: cuda:0, cuda:1"));
  EXPECT_THAT(chosen("0001029", Language::cuda, machine()), HasSubstr("no device")) << "digits are an index";
  EXPECT_THAT(chosen("GPU-000", Language::cuda, machine()), HasSubstr("no device")) << "too short";
}

TEST(ChooseDevice, ADeviceThatDoesNotRunTheLanguageIsRefusedWithThoseThatDo) {
  const auto choice = choose_device("cpu", Language::cuda, machine());
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, ErrorCode::environment);
  EXPECT_EQ(choice.error().why, "these do: cuda:0, cuda:1");
  EXPECT_THAT(chosen("hip", Language::cuda, machine()), HasSubstr("no device 'hip' that runs cuda kernels"));
  EXPECT_THAT(chosen("auto", Language::hip, machine()), HasSubstr("no device of this machine runs hip kernels"));
}

// The driver that would have shown such a device is what is missing.
TEST(ChooseDevice, WhatToInstallIsSaid) {
  const std::vector<Absence> absences = {{"cuda", "no driver", "install NVIDIA's driver"},
                                         {"hip", "not found as libamdhip64.so", "install ROCm"},
                                         {"hiprtc", "not found", "install it too"}};
  const auto choice = choose_device("auto", Language::hip, {}, absences);
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().what, "no device of this machine runs hip kernels");
  EXPECT_EQ(choice.error().why, "not found as libamdhip64.so");
  EXPECT_EQ(choice.error().help, "install ROCm");
}

}  // namespace
}  // namespace hone::device
